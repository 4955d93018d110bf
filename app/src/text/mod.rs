//! A paste's text on its way to a page: its lines, how much of it a page shows, and the colours of what is shown.
//!
//! The server's highlighter writes [`Colours`] and the pages read them. Colours are lengths and classes, never markup:
//! whatever they say, the page writes the text itself, escaped.

mod colours;
mod lines;
mod shown;

pub use colours::{Class, ColourWriter, Colours, LineRuns, Run};
pub use lines::Lines;
pub use shown::{SHOWN_BYTES_MAX, SHOWN_LINE_BYTES_MAX, SHOWN_LINES_MAX, shown_lines, shown_start};

/// What is known of a text's colours.
#[derive(Clone, Copy, Debug)]
pub enum Colouring<'a> {
    /// It has none: it is plain text, or nobody asked.
    None,
    /// These, which may end before the text does.
    Known(&'a Colours),
    /// They are being worked out.
    Pending,
}

/// A text for its page.
#[derive(Clone, Copy, Debug)]
pub struct Painted<'a> {
    /// The whole text.
    pub text: &'a str,
    /// The colours of its start.
    pub colouring: Colouring<'a>,
}

impl<'a> From<&'a str> for Painted<'a> {
    fn from(text: &'a str) -> Self {
        let colouring = Colouring::None;
        Self { text, colouring }
    }
}

impl<'a> From<&'a String> for Painted<'a> {
    fn from(text: &'a String) -> Self {
        text.as_str().into()
    }
}
