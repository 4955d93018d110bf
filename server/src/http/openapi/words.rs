//! What is said once for all calls.

/// In front of everything. Paragraphs are set apart by empty lines.
pub(super) const INTRODUCTION: &str = "\
One save is one paste: a save carries a key of its own, and however often it is sent, the key makes one paste. Paths are \
below this site's address. There is no CORS: scripts of other origins get nothing.

**What can still arrive twice:** a fresh key per click makes a second paste, and so does a retry more than 25 hours after \
the save. Behind the scenes the write of a text, and the purge and removal of a deleted one, may happen twice, which nobody \
sees. After a failover of a database without a synchronous standby the last saves may be gone, and a retry is a new paste. \
Pastes are never merged because their texts are equal.

**Errors** are `application/problem+json` (RFC 9457) under `/api`, or one line, `code: detail`, where `Accept` prefers \
`text/plain`. Elsewhere `text/html` gets a page and everything else the line. Branch on `code`, which never changes its \
meaning. `retryable` true means: send the same request again **with the same key**, after `Retry-After` if there is one. \
`limit` is there where a number was passed: bytes, characters, seconds, or requests a minute.

**Accept:** a type counts when it is named; `*/*`, none and unknown types get the default of the place. 406 is never sent.

**Limits:** past the limit on saves, or after many links that lead nowhere or wrong delete tokens from one address, the \
answer is 429 for a while: to saves, or to everything about a paste, whether it is there or not. A save that is refused \
counts as one; a retry of a committed save does not, and is never refused by the limit on saves.

**Methods:** HEAD answers as GET without a body; GET and HEAD change nothing. Any other method than those listed is 405 \
with `Allow`, code `method_not_allowed`. An address that is none is the one 404.

**Before a body is read** its key, its kind and the limit on saves are judged, and an early answer is sent at once; what \
is still coming is read and thrown away for a while, so that clients see the answer and not a broken connection. With \
`Expect: 100-continue` a refused request gets the final status and no 100. The head of a request has at most 64 lines and \
32 KiB; past that the answer is 431 without a body.";

/// The groups, in their order.
pub(super) const TAGS: [(&str, &str); 5] = [
    ("Save", "Make a paste, once."),
    (
        "Read",
        "Get it back. The row of a paste is asked every time: what is deleted is gone at once.",
    ),
    ("Delete", "Take it away for good."),
    ("Pages", "What browsers use, without JavaScript too."),
    (
        "Site",
        "The rest: health, this site's own files, this description.",
    ),
];
