//! What every page knows of the site it belongs to.

/// What every page knows of the site: where it is served, its assets, its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The path the site is served under: empty, or like `/paste`.
    pub base_path: String,
    /// The public address of the site, `base_path` included, no slash at the end.
    pub base_url: String,
    /// The paths of the style sheet, the paste page's script and the browser client.
    pub assets: AssetNames,
    /// Where readers report a paste: a mail address, an `http` or `https` address, or words to show as they are.
    pub report_contact: Option<String>,
    /// The most bytes of content a new paste may have.
    pub paste_bytes_max: u64,
    /// How long a paste lives when nobody chooses, in seconds.
    pub default_expiry_seconds: u64,
    /// The longest life that can be chosen, in seconds.
    pub expiry_seconds_max: u64,
}

/// The paths of the built files, each with a leading slash and without the base path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetNames {
    /// The style sheet.
    pub style: String,
    /// The script of the list of pastes.
    pub mine: String,
    /// The script of the paste page.
    pub view: String,
    /// The browser client; without it the form and its result work as they do without JavaScript.
    pub client: Option<ClientNames>,
}

/// The files of the browser client, as in [`AssetNames`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientNames {
    /// The module that loads the other two.
    pub start: String,
    /// The JavaScript that wasm-bindgen wrote.
    pub glue: String,
    /// The WebAssembly itself.
    pub wasm: String,
}

impl Site {
    /// A path on this site, from one that starts with a slash.
    pub(super) fn path(&self, path: &str) -> String {
        format!("{}{path}", self.base_path)
    }

    /// The page with the form.
    pub(super) fn home(&self) -> String {
        self.path("/")
    }
}
