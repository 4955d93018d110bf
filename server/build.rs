//! Embeds what browsers load: the stylesheet and the scripts of pages always, and the client if `cargo xtask` has
//! built it. And the grammars of the highlighter.
//!
//! A plain `cargo build` in a fresh clone works and gives a server without a client. Later ones keep the client that
//! `cargo xtask serve`, `test` or `build` made last; stylesheet and scripts are never older than
//! their sources.

#[path = "build/grammars.rs"]
mod grammars;
#[path = "../xtask/src/client/hashed_name.rs"]
mod hashed_name;

use sha2::{Digest, Sha256};
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const STYLE: &str = "style/main.css";
const VIEW: &str = "app/view.js";
const MINE: &str = "app/mine.js";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// A file to embed. Its compressed forms, if any, lie in the client's folder.
struct File {
    name: String,
    content_type: &'static str,
    plain: PathBuf,
}

fn main() -> io::Result<()> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let workspace = workspace.canonicalize()?;
    let client_folder = workspace.join("target/client");
    // Cargo takes a watched folder that does not exist for one that has changed, and would build anew every time.
    fs::create_dir_all(&client_folder)?;
    let sources = ["app/src", "server/build", "server/src/render", "Cargo.lock"];
    for watched in [STYLE, VIEW, MINE, "target/client", "migrations"]
        .iter()
        .chain(&sources)
    {
        println!(
            "cargo::rerun-if-changed={}",
            workspace.join(watched).display()
        );
    }
    let style = source(
        workspace.join(STYLE),
        "main",
        "css",
        "text/css; charset=utf-8",
    )?;
    let view = source(workspace.join(VIEW), "view", "js", JAVASCRIPT)?;
    let mine = source(workspace.join(MINE), "mine", "js", JAVASCRIPT)?;
    let client = client(&client_folder);
    let version = version_of(&sources.map(|source| workspace.join(source)))?;
    println!("cargo::rustc-env=RENDERER_VERSION={version}");
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let module = module(&client_folder, [&style, &view, &mine], client.as_ref());
    fs::write(Path::new(&out).join("assets.rs"), module)?;
    grammars::write(&Path::new(&out).join("grammars"))
}

/// A file that is embedded as it stands in the tree.
fn source(
    plain: PathBuf,
    stem: &str,
    extension: &str,
    content_type: &'static str,
) -> io::Result<File> {
    let name = hashed_name::hashed_name(stem, extension, &fs::read(&plain)?);
    Ok(File {
        name,
        content_type,
        plain,
    })
}

/// A name for what pages are made by: it changes whenever a page of the same paste may.
fn version_of(sources: &[PathBuf]) -> io::Result<String> {
    let mut left = sources.to_vec();
    let mut files = Vec::new();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                left.push(entry?.path());
            }
        } else {
            files.push(path);
        }
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        hash.update(Sha256::digest(fs::read(file)?));
    }
    let hash = hash.finalize();
    Ok(hash
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

/// Loader, glue and WASM, if the client has been built.
fn client(folder: &Path) -> Option<[File; 3]> {
    let manifest = fs::read_to_string(folder.join("manifest")).ok()?;
    let file = |word: &str, content_type| {
        let mut lines = manifest.lines().filter_map(|line| line.split_once(' '));
        let (_, name) = lines.find(|(first, _)| *first == word)?;
        Some(File {
            name: name.to_owned(),
            content_type,
            plain: folder.join(name),
        })
    };
    Some([
        file("start", JAVASCRIPT)?,
        file("glue", JAVASCRIPT)?,
        file("wasm", "application/wasm")?,
    ])
}

/// The Rust text that `src/assets.rs` includes.
fn module(client_folder: &Path, sources: [&File; 3], client: Option<&[File; 3]>) -> String {
    let files = sources.into_iter().chain(client.into_iter().flatten());
    let assets: String = files.map(|file| asset(file, client_folder)).collect();
    let client = client.map(|files| files.each_ref().map(|file| &file.name));
    format!(
        "static ASSETS: &[Asset] = &[\n{assets}];\n\
         const STYLE: &str = {:?};\n\
         /// The paste page's script.\n\
         const VIEW: &str = {:?};\n\
         /// The script of the list of pastes.\n\
         const MINE: &str = {:?};\n\
         /// Loader, glue and WASM.\n\
         const CLIENT: Option<[&str; 3]> = {client:?};\n",
        sources[0].name, sources[1].name, sources[2].name
    )
}

fn asset(file: &File, client_folder: &Path) -> String {
    let compressed = |ending: &str| {
        let path = client_folder.join(format!("{}.{ending}", file.name));
        path.exists().then(|| include(&path))
    };
    let or_none = |bytes: Option<String>| bytes.map_or("None".into(), |it| format!("Some({it})"));
    format!(
        "Asset {{ name: {:?}, content_type: {:?}, plain: {}, brotli: {}, gzip: {} }},\n",
        file.name,
        file.content_type,
        include(&file.plain),
        or_none(compressed("br")),
        or_none(compressed("gz")),
    )
}

fn include(file: &Path) -> String {
    format!("include_bytes!({file:?})")
}
