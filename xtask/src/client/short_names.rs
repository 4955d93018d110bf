//! Short names for what WASM and glue call each other by.
//!
//! wasm-bindgen ends such names in a hash of 16 digits, which no compression makes smaller: more than two kilobytes, in
//! both files together. The files themselves carry hashes, so nobody else ever sees these names.

/// Long names, each with the short one it got.
#[derive(Default)]
pub(crate) struct ShortNames(Vec<(String, String)>);

impl ShortNames {
    /// Replaces `name` by a short one if it ends in a hash; equal names get equal ones.
    pub(crate) fn shorten(&mut self, name: &mut String) {
        if !ends_in_hash(name) {
            return;
        }
        let given = self.0.iter().find(|(long, _)| long == name);
        if let Some((_, short)) = given {
            name.clone_from(short);
            return;
        }
        let short = format!("${}", self.0.len());
        let long = std::mem::replace(name, short.clone());
        self.0.push((long, short));
    }

    /// The JavaScript with the short names in place of the long ones.
    pub(crate) fn apply(&self, glue: &str) -> String {
        let replace = |glue: String, (long, short): &(String, String)| glue.replace(long, short);
        self.0.iter().fold(glue.to_owned(), replace)
    }
}

/// Whether it is a name of wasm-bindgen's own that ends in a hash. Those of islands stand in the pages.
fn ends_in_hash(name: &str) -> bool {
    let is_own = name.starts_with("__wbg_") || name.starts_with("wasm_bindgen__");
    let start = name.len().saturating_sub(16);
    let mut digits = name.bytes().skip(start);
    is_own && digits.all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_hash_become_short_in_both_files() {
        let mut names = ShortNames::default();
        let mut wasm = [
            "__wbg_get_0123456789abcdef",
            "memory",
            "SaveForm_15457976652035650616",
            "wasm_bindgen__invoke__h00112233445566ff",
            "__wbg_get_0123456789abcdef",
        ]
        .map(str::to_owned);
        wasm.iter_mut().for_each(|name| names.shorten(name));
        assert_eq!(
            wasm,
            ["$0", "memory", "SaveForm_15457976652035650616", "$1", "$0"]
        );
        let glue = "{ __wbg_get_0123456789abcdef: () => wasm.wasm_bindgen__invoke__h00112233445566ff(wasm.memory) }";
        assert_eq!(names.apply(glue), "{ $0: () => wasm.$1(wasm.memory) }");
    }
}
