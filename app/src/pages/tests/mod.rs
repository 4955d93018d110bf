//! The pages, read back by a strict reader: nothing but our own markup comes out, and every text comes out whole.

mod colours;
mod escaping;
mod markup;
mod paste_page;
mod problems;
mod structure;

use super::reference::{Answer, Call, Field, Group, Reference, Sample, Shape};
use super::{AssetNames, ClientNames, FormValues, Rendered, Site};
use crate::wire::created::Created;
use crate::wire::paste::Metadata;
use crate::wire::problem::{Code, Problem};
use markup::Document;

/// A site with the usual limits at the root of its host.
pub(super) fn site() -> Site {
    Site {
        base_path: String::new(),
        base_url: "https://paste.example".into(),
        assets: AssetNames {
            style: "/pkg/main-abc.css".into(),
            mine: "/pkg/mine-abc.js".into(),
            view: "/pkg/view-abc.js".into(),
            client: Some(ClientNames {
                start: "/pkg/start-abc.js".into(),
                glue: "/pkg/app-abc.js".into(),
                wasm: "/pkg/app-abc.wasm".into(),
            }),
        },
        report_contact: Some("abuse@paste.example".into()),
        paste_bytes_max: 10 * 1024 * 1024,
        default_expiry_seconds: 30 * 86_400,
        expiry_seconds_max: 365 * 86_400,
    }
}

/// Every value a page can show, in one place.
#[derive(Clone, Debug)]
struct Values {
    form: FormValues,
    problem: Problem,
    created: Created,
    metadata: Metadata,
    reference: Reference,
    text: String,
}

impl Values {
    /// Values that all say `word`, but for the text of the paste.
    fn all(word: &str, text: &str) -> Self {
        let word = || word.to_owned();
        let mut problem = Problem::new(Code::InvalidTitle, word());
        problem.title = word();
        Self {
            form: FormValues {
                idempotency_key: word(),
                content: text.to_owned(),
                title: word(),
                syntax: word(),
                expires_in: word(),
            },
            problem,
            created: Created {
                id: word(),
                url: word(),
                created_at: word(),
                expires_at: word(),
                size: 1,
                sha256: word(),
                delete_token: word(),
            },
            metadata: Metadata {
                id: word(),
                url: word(),
                title: Some(word()),
                syntax: Some(word()),
                size: 1,
                sha256: word(),
                created_at: word(),
                expires_at: word(),
            },
            reference: reference(&word()),
            text: text.to_owned(),
        }
    }

    /// Every page with these values.
    fn pages(&self, site: &Site) -> Vec<String> {
        vec![
            super::form(site, &self.form, None),
            super::form(site, &self.form, Some(&self.problem)),
            super::result(site, &self.created),
            super::saved(site),
            super::mine(site),
            super::paste(site, &self.metadata, &self.text),
            super::markdown(site, &self.metadata, rendered()),
            super::deleted(site),
            super::problem(site, &self.problem),
            super::reference(site, &self.reference),
        ]
    }

    fn documents(&self, site: &Site) -> Vec<Document> {
        let pages = self.pages(site);
        pages.iter().map(|page| Document::read(page)).collect()
    }
}

/// A reference that says `word` wherever it says something, without the marks that are tested beside them.
fn reference(word: &str) -> Reference {
    let word = || word.replace(['\n', '`', '*'], " ");
    let field = || Field {
        name: word(),
        kind: word(),
        words: word(),
    };
    let call = Call {
        anchor: "call".into(),
        method: word(),
        path: word(),
        summary: word(),
        words: word(),
        parameters: vec![field()],
        bodies: vec![field()],
        answers: vec![Answer {
            status: word(),
            words: word(),
            media_types: vec![word()],
            headers: vec![word()],
        }],
        samples: vec![Sample {
            label: word(),
            lines: word(),
        }],
    };
    Reference {
        introduction: word(),
        groups: vec![Group {
            name: word(),
            words: word(),
            calls: vec![call],
        }],
        shapes: vec![Shape {
            name: "Shape".into(),
            words: word(),
            fields: vec![field()],
        }],
        headers: vec![field()],
    }
}

/// Markdown that has been made into HTML.
fn rendered() -> Rendered {
    Rendered {
        html: "<p>x</p>".into(),
        cut_at_bytes: Some(262_144),
        reordered: true,
    }
}
