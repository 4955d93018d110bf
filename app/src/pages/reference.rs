//! The reference of the API, made from its description. Words in it are plain, with `code` and **weight** as marks.

use super::document::{Head, document};
use super::marked::{marked, paragraphs};
use super::site::Site;
use crate::wire::problem::Code;
use leptos::prelude::*;

/// Everything the page says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    /// What is true of all calls.
    pub introduction: String,
    /// The calls, in groups.
    pub groups: Vec<Group>,
    /// What bodies in JSON and forms hold.
    pub shapes: Vec<Shape>,
    /// What every header says.
    pub headers: Vec<Field>,
}

/// Calls that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// A word.
    pub name: String,
    /// What they are for.
    pub words: String,
    /// The calls.
    pub calls: Vec<Call>,
}

/// One method of one path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// Where a link leads: no blanks.
    pub anchor: String,
    /// As in `GET`.
    pub method: String,
    /// As in `/{id}`.
    pub path: String,
    /// What it does, in a few words.
    pub summary: String,
    /// The same at length.
    pub words: String,
    /// Parameters of path, query string and header.
    pub parameters: Vec<Field>,
    /// Kinds of body, each with the shape it has.
    pub bodies: Vec<Field>,
    /// What may come back.
    pub answers: Vec<Answer>,
    /// Lines for a shell.
    pub samples: Vec<Sample>,
}

/// A parameter, a member, a header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Where it stands, or what it is: `query`, `required`.
    pub kind: String,
    /// What it says.
    pub words: String,
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// As in `201`.
    pub status: String,
    /// When it comes.
    pub words: String,
    /// What the body can be.
    pub media_types: Vec<String>,
    /// Headers that not every answer has.
    pub headers: Vec<String>,
}

/// Lines for a shell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// What they do.
    pub label: String,
    /// The lines.
    pub lines: String,
}

/// What a body holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The name that calls use for it.
    pub name: String,
    /// What it is.
    pub words: String,
    /// Its members.
    pub fields: Vec<Field>,
}

/// The page.
#[must_use]
pub fn reference(site: &Site, reference: &Reference) -> String {
    let head = Head {
        title: "API",
        listed: false,
        islands: false,
        links_to_form: true,
    };
    document(site, &head, || {
        view! {
            <main class="reference">
                <h1>"The API"</h1>
                {paragraphs(&reference.introduction)}
                <p>
                    "The same for programs: " <a href=site.path("/api/openapi.json")>"openapi.json"</a> "."
                </p>
                {contents(reference)}
                {reference.groups.iter().map(group).collect_view()}
                <h2 id="shapes">"What bodies hold"</h2>
                {reference.shapes.iter().map(shape).collect_view()}
                <h2 id="problems">"Problems"</h2>
                <dl class="fields">{Code::ALL.map(problem).collect_view()}</dl>
                <h2 id="headers">"Headers of answers"</h2>
                {fields(&reference.headers)}
            </main>
        }
    })
}

fn contents(reference: &Reference) -> impl IntoView + use<> {
    let calls = reference.groups.iter().flat_map(|group| &group.calls);
    let links = calls
        .map(|call| {
            let name = format!("{} {}", call.method, call.path);
            view! { <li><a href=format!("#{}", call.anchor)>{name}</a></li> }
        })
        .collect_view();
    view! {
        <nav aria-label="Contents">
            <ul class="contents">
                {links} <li><a href="#shapes">"What bodies hold"</a></li>
                <li><a href="#problems">"Problems"</a></li>
                <li><a href="#headers">"Headers"</a></li>
            </ul>
        </nav>
    }
}

fn group(group: &Group) -> impl IntoView + use<> {
    view! {
        <h2>{group.name.clone()}</h2>
        {paragraphs(&group.words)}
        {group.calls.iter().map(call).collect_view()}
    }
}

fn call(call: &Call) -> impl IntoView + use<> {
    let heading = format!("{} {}", call.method, call.path);
    let name = heading.clone();
    view! {
        <section class="call" id=call.anchor.clone() aria-label=name>
            <h3>
                <code>{heading}</code>
            </h3>
            <p>
                <strong>{call.summary.clone()}</strong>
            </p>
            {paragraphs(&call.words)}
            {titled("Parameters", &call.parameters)}
            {titled("Body", &call.bodies)}
            <h4>"Answers"</h4>
            <dl class="fields">{call.answers.iter().map(answer).collect_view()}</dl>
            {call.samples.iter().map(sample).collect_view()}
        </section>
    }
}

fn titled(title: &'static str, list: &[Field]) -> Option<impl IntoView + use<>> {
    (!list.is_empty()).then(|| view! { <h4>{title}</h4> {fields(list)} })
}

fn fields(fields: &[Field]) -> impl IntoView + use<> {
    let rows = fields.iter().map(|field| {
        let kind = field.kind.clone();
        view! {
            <dt>
                <code>{field.name.clone()}</code>
                {(!kind.is_empty()).then(|| view! { <span>{kind}</span> })}
            </dt>
            <dd>{marked(&field.words)}</dd>
        }
    });
    view! { <dl class="fields">{rows.collect_view()}</dl> }
}

fn answer(answer: &Answer) -> impl IntoView + use<> {
    let body = answer.media_types.join(", ");
    let headers = answer.headers.join(", ");
    view! {
        <dt>
            <code>{answer.status.clone()}</code>
            {(!body.is_empty()).then(|| view! { <span>{body}</span> })}
        </dt>
        <dd>
            {paragraphs(&answer.words)}
            {(!headers.is_empty()).then(|| view! { <p class="fine">{headers}</p> })}
        </dd>
    }
}

fn sample(sample: &Sample) -> impl IntoView + use<> {
    view! {
        <h4>{sample.label.clone()}</h4>
        <pre class="sample" tabindex="0">
            <code>{sample.lines.clone()}</code>
        </pre>
    }
}

fn shape(shape: &Shape) -> impl IntoView + use<> {
    view! {
        <section class="call" id=format!("shape-{}", shape.name) aria-label=shape.name.clone()>
            <h3>
                <code>{shape.name.clone()}</code>
            </h3>
            {paragraphs(&shape.words)}
            {fields(&shape.fields)}
        </section>
    }
}

fn problem(code: Code) -> impl IntoView + use<> {
    let retry = if code.retryable() {
        " Send the same again, with the same key."
    } else {
        ""
    };
    let kind = code.status().to_string();
    view! {
        <dt>
            <code>{code.as_str()}</code>
            <span>{kind}</span>
        </dt>
        <dd>{format!("{}.{retry}", code.title())}</dd>
    }
}
