//! The choices of how long a paste lives.

use super::site::Site;
use crate::wire::expiry;
use leptos::prelude::*;

/// What people mostly want, in ascending order.
const USUAL: [&str; 6] = ["10m", "1h", "1d", "7d", "30d", "365d"];

/// One `<option>`.
#[derive(Debug, PartialEq, Eq)]
struct Choice {
    value: String,
    label: String,
    selected: bool,
}

/// The options of the expiry field, with what was posted, or else the default, selected.
pub(super) fn options(site: &Site, posted: &str) -> impl IntoView + use<> {
    choices(site, posted)
        .into_iter()
        .map(
            |Choice {
                 value,
                 label,
                 selected,
             }| {
                view! { <option value=value selected=selected>{label}</option> }
            },
        )
        .collect_view()
}

/// The usual spans up to the site's maximum, the maximum and the default. What was posted stands last if it is none
/// of them, even where it is no span at all: a form gives back what it was given.
fn choices(site: &Site, posted: &str) -> Vec<Choice> {
    let seconds = spans(site);
    let posted_seconds = match posted {
        "" => Ok(site.default_expiry_seconds),
        text => expiry::parse_seconds(text),
    };
    let mut choices: Vec<Choice> = seconds
        .into_iter()
        .map(|seconds| Choice {
            value: spelled(seconds),
            label: expiry::human(seconds),
            selected: posted_seconds == Ok(seconds),
        })
        .collect();
    if !choices.iter().any(|choice| choice.selected) {
        choices.push(Choice {
            value: posted.to_owned(),
            label: posted_seconds.map_or_else(|_| posted.to_owned(), expiry::human),
            selected: true,
        });
    }
    choices
}

/// Seconds of every span on offer, ascending, each once.
fn spans(site: &Site) -> Vec<u64> {
    let mut spans: Vec<u64> = USUAL
        .iter()
        .filter_map(|span| expiry::parse_seconds(span).ok())
        .chain([site.default_expiry_seconds, site.expiry_seconds_max])
        .filter(|seconds| *seconds <= site.expiry_seconds_max)
        .collect();
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// The shortest spelling of a span that [`expiry::parse_seconds`] reads.
fn spelled(seconds: u64) -> String {
    let units = [(86_400, "d"), (3_600, "h"), (60, "m")];
    units
        .into_iter()
        .find(|(size, _)| seconds.is_multiple_of(*size))
        .map_or_else(
            || seconds.to_string(),
            |(size, unit)| format!("{}{unit}", seconds / size),
        )
}

#[cfg(test)]
mod tests {
    use super::super::tests::site;
    use super::*;

    fn shown(site: &Site, posted: &str) -> Vec<String> {
        let mark = |choice: &Choice| if choice.selected { "*" } else { "" };
        choices(site, posted)
            .iter()
            .map(|choice| format!("{}{}", mark(choice), choice.value))
            .collect()
    }

    #[test]
    fn the_default_is_selected() {
        assert_eq!(
            shown(&site(), ""),
            ["10m", "1h", "1d", "7d", "*30d", "365d"]
        );
    }

    #[test]
    fn what_was_posted_is_selected_however_it_is_spelled() {
        assert_eq!(shown(&site(), "3600")[1], "*1h");
        assert_eq!(shown(&site(), "2d").last().unwrap(), "*2d");
        assert_eq!(shown(&site(), "soon").last().unwrap(), "*soon");
    }

    #[test]
    fn nothing_beyond_the_maximum_is_offered_and_the_maximum_is() {
        let site = Site {
            default_expiry_seconds: 90_000,
            expiry_seconds_max: 90 * 86_400,
            ..site()
        };
        assert_eq!(
            shown(&site, ""),
            ["10m", "1h", "1d", "*25h", "7d", "30d", "90d"]
        );
    }

    #[test]
    fn labels_are_words() {
        assert_eq!(choices(&site(), "90").last().unwrap().label, "90 seconds");
        assert_eq!(choices(&site(), "")[0].label, "10 minutes");
    }
}
