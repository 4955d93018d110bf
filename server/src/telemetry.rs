//! Logs: ours as loud as asked for, those of libraries never louder than info.
//!
//! Libraries log statements, headers and paths at debug and trace; a secret could be in any of them. So could it be in
//! the message of a panic, which may quote what it was about; the place and words of ours are logged.

use std::io::{IsTerminal, stderr};
use std::panic::{self, PanicHookInfo};
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

/// The targets of our own events.
const OURS: &str = "oncebin";

/// Starts logging to standard error: for people on a terminal, else JSON, one event a line.
pub fn start(level: Level) {
    let filter = Targets::new()
        .with_default(level.min(Level::INFO))
        // Its info is PostgreSQL's notices, such as that a table of migrations exists.
        .with_target("sqlx", level.min(Level::WARN))
        .with_target(OURS, level);
    let lines = fmt::layer().with_writer(stderr);
    let layer = if stderr().is_terminal() {
        lines.boxed()
    } else {
        lines.json().boxed()
    };
    // The filter is for everything, not the layer's own: of a layer's own filter, sqlx's question whether a notice would
    // be logged leaves a "no" behind, which takes the next event of the same thread.
    tracing_subscriber::registry()
        .with(layer)
        .with(filter)
        .init();
}

/// Logs every panic of the process, and tells `count` of it.
pub fn watch_panics(count: impl Fn() + Send + Sync + 'static) {
    panic::set_hook(Box::new(move |panicked| {
        count();
        log_panic(panicked);
    }));
}

fn log_panic(panicked: &PanicHookInfo<'_>) {
    let place = panicked.location().map(ToString::to_string);
    // A message that is one with the code; a formatted one may hold anything.
    let words = panicked.payload().downcast_ref::<&'static str>();
    tracing::error!(
        place = place.unwrap_or_default(),
        words = words.copied().unwrap_or("not logged"),
        "a panic: this is a bug"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};
    use tracing::field::{Field, Visit};
    use tracing::{Event, Subscriber};
    use tracing_subscriber::layer::Context;

    /// Keeps what is logged in this thread.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<String>>);

    impl<S: Subscriber> Layer<S> for Kept {
        fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
            event.record(&mut self.clone());
        }
    }

    impl Visit for Kept {
        fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
            let mut kept = self.0.lock().unwrap();
            kept.push_str(&format!("{field}={value:?} "));
        }
    }

    /// Another test of this process that panics meanwhile may be counted too.
    #[test]
    fn a_panic_is_counted_and_logged_with_its_place_but_not_with_what_it_quotes() {
        let (count, kept) = (Arc::new(AtomicUsize::new(0)), Kept::default());
        let counting = Arc::clone(&count);
        watch_panics(move || {
            counting.fetch_add(1, Ordering::Relaxed);
        });
        let subscriber = tracing_subscriber::registry().with(kept.clone());
        tracing::subscriber::with_default(subscriber, || {
            let secret = "once_abcdefghijklmnopqrstuvwxyz";
            panic::catch_unwind(|| panic!("a plain bug")).unwrap_err();
            panic::catch_unwind(|| panic!("cannot read {secret}")).unwrap_err();
        });
        drop(panic::take_hook());
        let log = kept.0.lock().unwrap().clone();
        assert!(count.load(Ordering::Relaxed) >= 2);
        assert_eq!(log.matches("telemetry.rs:").count(), 2, "{log}");
        assert!(log.contains("a plain bug") && log.contains("not logged"));
        assert!(!log.contains("once_"), "{log}");
    }
}
