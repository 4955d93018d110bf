//! The purge template: a file with a request as HTTP writes it, and before it how many pastes go into one.
//!
//! ```text
//! # By tag, up to a hundred a request.
//! items = 100
//! answer = {"success": true}
//!
//! POST https://cdn.example/zones/17/purge
//! Authorization: Bearer {env:CDN_TOKEN}
//! Content-Type: application/json
//!
//! {"tags": {tags_json}}
//! ```

use super::pieces::{Items, Text};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use serde_json::{Map, Value};
use std::fmt;

/// The most items of a request.
const ITEMS_MAX: usize = 1000;

/// What stands in for items while a template is checked.
const SAMPLE: &str = "https://example.org/2wABCDEFGHIJKL";

/// A purge request with places for what is purged. Shown, it shows where it goes and no credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    method: Method,
    url: Text,
    headers: Vec<(HeaderName, Text)>,
    body: Text,
    items_max: usize,
    are_urls: bool,
    answer: Map<String, Value>,
    /// Scheme and host, for people.
    origin: String,
}

/// A template is wrong. One clear line, without what a variable holds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct TemplateError {
    line: usize,
    why: String,
}

/// A request that is ready to be sent.
pub(super) struct Filled {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
}

impl Template {
    /// Reads a template. Variables are asked for by name.
    ///
    /// # Errors
    /// [`TemplateError`] naming the line.
    pub fn parse(
        text: &str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, TemplateError> {
        let mut lines = Lines::of(text);
        let mut settings = Settings::default();
        let request = loop {
            let (line, text) = lines.next_said().ok_or(TemplateError {
                line: lines.line,
                why: "no request: write METHOD, a blank and a URL".into(),
            })?;
            match settings.read(text).map_err(at(line))? {
                true => {}
                false => break (line, text),
            }
        };
        let (request_line, (method, url)) =
            (request.0, method_and_url(request.1).map_err(at(request.0))?);
        let parse = |text: &str| Text::parse(text, &variable);
        let url = parse(url).map_err(at(request_line))?;
        let mut headers = Vec::new();
        while let Some((line, text)) = lines.next_header() {
            headers.push(header(text, parse).map_err(at(line))?);
        }
        let body_line = lines.line + 1;
        let body = parse(lines.rest().trim_end()).map_err(at(body_line))?;
        let mut template = Self {
            method,
            url,
            headers,
            body,
            items_max: 1,
            are_urls: false,
            answer: settings.answer,
            origin: String::new(),
        };
        template.check(settings.items).map_err(at(request_line))?;
        Ok(template)
    }

    /// Judges what takes the whole: which items, how many, and whether the request can be written.
    fn check(&mut self, items: Option<usize>) -> Result<(), String> {
        let outside = self.headers.iter().map(|(_, text)| text);
        let outside: Vec<_> = outside.chain([&self.url]).flat_map(Text::items).collect();
        let all: Vec<_> = self.body.items().chain(outside.iter().copied()).collect();
        let Some(first) = all.first() else {
            return Err(
                "it names no paste: use {tags_json}, {tags_space}, {urls_json} or {url}".into(),
            );
        };
        if all.iter().any(|items| items.are_urls() != first.are_urls()) {
            return Err("purge by tags or by URLs, not both".into());
        }
        if outside.iter().any(|items| items.are_json()) {
            return Err("{tags_json} and {urls_json} belong into the body".into());
        }
        self.are_urls = first.are_urls();
        self.items_max = items.unwrap_or(1);
        if self.items_max > 1 && all.contains(&Items::Url) {
            return Err("{url} is one URL: leave items out, or use {urls_json}".into());
        }
        let sample = self.fill(&[SAMPLE])?;
        self.origin = sample.url.origin().ascii_serialization();
        Ok(())
    }

    /// The request for these items.
    ///
    /// # Errors
    /// They do not fit into a URL or a header; without their text, which may stand beside a credential.
    pub(super) fn fill(&self, items: &[&str]) -> Result<Filled, String> {
        let url = Url::parse(&self.url.fill(items)).ok();
        let url = url.filter(|url| url.has_host() && ["http", "https"].contains(&url.scheme()));
        let mut headers = HeaderMap::new();
        for (name, text) in &self.headers {
            let value = HeaderValue::from_str(&text.fill(items));
            let mut value =
                value.map_err(|_| format!("the value of {name} cannot be a header's"))?;
            value.set_sensitive(true);
            headers.append(name, value);
        }
        Ok(Filled {
            method: self.method.clone(),
            url: url.ok_or("the URL must begin with http:// or https:// and a host")?,
            headers,
            body: self.body.fill(items),
        })
    }

    /// The most items of one request.
    pub(super) fn items_max(&self) -> usize {
        self.items_max
    }

    /// Whether items are URLs, not tags.
    pub(super) fn are_urls(&self) -> bool {
        self.are_urls
    }

    /// Members that the JSON of the answer must have.
    pub(super) fn answer(&self) -> &Map<String, Value> {
        &self.answer
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.are_urls { "URLs" } else { "tags" };
        let Self {
            method,
            origin,
            items_max,
            ..
        } = self;
        write!(
            f,
            "{method} {origin}, {what}, at most {items_max} a request"
        )
    }
}

/// The lines before the request.
#[derive(Default)]
struct Settings {
    items: Option<usize>,
    answer: Map<String, Value>,
}

impl Settings {
    /// Whether the line is a setting.
    fn read(&mut self, line: &str) -> Result<bool, String> {
        let Some((name, value)) = line.split_once('=') else {
            return Ok(false);
        };
        match (name.trim(), value.trim()) {
            ("items", value) => {
                let items = value
                    .parse()
                    .ok()
                    .filter(|items| (1..=ITEMS_MAX).contains(items));
                self.items = Some(items.ok_or(format!("items is a number from 1 to {ITEMS_MAX}"))?);
            }
            ("answer", value) => {
                let answer = serde_json::from_str(value);
                self.answer =
                    answer.map_err(|_| "answer is a JSON object, such as {\"success\": true}")?;
            }
            (name, _) if name.contains(char::is_whitespace) => return Ok(false),
            (name, _) => return Err(format!("{name} is no setting; there are items and answer")),
        }
        Ok(true)
    }
}

fn method_and_url(line: &str) -> Result<(Method, &str), String> {
    let (method, url) = line.split_once(' ').unwrap_or((line, ""));
    let is_method = !method.is_empty() && method.chars().all(|c| c.is_ascii_uppercase());
    let url = url.trim();
    match Method::from_bytes(method.as_bytes()) {
        Ok(method) if is_method && !url.is_empty() && !url.contains(char::is_whitespace) => {
            Ok((method, url))
        }
        _ => Err("no request: write METHOD, a blank and a URL".into()),
    }
}

fn header(
    line: &str,
    parse: impl Fn(&str) -> Result<Text, String>,
) -> Result<(HeaderName, Text), String> {
    let wrong = "no header: write NAME: VALUE; an empty line is before the body";
    let (name, value) = line.split_once(':').ok_or(wrong)?;
    let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong)?;
    Ok((name, parse(value.trim())?))
}

fn at(line: usize) -> impl Fn(String) -> TemplateError {
    move |why| TemplateError { line, why }
}

/// Lines with their numbers.
struct Lines<'t> {
    left: &'t str,
    /// The number of the line that was read last.
    line: usize,
}

impl<'t> Lines<'t> {
    fn of(left: &'t str) -> Self {
        Self { left, line: 0 }
    }

    fn next(&mut self) -> Option<&'t str> {
        if self.left.is_empty() {
            return None;
        }
        let (line, left) = self.left.split_once('\n').unwrap_or((self.left, ""));
        self.left = left;
        self.line += 1;
        Some(line.trim())
    }

    /// The next line that is neither empty nor a comment.
    fn next_said(&mut self) -> Option<(usize, &'t str)> {
        loop {
            let line = self.next()?;
            if !line.is_empty() && !line.starts_with('#') {
                return Some((self.line, line));
            }
        }
    }

    /// The next line before an empty one that is no comment.
    fn next_header(&mut self) -> Option<(usize, &'t str)> {
        loop {
            let line = self.next().filter(|line| !line.is_empty())?;
            if !line.starts_with('#') {
                return Some((self.line, line));
            }
        }
    }

    fn rest(&self) -> &'t str {
        self.left
    }
}
