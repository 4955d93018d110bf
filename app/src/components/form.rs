//! The form as one value: what it holds, and where it sends.

use super::line_ends::shows;
use crate::browser::dom::{self, Element};
use crate::browser::field;
use crate::wire::limits::TITLE_CHARS_MAX;
use crate::wire::paste::CreateRequest;
use std::cell::RefCell;

/// The form element. Its fields are read when they are wanted: the person and the browser write into them, too.
pub(super) struct Form {
    pub(super) element: Element,
    /// The last text with a CR that was put in. It counts as long as the textarea, which turns CR into LF, shows it.
    exact: RefCell<Option<String>>,
}

impl Form {
    pub(super) fn new(element: Element) -> Self {
        Self {
            element,
            exact: RefCell::default(),
        }
    }

    /// An address that the page wrote on the form, such as `data-api`.
    pub(super) fn address(&self, attribute: &str) -> String {
        dom::attribute(&self.element, attribute)
    }

    /// The most bytes of text a new paste may have.
    pub(super) fn bytes_max(&self) -> u64 {
        let attribute = dom::attribute(&self.element, "data-max-bytes");
        attribute.parse().unwrap_or(u64::MAX)
    }

    /// UTF-16 units of the text: at least a third of its bytes, and told without reading it.
    pub(super) fn units(&self) -> usize {
        field::units(&self.element, "content")
    }

    /// What a save of the form would send. An empty field is an absent one.
    pub(super) fn read(&self) -> CreateRequest {
        CreateRequest {
            content: self.content(),
            title: self.given("title"),
            syntax: self.given("syntax"),
            expires_in: self.given("expires_in"),
        }
    }

    /// The exact text.
    fn content(&self) -> String {
        let shown = field::read(&self.element, "content");
        match &*self.exact.borrow() {
            Some(exact) if shows(exact, &shown) => exact.clone(),
            _ => shown,
        }
    }

    fn given(&self, name: &str) -> Option<String> {
        Some(field::read(&self.element, name)).filter(|value| !value.is_empty())
    }

    /// Puts a text into the form, unless another one is there; tells whether the form has it now.
    pub(super) fn fill(&self, request: &CreateRequest) -> bool {
        let there = field::read(&self.element, "content");
        let is_there = shows(&request.content, &there);
        if !there.is_empty() && !is_there {
            return false;
        }
        self.set_content(&request.content, is_there);
        if !is_there || there.is_empty() {
            self.put("title", request.title.as_deref());
            self.put("syntax", request.syntax.as_deref());
            if request.expires_in.is_some() {
                self.put("expires_in", request.expires_in.as_deref());
            }
        }
        true
    }

    /// Puts the text of a file into the form, and its name where no title is; false when another text is there.
    pub(super) fn fill_from_file(&self, content: String, name: &str) -> bool {
        let title = || {
            let characters = name.chars().filter(|character| !character.is_control());
            characters.take(TITLE_CHARS_MAX).collect()
        };
        let request = CreateRequest {
            content,
            title: Some(self.given("title").unwrap_or_else(title)),
            syntax: self.given("syntax"),
            expires_in: None,
        };
        self.fill(&request)
    }

    /// `is_there`: the textarea shows it already, and is left alone, with its cursor and its undo.
    fn set_content(&self, content: &str, is_there: bool) {
        if !is_there {
            field::write(&self.element, "content", content);
        }
        let exact = content.contains('\r').then(|| content.to_owned());
        self.exact.replace(exact);
    }

    fn put(&self, name: &str, value: Option<&str>) {
        field::write(&self.element, name, value.unwrap_or_default());
    }
}
