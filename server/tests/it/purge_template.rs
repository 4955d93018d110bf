//! The purge template: what may be in the file, what is said of a wrong one, and that credentials stay in it.

use crate::harness::binary;
use oncebin::cdn::{Purger, Template};
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

const SECRET: &str = "never-show-this";

fn parse(text: &str) -> Result<Template, String> {
    let variable = |name: &str| (name == "TOKEN").then(|| SECRET.to_owned());
    Template::parse(text, variable).map_err(|error| error.to_string())
}

#[test]
fn wrong_templates_are_refused_with_the_line_and_what_to_write() {
    for (text, refusal) in [
        ("", "line 0: no request: write METHOD, a blank and a URL"),
        ("# nothing\n\n", "line 2: no request"),
        ("items = 5\n", "line 1: no request"),
        (
            "items = 0\nPURGE http://a/{url}",
            "line 1: items is a number from 1 to 1000",
        ),
        (
            "items = many\nPURGE http://a/{url}",
            "line 1: items is a number",
        ),
        (
            "pastes = 5\nPURGE http://a/{url}",
            "line 1: pastes is no setting",
        ),
        (
            "answer = yes\nPURGE http://a/{url}",
            "line 1: answer is a JSON object",
        ),
        (
            "answer = [1]\nPURGE http://a/{url}",
            "line 1: answer is a JSON object",
        ),
        ("purge http://a/", "line 1: no request"),
        ("PURGE", "line 1: no request"),
        ("PURGE http://a/ HTTP/1.1", "line 1: no request"),
        ("PURGE http://a/", "line 1: it names no paste"),
        (
            "PURGE a/\nX: {tags_space}",
            "line 1: the URL must begin with http://",
        ),
        (
            "PURGE ftp://a/\nX: {tags_space}",
            "line 1: the URL must begin with http://",
        ),
        ("PURGE http://a/\nX {tags_space}", "line 2: no header"),
        ("PURGE http://a/\nX Y: {tags_space}", "line 2: no header"),
        (
            "PURGE http://a/\nX: {tags}",
            "line 2: {tags} is no placeholder",
        ),
        (
            "PURGE http://a/\nX: {tags_json}",
            "line 1: {tags_json} and {urls_json} belong into the body",
        ),
        (
            "PURGE http://a/\nX: {env:MISSING}\n\n{tags_json}",
            "line 2: the variable MISSING is not set",
        ),
        (
            "PURGE http://a/\nX: {env:ONCEBIN_TOKEN}\n\n{tags_json}",
            "line 2: {env:ONCEBIN_TOKEN}: names that begin with ONCEBIN_",
        ),
        (
            "PURGE http://a/\n\n{\"a\": {env:MISSING}, \"tags\": {tags_json}}",
            "line 3: the variable MISSING is not set",
        ),
        (
            "PURGE {url}\n\n{tags_json}",
            "line 1: purge by tags or by URLs, not both",
        ),
        ("items = 2\nPURGE {url}", "line 2: {url} is one URL"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.starts_with(refusal), "{text:?}: {error}");
        assert!(!error.contains('\n') && !error.contains(SECRET), "{error}");
    }
}

#[test]
fn a_template_shows_where_it_goes_and_no_credential() {
    for (text, shown, pastes_max) in [
        (
            "# by tag\nitems = 7\n\nPOST https://cdn.example/{env:TOKEN}/purge?all={env:TOKEN}\nAuthorization: Bearer {env:TOKEN}\nX-Key: in-the-file\n\n{\"tags\": {tags_json}, \"braces\": {\"{not a word}\": \"{env:TOKEN}\"}}\n",
            "POST https://cdn.example, tags, at most 7 a request",
            7,
        ),
        (
            "PURGE {url}",
            "PURGE https://example.org, URLs, at most 1 a request",
            1,
        ),
        (
            "items = 30\nPOST https://cdn.example/\n\n{urls_json}",
            "POST https://cdn.example, URLs, at most 30 a request",
            7,
        ),
    ] {
        let template = parse(text).unwrap();
        assert_eq!(template.to_string(), shown);
        let debug = format!("{template:?}");
        assert!(
            !debug.contains(SECRET) && !debug.contains("in-the-file"),
            "{debug}"
        );
        let purger = Purger::new(template, "https://paste.example").unwrap();
        assert!(!format!("{purger:?}").contains(SECRET));
        assert_eq!(purger.pastes_max(), pastes_max);
    }
}

#[test]
fn the_examples_are_templates_and_name_the_variables_they_need() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/purge");
    let mut examples = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_none_or(|extension| extension != "purge")
        {
            continue;
        }
        examples += 1;
        let text = fs::read_to_string(&path).unwrap();
        let (head, _) = text.split_once("\n\n").unwrap_or((&text, ""));
        let variable = |name: &str| {
            assert!(head.contains(name), "{path:?} does not say what {name} is");
            Some(SECRET.to_owned())
        };
        Template::parse(&text, variable).unwrap();
        assert!(Template::parse(&text, |_| None).is_err(), "{path:?}");
    }
    assert_eq!(examples, 4);
}

fn config(file: &Path, variable: Option<&str>) -> Output {
    let mut command = binary();
    command.args(["config", "--cdn-purge"]).arg(file);
    command.env_remove("CDN_TOKEN");
    command.envs(variable.map(|value| ("CDN_TOKEN", value)));
    command.output().unwrap()
}

#[test]
fn the_file_is_read_at_start_and_its_credential_comes_from_the_environment() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("cdn.purge");
    let missing = config(&file, None);
    let line = String::from_utf8(missing.stderr).unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        line.starts_with("oncebin: --cdn-purge: ") && line.contains("cdn.purge"),
        "{line}"
    );
    fs::write(
        &file,
        "PURGE http://cdn.example/\nX-Token: {env:CDN_TOKEN}\nKeys: {tags_space}\n",
    )
    .unwrap();
    let unset = String::from_utf8(config(&file, None).stderr).unwrap();
    assert!(
        unset.contains("line 2: the variable CDN_TOKEN is not set"),
        "{unset}"
    );
    let shown = config(&file, Some(SECRET));
    let text = String::from_utf8(shown.stdout).unwrap();
    let expected = "cdn-purge         PURGE http://cdn.example, tags, at most 1 a request\n";
    assert!(text.contains(expected) && !text.contains(SECRET), "{text}");
    let broken = config(&file, Some("two\nlines"));
    let line = String::from_utf8(broken.stderr).unwrap();
    assert!(
        line.contains("the value of x-token cannot be a header's"),
        "{line}"
    );
    assert!(!line.contains("two"), "{line}");
}
