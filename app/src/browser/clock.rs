//! Time, luck and new keys.

use crate::save::Key;
use uuid::Uuid;
use wasm_bindgen::JsValue;

/// Milliseconds since the Unix epoch by the computer's clock.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole milliseconds of this age fit exactly; `as` saturates on a clock before 1970"
)]
pub(crate) fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// A random fraction of 2^32.
pub(crate) fn random() -> u32 {
    let [a, b, c, d, ..] = Uuid::new_v4().into_bytes();
    u32::from_be_bytes([a, b, c, d])
}

/// A new key, from `crypto.getRandomValues`, which plain http has too.
pub(crate) fn new_key() -> Key {
    Key::new(Uuid::new_v4())
}

/// Now as `Date.toISOString` writes it: RFC 3339 UTC.
pub(crate) fn now_rfc3339() -> String {
    js_sys::Date::new_0().to_iso_string().into()
}

/// Milliseconds since the Unix epoch of a date in any form the browser reads.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole milliseconds of this age fit exactly; `as` saturates on a date before 1970"
)]
pub(crate) fn read_date(date: &str) -> Option<u64> {
    let ms = js_sys::Date::parse(date);
    (!ms.is_nan()).then_some(ms as u64)
}

/// The time of day in `delay_ms`, in the person's zone.
#[expect(
    clippy::cast_precision_loss,
    reason = "milliseconds of this age fit exactly"
)]
pub(crate) fn time_in(delay_ms: u64) -> String {
    let then = js_sys::Date::new(&JsValue::from_f64((now_ms() + delay_ms) as f64));
    let options = super::dom::object(&[("timeStyle", "short")]);
    then.to_locale_time_string_with_options("en-GB", &options)
        .into()
}

/// How the scripts of the other pages write a time, too.
const TIME: [(&str, &str); 6] = [
    ("day", "numeric"),
    ("month", "short"),
    ("year", "numeric"),
    ("hour", "2-digit"),
    ("minute", "2-digit"),
    ("timeZoneName", "short"),
];

/// An RFC 3339 time in the person's zone, with the zone; as it came when the browser cannot read it.
pub(crate) fn local(rfc3339: &str) -> String {
    let date = js_sys::Date::new(&rfc3339.into());
    if date.get_time().is_nan() {
        return rfc3339.to_owned();
    }
    let options = super::dom::object(&TIME);
    date.to_locale_string("en-GB", &options).into()
}
