//! The form page: what is typed, what is pressed, and the one calm line.

use super::card::Card;
use super::driver::{Driver, Notice};
use super::messages;
use crate::browser::dom::{self, Element};
use crate::browser::{clock, draft, field, page, storage, tab, timer};
use crate::save::{Entry, Happening, Line, SaveState, Standing};
use crate::wire::paste::CreateRequest;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Typing is kept as a draft when it pauses this long.
const DRAFT_DELAY_MS: u64 = 400;

/// The form and what belongs to it.
#[derive(Clone)]
struct Editor {
    root: Element,
    form: Element,
    line: Element,
    /// A random number: whose draft it is.
    page: u32,
    /// What the machine said last.
    said: Rc<RefCell<String>>,
}

/// Brings the form to life.
pub(super) fn enliven(root: Element) {
    let form = dom::find(&root, "form[data-api]");
    let line = dom::find(&root, "[role=\"status\"]");
    let (Some(form), Some(line)) = (form, line) else {
        return;
    };
    let editor = Editor {
        root,
        form,
        line,
        page: clock::random(),
        said: Rc::default(),
    };
    let on_notice = editor.clone();
    let driver = Driver::new(&editor.address("data-api"), move |driver, notice| {
        on_notice.take(driver, notice);
    });
    editor.resume_all(&driver);
    editor.keep_drafts();
    editor.listen(driver);
}

impl Editor {
    fn address(&self, name: &str) -> String {
        dom::attribute(&self.form, name)
    }

    /// Presses of Save, by button, by Enter in a field, or by Ctrl+Enter anywhere.
    fn listen(self, driver: Rc<Driver>) {
        let form = self.form.clone();
        dom::on(&self.form.clone(), "submit", move |event| {
            dom::prevent_default(&event);
            self.press(&driver);
        });
        dom::on(&form.clone(), "keydown", move |event| {
            if dom::is_save_shortcut(&event) {
                dom::request_submit(&form);
            }
        });
    }

    fn press(&self, driver: &Rc<Driver>) {
        let request = self.read();
        let content_bytes = u64::try_from(request.content.len()).unwrap_or(u64::MAX);
        match self.address("data-max-bytes").parse() {
            Ok(bytes_max) if content_bytes > bytes_max => {
                self.say("refused", &messages::too_large(content_bytes, bytes_max));
            }
            _ => driver.feed(Happening::Press {
                key: clock::new_key(),
                request: Arc::new(request),
            }),
        }
    }

    fn read(&self) -> CreateRequest {
        let given = |name| Some(field::read(&self.form, name)).filter(|value| !value.is_empty());
        CreateRequest {
            content: field::read(&self.form, "content"),
            title: given("title"),
            syntax: given("syntax"),
            expires_in: given("expires_in"),
        }
    }

    /// Puts a text into the form, unless another one is there; tells whether the form has it now.
    fn fill(&self, request: &CreateRequest) -> bool {
        let there = field::read(&self.form, "content");
        if !there.is_empty() {
            return there == request.content;
        }
        let write = |name, value: &Option<String>| {
            field::write(&self.form, name, value.as_deref().unwrap_or_default())
        };
        field::write(&self.form, "content", &request.content);
        write("title", &request.title);
        write("syntax", &request.syntax);
        if request.expires_in.is_some() {
            write("expires_in", &request.expires_in);
        }
        true
    }

    /// Takes up what earlier pages left: this tab's save in the form, others beside it, a draft if the form is empty.
    fn resume_all(&self, driver: &Rc<Driver>) {
        let own = tab::key();
        let (own, others): (Vec<_>, Vec<_>) = storage::entries()
            .into_iter()
            .partition(|entry| Some(entry.key) == own);
        for entry in own {
            self.resume_own(driver, entry);
        }
        for entry in others {
            self.resume_beside(entry);
        }
        if field::read(&self.form, "content").is_empty()
            && let Some(request) = draft::take_over(self.page)
        {
            self.fill(&request);
        }
    }

