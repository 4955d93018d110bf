//! Which of our modules and of our libraries are used where.

/// A path that may be mentioned below these places only, and nowhere else.
pub(super) const ONLY_IN: &[(&str, &[&str])] = &[
    ("axum", &["server/src/http/", "server/src/service/mod.rs"]),
    ("hyper", &["server/src/http/"]),
    ("hyper_util", &["server/src/http/"]),
    ("http_body", &["server/src/http/"]),
    ("http_body_util", &["server/src/http/"]),
    ("tower", &["server/src/http/"]),
    ("headers", &["server/src/http/"]),
    ("multer", &["server/src/http/"]),
    ("governor", &["server/src/http/"]),
    ("reqwest", &["server/src/cdn/", "server/src/cli/"]),
    ("ammonia", &["server/src/markdown/"]),
    ("pulldown_cmark", &["server/src/markdown/"]),
    ("qrcodegen", &["server/src/qr.rs"]),
    ("sqlx", &["server/src/store/"]),
    (
        "moka",
        &[
            "server/src/cache/",
            "server/src/http/page_cache.rs",
            "server/src/render/",
        ],
    ),
    ("object_store", &["server/src/blob/"]),
    ("utoipa", &["server/src/http/openapi/", "app/src/wire/"]),
    ("prometheus", &["server/src/metrics/"]),
    ("std::env", &["server/src/config/"]),
    (
        "clap",
        &[
            "server/src/cli/",
            "server/src/config/",
            "server/src/main.rs",
        ],
    ),
    ("clap_complete", &["server/src/cli/", "server/src/config/"]),
    ("clap_mangen", &["server/src/cli/"]),
    ("indicatif", &["server/src/cli/"]),
    ("listenfd", &["server/src/config/"]),
    ("app::pages", &["server/src/http/"]),
    ("syntect", &["server/src/render/"]),
    ("flate2", &["server/src/http/"]),
    (
        "web_sys",
        &[
            "app/src/browser/",
            "app/src/components/save_form.rs",
            "app/src/components/saved.rs",
        ],
    ),
    ("js_sys", &["app/src/browser/"]),
    ("gloo_storage", &["app/src/browser/"]),
    ("gloo_timers", &["app/src/browser/"]),
    ("oncebin", &["server/src/main.rs"]),
];

/// Which of the server's modules a module may use, beside itself.
pub(super) const MAY_USE: &[(&str, &[&str])] = &[
    ("assets", &[]),
    ("clock", &[]),
    ("private_folder", &[]),
    ("telemetry", &[]),
    ("metrics", &[]),
    ("jitter", &[]),
    ("lib", &[]),
    ("markdown", &[]),
    ("qr", &[]),
    ("blob", &["jitter", "private_folder"]),
    ("cdn", &[]),
    ("render", &[]),
    ("store", &["clock", "jitter"]),
    ("cache", &[]),
    ("shard", &["clock", "store"]),
    ("config", &["blob", "cdn", "pastes", "render", "shard"]),
    (
        "pastes",
        &["blob", "cache", "clock", "jitter", "shard", "store"],
    ),
    (
        "cli",
        &[
            "blob",
            "clock",
            "config",
            "private_folder",
            "shard",
            "store",
            "telemetry",
            "workers",
        ],
    ),
    (
        "http",
        &["assets", "config", "markdown", "pastes", "qr", "render"],
    ),
    (
        "workers",
        &["blob", "cdn", "clock", "jitter", "shard", "store"],
    ),
    (
        "service",
        &[
            "blob",
            "cdn",
            "clock",
            "config",
            "http",
            "pastes",
            "private_folder",
            "shard",
            "store",
            "workers",
        ],
    ),
    ("main", &["cli", "clock", "config", "service", "telemetry"]),
];

/// The instruments are handed to whoever has something to count.
pub(super) const ANYONE_MAY_USE: &str = "metrics";

/// Which of app's modules a module may use, beside itself.
pub(super) const APP_MAY_USE: &[(&str, &[&str])] = &[
    ("wire", &[]),
    ("text", &[]),
    ("save", &["wire"]),
    ("browser", &["save", "wire"]),
    ("pages", &["components", "text", "wire"]),
    ("components", &["browser", "pages", "save", "wire"]),
    ("lib", &["browser", "components", "pages", "save", "wire"]),
];

/// How a statement begins, at the beginning of a line or a string.
pub(super) const SQL: &[&str] = &[
    "select ",
    "insert into ",
    "delete from ",
    "update ",
    "create table ",
    "begin ",
    "savepoint ",
    "pragma ",
];
