//! The form as one value: what it holds, and where it sends.

use crate::browser::dom::{self, Element};
use crate::browser::field;
use crate::wire::paste::CreateRequest;

/// The form element. Its fields are read when they are wanted: the person and the browser write into them, too.
pub(super) struct Form {
    pub(super) element: Element,
}

impl Form {
    /// An address that the page wrote on the form, such as `data-api`.
    pub(super) fn address(&self, attribute: &str) -> String {
        dom::attribute(&self.element, attribute)
    }

    /// The most bytes of text a new paste may have, when the page says so.
    pub(super) fn bytes_max(&self) -> Option<usize> {
        dom::attribute(&self.element, "data-max-bytes").parse().ok()
    }

    pub(super) fn is_empty(&self) -> bool {
        field::read(&self.element, "content").is_empty()
    }

    /// What a save of the form would send. An empty field is an absent one.
    pub(super) fn read(&self) -> CreateRequest {
        CreateRequest {
            content: field::read(&self.element, "content"),
            title: self.given("title"),
            syntax: self.given("syntax"),
            expires_in: self.given("expires_in"),
        }
    }

    fn given(&self, name: &str) -> Option<String> {
        Some(field::read(&self.element, name)).filter(|value| !value.is_empty())
    }

    /// Puts a text into the form, unless another one is there; tells whether the form has it now.
    pub(super) fn fill(&self, request: &CreateRequest) -> bool {
        let there = field::read(&self.element, "content");
        if !there.is_empty() {
            return there == request.content;
        }
        field::write(&self.element, "content", &request.content);
        self.put("title", request.title.as_deref());
        self.put("syntax", request.syntax.as_deref());
        if request.expires_in.is_some() {
            self.put("expires_in", request.expires_in.as_deref());
        }
        true
    }

    fn put(&self, name: &str, value: Option<&str>) {
        field::write(&self.element, name, value.unwrap_or_default());
    }
}
