//! Every sentence of the paste page and of its Markdown tab, in one place. What the page's script says is here too: the
//! page hands it over in attributes, with `{}` where a number goes.

use super::words;

pub(super) const SAVED: &str = "Saved ";
pub(super) const EXPIRES: &str = "Expires ";

pub(super) const VIEWS: &str = "Views";
pub(super) const TEXT: &str = "Text";
pub(super) const MARKDOWN: &str = "Markdown";

pub(super) const ACTIONS: &str = "Actions";
pub(super) const COPY: &str = "Copy";
pub(super) const COPIED: &str = "Copied";
pub(super) const COPY_AGAIN: &str = "Press again to copy";
pub(super) const COPY_FAILED: &str = "Copying is blocked: open Raw and copy there";
pub(super) const RAW: &str = "Raw";
pub(super) const DOWNLOAD: &str = "Download";
pub(super) const USE_AS_NEW: &str = "Use as new";
pub(super) const WRAP: &str = "Wrap";

pub(super) const QR: &str = "QR code";
pub(super) const QR_ALT: &str = "QR code of the link to this paste";
pub(super) const CLOSE: &str = "Close";

pub(super) const SKIP: &str = "Skip the text";
pub(super) const LINE_SELECTED: &str = "Line {} selected";
pub(super) const LINES_SELECTED: &str = "Lines {} to {} selected";

pub(super) const REORDERED: &str = "This text has characters that change the reading direction, which can make it read otherwise \
     than it is. Below they are shown as labels, without their effect.";
pub(super) const LEFT_OUT: &str =
    "This text has characters that change the reading direction. They are left out here.";

pub(super) const REST: &str = "The raw text is complete";

pub(super) const REPORT: &str = "Report this paste";

/// How many lines there are, and how many of them are shown.
pub(super) fn lines(all: usize, shown: usize) -> String {
    if shown < all {
        let shown = words::count(shown);
        format!("{}, the first {shown} shown", words::lines(all))
    } else {
        words::lines(all)
    }
}

/// A character that reorders text: `RLO, right-to-left override, 3 times:`
pub(super) fn character(name: &str, count: usize) -> String {
    let times = match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{} times", words::count(count)),
    };
    format!(", {name}, {times}: ")
}

/// A line as a link names it.
pub(super) fn line(number: usize) -> String {
    format!("line {}", words::count(number))
}

pub(super) const AND_MORE: &str = " and more";

/// Why a page shows a part of a text: its limits.
pub(super) fn limits(bytes: usize, lines: usize, of_a_line: usize) -> String {
    let size = |bytes| words::bytes(bytes as u64);
    format!(
        "There is more of this text: a page shows {} or {}, and {} of a line. ",
        size(bytes),
        words::lines(lines),
        size(of_a_line)
    )
}

/// Why the Markdown tab shows a part of a text.
pub(super) fn markdown_limit(bytes: u64) -> String {
    let size = words::bytes(bytes);
    format!("There is more of this text: this tab shows its first {size}. ")
}

pub(super) const COLOURS_FOLLOW: &str = "Colours follow on the next view.";

/// Where the colours end, counted in lines.
pub(super) fn colours_end(line: usize) -> String {
    match line {
        0 => "No colours: working them out took too long.".to_owned(),
        line => format!(
            "Colours end at line {}: the rest took too long.",
            words::count(line)
        ),
    }
}

/// The contact, where it is no address.
pub(super) fn report_to(contact: &str) -> String {
    format!("{REPORT}: {contact}")
}
