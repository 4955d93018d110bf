//! The names that a paste's `syntax` may have.

/// A language or format: its name, and the other spellings people know it by, mostly file extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// The name, in lower case.
    pub name: &'static str,
    /// Other names and file extensions, in lower case, without a dot.
    pub aliases: &'static [&'static str],
}

const fn syntax(name: &'static str, aliases: &'static [&'static str]) -> Syntax {
    Syntax { name, aliases }
}

/// Text without colours.
pub const PLAIN: &str = "plain";

/// Every syntax, by name in alphabetical order.
pub const ALL: &[Syntax] = &[
    syntax("asm", &["s", "nasm"]),
    syntax("awk", &[]),
    syntax("bash", &["sh", "shell", "zsh"]),
    syntax("batch", &["bat", "cmd"]),
    syntax("c", &["h"]),
    syntax("clojure", &["clj", "cljs", "edn"]),
    syntax("cmake", &[]),
    syntax("cpp", &["c++", "cc", "cxx", "hpp"]),
    syntax("crystal", &["cr"]),
    syntax("csharp", &["cs", "c#"]),
    syntax("css", &[]),
    syntax("csv", &["tsv"]),
    syntax("d", &[]),
    syntax("dart", &[]),
    syntax("diff", &["patch"]),
    syntax("dockerfile", &["docker", "containerfile"]),
    syntax("elixir", &["ex", "exs"]),
    syntax("elm", &[]),
    syntax("erlang", &["erl"]),
    syntax("fish", &[]),
    syntax("fortran", &["f90"]),
    syntax("fsharp", &["fs", "f#"]),
    syntax("go", &["golang"]),
    syntax("graphql", &["gql"]),
    syntax("groovy", &["gradle"]),
    syntax("haskell", &["hs"]),
    syntax("html", &["htm"]),
    syntax("http", &[]),
    syntax("ini", &["cfg", "conf"]),
    syntax("java", &[]),
    syntax("javascript", &["js", "mjs", "cjs", "jsx"]),
    syntax("json", &["jsonc", "jsonl"]),
    syntax("julia", &["jl"]),
    syntax("kotlin", &["kt", "kts"]),
    syntax("latex", &["tex"]),
    syntax("lisp", &["el", "cl"]),
    syntax("log", &[]),
    syntax("lua", &[]),
    syntax("makefile", &["make", "mk"]),
    syntax("markdown", &["md"]),
    syntax("matlab", &[]),
    syntax("nginx", &[]),
    syntax("nim", &[]),
    syntax("nix", &[]),
    syntax("objective-c", &["objc"]),
    syntax("ocaml", &["ml", "mli"]),
    syntax("pascal", &["pas"]),
    syntax("perl", &["pl", "pm"]),
    syntax("php", &[]),
    syntax(PLAIN, &["text", "txt"]),
    syntax("powershell", &["ps1", "psm1"]),
    syntax("protobuf", &["proto"]),
    syntax("python", &["py", "pyi"]),
    syntax("r", &[]),
    syntax("ruby", &["rb"]),
    syntax("rust", &["rs"]),
    syntax("scala", &["sc"]),
    syntax("scss", &["sass"]),
    syntax("sql", &[]),
    syntax("svelte", &[]),
    syntax("swift", &[]),
    syntax("tcl", &[]),
    syntax("terraform", &["tf", "hcl"]),
    syntax("toml", &[]),
    syntax("typescript", &["ts", "tsx", "mts", "cts"]),
    syntax("vim", &[]),
    syntax("vue", &[]),
    syntax("xml", &["svg", "xsl"]),
    syntax("yaml", &["yml"]),
    syntax("zig", &[]),
];

/// The name of the syntax that `text` spells, in any letter case.
#[must_use]
pub fn canonical(text: &str) -> Option<&'static str> {
    let same = |spelling: &str| spelling.eq_ignore_ascii_case(text);
    ALL.iter()
        .find(|syntax| same(syntax.name) || syntax.aliases.iter().any(|alias| same(alias)))
        .map(|syntax| syntax.name)
}

/// Whether a paste may have this syntax.
#[must_use]
pub fn is_known(text: &str) -> bool {
    canonical(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_extensions_and_plain_are_known_in_any_case() {
        for (text, name) in [
            ("rust", "rust"),
            ("rs", "rust"),
            ("Rust", "rust"),
            ("C++", "cpp"),
            ("txt", "plain"),
            ("plain", "plain"),
        ] {
            assert_eq!(canonical(text), Some(name), "{text}");
        }
    }

    #[test]
    fn anything_else_is_not() {
        for text in ["", " rust", "rust ", ".rs", "brainfuck!", "ｒｕｓｔ", "<b>"] {
            assert!(!is_known(text), "{text:?}");
        }
    }

    #[test]
    fn every_spelling_is_lower_case_and_means_one_syntax() {
        let mut seen = HashSet::new();
        for syntax in ALL {
            for spelling in std::iter::once(&syntax.name).chain(syntax.aliases) {
                assert_eq!(**spelling, spelling.to_lowercase());
                assert!(seen.insert(*spelling), "{spelling} is there twice");
            }
        }
    }

    #[test]
    fn names_stand_in_alphabetical_order() {
        assert!(ALL.is_sorted_by_key(|syntax| syntax.name));
    }
}
