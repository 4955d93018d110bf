//! What stands on which page.

use super::markup::{Document, Piece};
use super::{Values, site};
use crate::pages::{
    AssetNames, FormValues, Site, deleted, form, mine, paste, problem, result, saved,
};

const STYLE: &str = include_str!("../../../../style/main.css");

fn values() -> Values {
    let mut values = Values::all("x", "one\ntwo\n");
    values.metadata.id = "2wKd93hXq0ZbTy".into();
    values.created.id = "2wKd93hXq0ZbTy".into();
    values.created.delete_token = "once_abcdefghijklmnopqrstuvwxyz".into();
    values
}

fn under_a_path() -> Site {
    Site {
        base_path: "/paste".into(),
        base_url: "https://example.org/paste".into(),
        ..site()
    }
}

#[test]
fn no_page_has_a_script_or_a_style_of_its_own() {
    for page in values().documents(&site()) {
        assert!(page.values("style").is_empty());
        for piece in &page.0 {
            if let Piece::Open(name, attributes) = piece {
                assert_ne!(name, "style");
                assert!(!attributes.iter().any(|(name, _)| name.starts_with("on")));
            }
        }
        assert_eq!(page.text_of("script"), "");
    }
}

#[test]
fn only_pages_with_islands_load_the_client() {
    let loads = |page: String| page.contains("/pkg/start-abc.js");
    let values = values();
    assert!(loads(form(&site(), &values.form, None)));
    assert!(loads(saved(&site())));
    assert!(!loads(mine(&site())));
    assert!(!loads(paste(&site(), &values.metadata, "x")));
    assert!(!loads(result(&site(), &values.created)));
    assert!(!loads(deleted(&site())));
    assert!(!loads(problem(&site(), &values.problem)));
}

#[test]
fn without_a_client_no_page_has_a_script_but_its_own() {
    let assets = AssetNames {
        client: None,
        ..site().assets
    };
    let site = Site { assets, ..site() };
    for page in values().pages(&site) {
        assert!(!page.contains("preload"));
        let scripts = page.matches("<script").count();
        let own = ["view", "mine"].map(|name| {
            let script = format!("<script type=\"module\" src=\"/pkg/{name}-abc.js\">");
            page.matches(&script).count()
        });
        let is_paste = page.contains(" data-digits=");
        let is_mine = page.contains("id=\"mine\"");
        assert_eq!(own, [usize::from(is_paste), usize::from(is_mine)]);
        assert_eq!(scripts, own.into_iter().sum::<usize>());
    }
}

#[test]
fn every_address_stays_under_the_base_path() {
    for page in values().documents(&under_a_path()) {
        for attribute in [
            "href",
            "src",
            "action",
            "data-api",
            "data-saved",
            "data-raw",
        ] {
            for address in page.values(attribute) {
                let inside = ["/paste/", "#", "data:", "mailto:", "x"];
                assert!(
                    inside.iter().any(|start| address.starts_with(start)),
                    "{address}"
                );
            }
        }
    }
}

#[test]
fn the_form_tells_the_client_where_to_save() {
    let page = Document::read(&form(&under_a_path(), &FormValues::default(), None));
    let of_form = |attribute| page.value_beside(("enctype", "multipart/form-data"), attribute);
    assert_eq!(of_form("method"), Some("post"));
    assert_eq!(of_form("action"), Some("/paste/"));
    assert_eq!(of_form("data-api"), Some("/paste/api/pastes"));
    assert_eq!(of_form("data-saved"), Some("/paste/saved"));
    assert_eq!(of_form("data-max-bytes"), Some("10485760"));
    let names = page.values("name");
    for field in [
        "idempotency_key",
        "content",
        "title",
        "syntax",
        "expires_in",
    ] {
        assert!(names.contains(&field), "{field}");
    }
    assert_eq!(
        page.value_beside(("role", "status"), "data-state"),
        Some("idle")
    );
}

