//! The form without JavaScript, as a browser posts it and reads it.

use super::{Host, Reply, send};
use reqwest::Method;
use reqwest::multipart::Form;

/// What a browser would send again from a page that holds the form.
#[derive(Debug)]
pub(crate) struct ShownForm {
    pub(crate) key: String,
    pub(crate) content: String,
    pub(crate) title: String,
    pub(crate) syntax: String,
    pub(crate) expires_in: String,
}

impl ShownForm {
    pub(crate) fn of(page: &Reply) -> Self {
        let html = page.text();
        let textarea = after(&html, "<textarea");
        let textarea = &textarea[textarea.find('>').unwrap() + 1..];
        let typed = &textarea[..textarea.find("</textarea>").unwrap()];
        Self {
            key: value(&html, "name=\"idempotency_key\""),
            content: unescaped(typed.strip_prefix('\n').unwrap_or(typed)),
            title: value(&html, "id=\"title\""),
            syntax: value(&html, "name=\"syntax\""),
            expires_in: selected(&html),
        }
    }
}

impl Host {
    pub(crate) async fn empty_form(&self) -> ShownForm {
        ShownForm::of(&self.get_with("/", &[("accept", "text/html")]).await)
    }

    /// Posts fields to the form as the page does.
    pub(crate) async fn post_multipart(&self, fields: &[(&'static str, &str)]) -> Reply {
        let form = fields.iter().fold(Form::new(), |form, (name, value)| {
            form.text(*name, (*value).to_owned())
        });
        send(self.request(Method::POST, "/").multipart(form)).await
    }

    /// The text of a paste.
    pub(crate) async fn raw(&self, id: &str) -> String {
        let reply = self.get(&format!("/{id}/raw")).await;
        assert_eq!(reply.status, 200);
        reply.text()
    }
}

impl Reply {
    /// The id of a 201, whatever its body.
    #[track_caller]
    pub(crate) fn saved_id(&self) -> String {
        assert_eq!(self.status, 201, "{}", self.text());
        self.header("location")
            .rsplit('/')
            .next()
            .unwrap()
            .to_owned()
    }
}

fn after<'a>(html: &'a str, mark: &str) -> &'a str {
    &html[html
        .find(mark)
        .unwrap_or_else(|| panic!("{mark} in {html}"))..]
}

fn value(html: &str, mark: &str) -> String {
    let value = &after(after(html, mark), "value=\"")[7..];
    unescaped(&value[..value.find('"').unwrap()])
}

fn selected(html: &str) -> String {
    let before = &html[..html.find(" selected").unwrap()];
    let option = &before[before.rfind("value=\"").unwrap() + 7..];
    unescaped(option.trim_end_matches('"'))
}

fn unescaped(html: &str) -> String {
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#13;", "\r"),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(html.to_owned(), |text, (escape, character)| {
        text.replace(escape, character)
    })
}
