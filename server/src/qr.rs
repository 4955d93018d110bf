//! QR codes as SVG. Pure: this module knows neither pastes nor HTTP.

use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write as _;

/// Light modules around the code, as its standard asks for.
const MARGIN: i32 = 4;

/// The QR code of a text, black on white whatever the page around it; `None` for a text that is too long for one.
#[must_use]
pub fn svg(text: &str) -> Option<String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let side = code.size() + 2 * MARGIN;
    let mut path = String::new();
    for y in 0..code.size() {
        for (x, length) in dark_runs(&code, y) {
            let (x, y) = (x + MARGIN, y + MARGIN);
            let written = write!(path, "M{x} {y}h{length}v1h-{length}z");
            written.expect("writing to a string cannot fail");
        }
    }
    Some(format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{side}v{side}H0z"/><path d="{path}"/></svg>"##
    ))
}

/// Where dark modules begin in a row, and how many there are.
fn dark_runs(code: &QrCode, y: i32) -> Vec<(i32, i32)> {
    let mut runs: Vec<(i32, i32)> = Vec::new();
    for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == x => *length += 1,
            _ => runs.push((x, 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modules of an SVG, drawn back from its path.
    fn drawn(svg: &str) -> Vec<(i32, i32)> {
        let path = svg
            .rsplit_once(" d=\"")
            .unwrap()
            .1
            .split_once('"')
            .unwrap()
            .0;
        let mut modules = Vec::new();
        for run in path.split('z').filter(|run| !run.is_empty()) {
            let (place, rest) = run.strip_prefix('M').unwrap().split_once('h').unwrap();
            let (x, y) = place.split_once(' ').unwrap();
            let length: i32 = rest.split_once('v').unwrap().0.parse().unwrap();
            let (x, y): (i32, i32) = (x.parse().unwrap(), y.parse().unwrap());
            modules.extend((x..x + length).map(|x| (x - MARGIN, y - MARGIN)));
        }
        modules
    }

    #[test]
    fn the_picture_has_the_modules_of_the_code() {
        let link = "https://paste.example/2wKd93hXq0ZbTy";
        let code = QrCode::encode_text(link, QrCodeEcc::Medium).unwrap();
        let all = (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y)));
        let dark: Vec<_> = all.filter(|(x, y)| code.get_module(*x, *y)).collect();
        assert_eq!(drawn(&svg(link).unwrap()), dark);
    }

    #[test]
    fn a_text_too_long_has_none() {
        assert!(svg(&"x".repeat(5_000)).is_none());
    }
}