    fn resume_own(&self, driver: &Rc<Driver>, entry: Entry) {
        let needs_form = match entry.standing(clock::now_ms()) {
            Standing::Resume | Standing::Stale | Standing::Refused => true,
            Standing::Replay | Standing::Reduce(_) => false,
        };
        if needs_form && self.fill(&entry.request) {
            driver.feed(Happening::Found {
                entry,
                in_editor: true,
            });
        } else {
            self.resume_beside(entry);
        }
    }

    /// A save that is not in the form goes on by itself; one that needs the person waits on the page of results.
    fn resume_beside(&self, entry: Entry) {
        match entry.standing(clock::now_ms()) {
            Standing::Reduce(link) => storage::reduce(entry.key, &link),
            Standing::Replay | Standing::Stale | Standing::Refused => {}
            Standing::Resume => {
                let editor = self.clone();
                let driver = Driver::new(&self.address("data-api"), move |_, notice| {
                    if let Notice::Succeeded { .. } = notice {
                        editor.tell_of_earlier();
                    }
                });
                driver.feed(Happening::Found {
                    entry,
                    in_editor: false,
                });
            }
        }
    }

    /// Typing survives a reload: kept when it pauses, and when the page is left.
    fn keep_drafts(&self) {
        let pause = Rc::new(RefCell::new(None));
        let (editor, waiting) = (self.clone(), pause.clone());
        dom::on(&self.form, "input", move |_| {
            let (editor, over) = (editor.clone(), waiting.clone());
            let timer = timer::after(DRAFT_DELAY_MS, move || {
                over.replace(None);
                editor.keep_draft();
            });
            waiting.replace(Some(timer));
        });
        let editor = self.clone();
        page::on_leave(move || {
            if pause.take().is_some() {
                editor.keep_draft();
            }
        });
    }

    fn keep_draft(&self) {
        let request = self.read();
        if request.content.is_empty() {
            draft::drop_own(self.page);
        } else {
            draft::keep(self.page, &request);
        }
    }

    fn take(&self, driver: &Rc<Driver>, notice: Notice<'_>) {
        match notice {
            Notice::DropDraft => draft::drop_own(self.page),
            Notice::Begun(key) => tab::set_key(key),
            Notice::ResultsReady => page::go_to(&self.address("data-saved")),
            Notice::Changed(state) => self.show(state),
            Notice::Succeeded {
                show_here: false, ..
            } => {}
            Notice::Succeeded { key, created, .. } => {
                if let Some(card) = Card::append(&self.root) {
                    let driver = driver.clone();
                    card.show_result(&created, messages::SAVED_HERE, move || {
                        driver.feed(Happening::Forget(key));
                    });
                }
            }
        }
    }

    fn show(&self, state: &SaveState) {
        let line = state.line();
        let mut words = messages::line(&line);
        if state.is_only_here() {
            words.push(' ');
            words.push_str(messages::ONLY_HERE);
        }
        // What did not change is not said again: it would cover what others have said since.
        if self.said.replace(words.clone()) != words {
            self.say(messages::state(&line), &words);
        }
        dom::set(
            &self.form,
            "aria-busy",
            if state.is_unresolved() {
                "true"
            } else {
                "false"
            },
        );
    }

    /// A final word interrupts; any other waits until the person pauses.
    fn say(&self, state: &str, words: &str) {
        let is_final = state == "refused" || state == "stale";
        dom::set(
            &self.line,
            "role",
            if is_final { "alert" } else { "status" },
        );
        dom::set(&self.line, "data-state", state);
        dom::set_text(&self.line, words);
    }

    fn tell_of_earlier(&self) {
        if dom::attribute(&self.line, "data-state") == messages::state(&Line::Idle) {
            self.say("earlier", messages::EARLIER_SAVED);
            dom::append_link(
                &self.line,
                &self.address("data-saved"),
                messages::EARLIER_LINK,
            );
        }
    }
}
