//! The grammar of JSON (RFC 8259), read strictly.

use super::json::Json;

/// How deep arrays and objects may stand in each other: the reader calls itself.
const DEPTH_MAX: u32 = 127;

/// A text and how far it has been read. After a `None` nothing more may be read.
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The value that the whole text is.
    pub(super) fn whole(mut self) -> Option<Json> {
        let value = self.value(DEPTH_MAX)?;
        self.skip_blanks();
        (self.at == self.text.len()).then_some(value)
    }

    /// The next byte; NUL at the end, which JSON allows nowhere.
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek() == byte).then(|| self.at += 1)
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: u32) -> Option<Json> {
        self.skip_blanks();
        match self.peek() {
            b'{' => self.members(depth.checked_sub(1)?),
            b'[' => self.elements(depth.checked_sub(1)?),
            b'"' => self.string().map(Json::Text),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => self.number(),
        }
    }

    fn members(&mut self, depth: u32) -> Option<Json> {
        let mut members = Vec::new();
        self.list(b'}', &mut |reader| {
            reader.skip_blanks();
            let name = reader.string()?;
            reader.skip_blanks();
            reader.take(b':')?;
            members.push((name, reader.value(depth)?));
            Some(())
        })?;
        Some(Json::Members(members))
    }

    fn elements(&mut self, depth: u32) -> Option<Json> {
        self.list(b']', &mut |reader| reader.value(depth).map(drop))?;
        Some(Json::Other)
    }

    /// Everything from an opening bracket to `close`, one `element` between two commas.
    fn list(&mut self, close: u8, element: &mut dyn FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        self.skip_blanks();
        if self.take(close).is_some() {
            return Some(());
        }
        loop {
            element(self)?;
            self.skip_blanks();
            if self.take(close).is_some() {
                return Some(());
            }
            self.take(b',')?;
        }
    }

    fn word(&mut self, word: &str) -> Option<Json> {
        let is_next = self.text.get(self.at..)?.starts_with(word);
        self.at += word.len();
        is_next.then_some(Json::Other)
    }

    fn number(&mut self) -> Option<Json> {
        let start = self.at;
        let mut is_whole = self.take(b'-').is_none();
        if self.take(b'0').is_none() {
            self.digits()?;
        }
        if self.take(b'.').is_some() {
            is_whole = false;
            self.digits()?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            is_whole = false;
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits()?;
        }
        let number = self.text.get(start..self.at)?.parse().ok();
        let number = number.filter(|_| is_whole);
        Some(number.map_or(Json::Other, Json::Number))
    }

    /// One digit or more.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn string(&mut self) -> Option<String> {
        self.take(b'"')?;
        let mut text = String::new();
        loop {
            let start = self.at;
            while !matches!(self.peek(), b'"' | b'\\' | 0..0x20) {
                self.at += 1;
            }
            text.push_str(self.text.get(start..self.at)?);
            if self.take(b'"').is_some() {
                return Some(text);
            }
            self.take(b'\\')?;
            text.push(self.escaped()?);
        }
    }

    fn escaped(&mut self) -> Option<char> {
        let escape = self.peek();
        self.at += 1;
        Some(match escape {
            b'"' | b'\\' | b'/' => char::from(escape),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return None,
        })
    }

    /// A character by its UTF-16 units: one, or a pair of surrogates.
    fn unicode(&mut self) -> Option<char> {
        let first = self.unit()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        self.take(b'\\')?;
        self.take(b'u')?;
        let second = self.unit()?.checked_sub(0xdc00)?;
        (second < 0x400).then(|| char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + second))?
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)
    }
}
