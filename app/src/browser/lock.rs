//! One attempt of a save at a time, over all tabs.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

#[wasm_bindgen]
extern "C" {
    /// `navigator.locks`, which web-sys still counts as unstable.
    type Locks;

    #[wasm_bindgen(method, catch)]
    fn request(
        this: &Locks,
        name: &str,
        options: &JsValue,
        granted: &Function,
    ) -> Result<Promise, JsValue>;
}

/// A lock that is held until this is dropped. The browser frees it, too, when the tab dies.
#[must_use]
pub(crate) struct Held {
    release: Option<Function>,
    _granted: Option<Closure<dyn FnMut() -> Promise>>,
}

impl Drop for Held {
    fn drop(&mut self) {
        resolve(self.release.as_ref());
    }
}

/// Waits until no other tab holds `name`, or until `signal` aborts.
///
/// Plain http has no locks: then nothing is waited for. The key makes double sending harmless; a lock only saves load.
pub(crate) async fn hold(name: &str, signal: &AbortSignal) -> Held {
    let Some(locks) = locks() else {
        return Held {
            release: None,
            _granted: None,
        };
    };
    let (free, release) = promise();
    let (granted, grant) = promise();
    let on_grant = Closure::<dyn FnMut() -> Promise>::new(move || {
        resolve(grant.as_ref());
        free.clone()
    });
    let options = js_sys::Object::new();
    super::dom::put(&options, "signal", signal);
    if let Ok(request) = locks.request(name, &options, on_grant.as_ref().unchecked_ref()) {
        // An aborted request rejects; what follows looks at the signal itself.
        let either = js_sys::Array::of2(&granted, &request);
        let _ = JsFuture::from(Promise::race(&either)).await;
    }
    Held {
        release,
        _granted: Some(on_grant),
    }
}

fn locks() -> Option<Locks> {
    let navigator = web_sys::window()?.navigator();
    let locks = Reflect::get(&navigator, &JsValue::from_str("locks")).ok()?;
    locks.is_object().then(|| locks.unchecked_into())
}

fn resolve(resolver: Option<&Function>) {
    if let Some(resolver) = resolver {
        // Resolving a promise never throws.
        let _ = resolver.call0(&JsValue::NULL);
    }
}

/// A promise and the function that resolves it.
fn promise() -> (Promise, Option<Function>) {
    let mut resolver = None;
    let promise = Promise::new(&mut |resolve, _| resolver = Some(resolve));
    (promise, resolver)
}
