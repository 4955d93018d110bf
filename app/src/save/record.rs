//! The stored form: one flat, versioned JSON object for a save, for a link and for a draft alike.

use super::entry::{Entry, Link, Outcome};
use super::json::Json;
use super::key::Key;
use crate::wire::created::Created;
use crate::wire::paste::CreateRequest;
use serde::Serialize;
use std::borrow::Cow;
use std::sync::Arc;

/// The version written and the only one read. A record of another version is left alone.
const VERSION: u64 = 1;

/// A string that may be absent.
type Text<'a> = Option<Cow<'a, str>>;

/// What is stored under one name. Only that of a listed paste ever holds a delete token, when the person keeps it.
#[derive(Default, Serialize)]
pub struct Record<'a> {
    v: Option<u64>,
    key: Text<'a>,
    content: Text<'a>,
    title: Text<'a>,
    syntax: Text<'a>,
    expires_in: Text<'a>,
    age_ms: Option<u64>,
    seen_ms: Option<u64>,
    id: Text<'a>,
    url: Text<'a>,
    expires_at: Text<'a>,
    refused_status: Option<u64>,
    refused_detail: Text<'a>,
    shown: Option<u64>,
    page: Option<u64>,
    created_at: Text<'a>,
    /// The last one: by the end of a line it is seen whether it is there.
    delete_token: Text<'a>,
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Record")
    }
}

fn text(text: &str) -> Text<'_> {
    Some(Cow::Borrowed(text))
}

impl<'a> Record<'a> {
    /// The record of a save.
    #[must_use]
    pub fn of_entry(entry: &'a Entry) -> Self {
        let mut record = Self::of_request(&entry.request);
        record.key = text(entry.key.as_str());
        record.age_ms = Some(entry.age_ms);
        record.seen_ms = Some(entry.seen_ms);
        record.shown = Some(u64::from(entry.is_shown));
        match &entry.outcome {
            Outcome::Pending => {}
            Outcome::Saved(link) => record.set_link(link),
            Outcome::Refused { status, detail } => {
                record.refused_status = Some(u64::from(*status));
                record.refused_detail = text(detail);
            }
        }
        record
    }

    /// The record of a link that outlives its save.
    #[must_use]
    pub fn of_link(link: &'a Link) -> Self {
        let mut record = Self {
            v: Some(VERSION),
            ..Self::default()
        };
        record.set_link(link);
        record
    }

    /// The record of a paste on the person's list; with its token, if they keep it.
    #[must_use]
    pub fn of_listed(created: &'a Created, title: Option<&'a str>, keep_token: bool) -> Self {
        Self {
            v: Some(VERSION),
            id: text(&created.id),
            url: text(&created.url),
            title: title.and_then(text),
            created_at: text(&created.created_at),
            expires_at: text(&created.expires_at),
            delete_token: keep_token.then_some(Cow::Borrowed(&*created.delete_token)),
            ..Self::default()
        }
    }

    /// The record of a draft, of the page that wrote it, and of when it did.
    #[must_use]
    pub fn of_draft(request: &'a CreateRequest, page: u32, now_ms: u64) -> Self {
        Self {
            page: Some(u64::from(page)),
            seen_ms: Some(now_ms),
            ..Self::of_request(request)
        }
    }

    fn of_request(request: &'a CreateRequest) -> Self {
        Self {
            v: Some(VERSION),
            content: text(&request.content),
            title: request.title.as_deref().and_then(text),
            syntax: request.syntax.as_deref().and_then(text),
            expires_in: request.expires_in.as_deref().and_then(text),
            ..Self::default()
        }
    }

    fn set_link(&mut self, link: &'a Link) {
        self.id = text(&link.id);
        self.url = text(&link.url);
        self.expires_at = text(&link.expires_at);
    }
}

impl Record<'static> {
    /// What is stored as `text`; none when that is not JSON.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut json = Json::read(text)?;
        Some(Self {
            v: json.number("v"),
            age_ms: json.number("age_ms"),
            seen_ms: json.number("seen_ms"),
            refused_status: json.number("refused_status"),
            page: json.number("page"),
            shown: json.number("shown"),
            key: json.text("key").map(Cow::Owned),
            content: json.text("content").map(Cow::Owned),
            title: json.text("title").map(Cow::Owned),
            syntax: json.text("syntax").map(Cow::Owned),
            expires_in: json.text("expires_in").map(Cow::Owned),
            id: json.text("id").map(Cow::Owned),
            url: json.text("url").map(Cow::Owned),
            expires_at: json.text("expires_at").map(Cow::Owned),
            refused_detail: json.text("refused_detail").map(Cow::Owned),
            // Written here and read by `app/mine.js`.
            created_at: None,
            delete_token: None,
        })
    }
}

impl Record<'_> {
    /// The save that is stored as `text`. One function for all who ask: records are large, and to move them about is a
    /// good deal of the client.
    #[must_use]
    #[inline(never)]
    pub fn entry(text: &str) -> Option<Entry> {
        Record::read(text)?.into_entry()
    }

    /// The save; none when the record is of something else, of another version, or broken.
    #[must_use]
    pub fn into_entry(mut self) -> Option<Entry> {
        let key: Key = self.key.take()?.parse().ok()?;
        let (age_ms, seen_ms) = (self.age_ms?, self.seen_ms?);
        let outcome = self.take_outcome()?;
        // One that was written before there was such a mark counts as not shown.
        let is_shown = self.shown == Some(1);
        let request = Arc::new(self.into_request()?);
        Some(Entry {
            key,
            request,
            age_ms,
            seen_ms,
            outcome,
            is_shown,
        })
    }

    /// The link; none as above.
    #[must_use]
    pub fn into_link(mut self) -> Option<Link> {
        self.check_version()?;
        self.take_link()
    }

    /// The draft and the page that wrote it; none as above.
    #[must_use]
    pub fn into_draft(self) -> Option<(CreateRequest, u32)> {
        let page = u32::try_from(self.page?).ok()?;
        Some((self.into_request()?, page))
    }

    /// When it was written, as far as clocks told.
    #[must_use]
    pub fn seen_ms(&self) -> Option<u64> {
        self.seen_ms
    }

    fn check_version(&self) -> Option<()> {
        (self.v == Some(VERSION)).then_some(())
    }

    fn into_request(self) -> Option<CreateRequest> {
        self.check_version()?;
        Some(CreateRequest {
            content: self.content?.into_owned(),
            title: self.title.map(Cow::into_owned),
            syntax: self.syntax.map(Cow::into_owned),
            expires_in: self.expires_in.map(Cow::into_owned),
        })
    }

    fn take_outcome(&mut self) -> Option<Outcome> {
        if let Some(status) = self.refused_status {
            let status = u16::try_from(status).ok()?;
            let detail = self.refused_detail.take()?.into_owned();
            return Some(Outcome::Refused { status, detail });
        }
        Some(self.take_link().map_or(Outcome::Pending, Outcome::Saved))
    }

    fn take_link(&mut self) -> Option<Link> {
        Some(Link {
            id: self.id.take()?.into_owned(),
            url: self.url.take()?.into_owned(),
            expires_at: self.expires_at.take()?.into_owned(),
        })
    }
}
