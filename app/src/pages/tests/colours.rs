//! The colours of code in the style sheet: one for each class, and each can be read.

use crate::text::Class;

const STYLE: &str = include_str!("../../../../style/main.css");

/// Contrast that WCAG 2 asks of text (AA).
const CONTRAST_MIN: f64 = 4.5;

/// The two values of a `light-dark(…)` that follows `before`.
fn pair(before: &str) -> [[u8; 3]; 2] {
    let at = STYLE.find(before).unwrap_or_else(|| panic!("{before}"));
    let (_, after) = STYLE[at..].split_once("light-dark(").unwrap();
    let (inside, _) = after.split_once(')').unwrap();
    let mut values = inside.split(", ").map(|value| {
        let number = u32::from_str_radix(value.strip_prefix('#').unwrap(), 16).unwrap();
        let [_, red, green, blue] = number.to_be_bytes();
        [red, green, blue]
    });
    [values.next().unwrap(), values.next().unwrap()]
}

fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(|byte| {
        let part = f64::from(byte) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn every_class_can_be_read_on_the_sheet_and_on_a_marked_line() {
    let (_, rules) = STYLE.split_once("/* Colours of code").expect("the section");
    for letter in Class::ALL.iter().filter_map(|class| class.letter()) {
        let names = |line: &&str| {
            let selector = line.split('{').next().unwrap();
            selector.contains(&format!(".{letter},"))
                || selector.contains(&format!(".{letter})"))
                || selector.contains(&format!(".{letter} "))
        };
        let rule = rules
            .lines()
            .find(names)
            .unwrap_or_else(|| panic!(".{letter} has no rule"));
        if !rule.contains("light-dark") {
            continue;
        }
        for (behind, colour) in ["--sheet:", "--tint:"]
            .map(pair)
            .iter()
            .zip([pair(rule); 2])
        {
            for (behind, colour) in behind.iter().zip(colour) {
                let contrast = contrast(*behind, colour);
                assert!(contrast >= CONTRAST_MIN, ".{letter} {contrast:.2}");
            }
        }
    }
}
