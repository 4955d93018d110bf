//! Colours for texts: which language a text is in, and what each piece of it is.
//!
//! One thread works, so highlighting never takes more than one CPU. It goes line by line: a short job waits for the
//! line under way and not for a long job, and a long job ends at its budget with the colours it has. A line cannot be
//! interrupted, so only its first `LINE_BYTES_MAX` bytes are parsed: the slowest line known (INI, blanks only) then
//! takes 1.1 s. While such a line is under way nobody else gets colours, and everybody still gets a page. A line with
//! which a grammar never ends would end all colours: the one that is known is mended by the build script.
//!
//! This module makes no HTML and must not know it: a page that escapes its text is right whatever stands here.

mod classes;
mod cpu_time;
mod grammars;
mod guess;
mod highlighter;
mod hints;
mod job;
mod painting;
mod priority;
mod worker;

pub use highlighter::{Answer, Highlighter, Subject};
pub use job::Budgets;
pub(crate) use priority::give_way;