#[test]
fn the_recipe_is_the_contract_s() {
    let page = Document::read(&form(&under_a_path(), &FormValues::default(), None));
    let recipe = "KEY=$(uuidgen); curl --data-binary @file -H \"Idempotency-Key: $KEY\" https://example.org/paste/api/pastes";
    assert!(page.text_of("code").starts_with(recipe));
}

#[test]
fn only_the_result_shows_the_token() {
    let values = values();
    let shows = |page: &String| page.contains(&values.created.delete_token);
    let pages = values.pages(&site());
    assert_eq!(pages.iter().filter(|page| shows(page)).count(), 1);
    let page = Document::read(&result(&site(), &values.created));
    assert_eq!(page.text_of("code"), values.created.delete_token);
    assert_eq!(page.values("action"), ["/2wKd93hXq0ZbTy/delete"]);
}

#[test]
fn a_paste_is_not_listed_and_the_form_is() {
    let robots = |page: String| {
        Document::read(&page)
            .value_beside(("name", "robots"), "content")
            .map(str::to_owned)
    };
    assert_eq!(
        robots(paste(&site(), &values().metadata, "x")).as_deref(),
        Some("noindex")
    );
    assert_eq!(robots(form(&site(), &values().form, None)), None);
}

#[test]
fn a_paste_without_a_title_is_named_by_its_id() {
    let mut metadata = values().metadata;
    for title in [None, Some(String::new())] {
        metadata.title = title;
        let page = Document::read(&paste(&site(), &metadata, "x"));
        assert_eq!(page.text_of("title"), "2wKd93hXq0ZbTy – oncebin");
        assert_eq!(page.text_of("h1"), "2wKd93hXq0ZbTy");
    }
}

#[test]
fn a_paste_links_to_its_raw_text_its_download_and_the_form() {
    let page = paste(&site(), &values().metadata, "x");
    let links = Document::read(&page);
    for href in [
        "/2wKd93hXq0ZbTy/raw",
        "/2wKd93hXq0ZbTy/download",
        "/",
        "#L1",
    ] {
        assert!(links.values("href").contains(&href), "{href}");
    }
    assert_eq!(links.values("action"), ["/2wKd93hXq0ZbTy/delete"]);
    assert_eq!(
        links.value_beside(("name", "delete_token"), "type"),
        Some("password")
    );
}

#[test]
fn a_text_too_long_for_a_page_says_where_the_rest_is() {
    let rest = |text: &str| {
        paste(&site(), &values().metadata, text).contains("There is more of this text")
    };
    assert!(rest(&"x\n".repeat(20_001)));
    assert!(!rest(&"x\n".repeat(20_000)));
    assert!(rest(&"x".repeat(70_000)));
}

#[test]
fn the_contact_is_shown_as_what_it_is() {
    let shown = |contact: Option<&str>| {
        let site = Site {
            report_contact: contact.map(str::to_owned),
            ..site()
        };
        let page = paste(&site, &values().metadata, "x");
        let lines = page.split("<p class=\"fine\">").skip(1);
        let mut lines = lines.map(|line| line.split_once("</p>").unwrap().0.to_owned());
        lines.find(|line| line.contains("Report this paste"))
    };
    let link = |href: &str| Some(format!("<a href=\"{href}\">Report this paste</a>"));
    assert_eq!(
        shown(Some("a@b.example")),
        link("mailto:a@b.example?subject=Paste%202wKd93hXq0ZbTy")
    );
    assert_eq!(
        shown(Some("https://b.example/abuse")),
        link("https://b.example/abuse")
    );
    assert_eq!(
        shown(Some("room 4")).as_deref(),
        Some("Report this paste: room 4")
    );
    assert_eq!(
        shown(Some("javascript:x@b")).as_deref(),
        Some("Report this paste: javascript:x@b")
    );
    assert_eq!(shown(None), None);
}

#[test]
fn a_short_paste_and_its_style_are_light_even_uncompressed() {
    let page = paste(&site(), &values().metadata, "hello\n");
    assert!(STYLE.len() < 20_000, "{}", STYLE.len());
    assert!(page.len() < 5_000, "{}", page.len());
}
