//! The second wall: ammonia's lists, shortened.

use ammonia::{Builder, UrlRelative};
use std::borrow::Cow;

/// Of ammonia's tags, those that load something, and those that would pass for parts of our page.
pub(super) const REMOVED: [&str; 9] = [
    "area", "article", "aside", "footer", "header", "hgroup", "img", "map", "nav",
];

/// Where a link may lead.
pub(super) const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// What a link says of itself: the page does not vouch for where it leads.
pub(super) const REL: &str = "nofollow noopener ugc";

/// In front of every id, so that none is one of the page's own.
pub(super) const ID_PREFIX: &str = "md-";

/// The HTML, parsed as a browser does, and nothing of it but what is on the lists.
pub(super) fn clean(html: &str) -> String {
    let mut builder = Builder::default();
    builder
        .rm_tags(REMOVED)
        .url_schemes(SCHEMES.into())
        .add_generic_attributes(["dir", "id"])
        .id_prefix(Some(ID_PREFIX))
        .link_rel(Some(REL))
        .url_relative(UrlRelative::Custom(Box::new(within_the_text)));
    builder.clean(html).to_string()
}

/// A link to a place of this text leads to its id. Any other relative link means a neighbour that is not here.
fn within_the_text(url: &str) -> Option<Cow<'_, str>> {
    let place = url.strip_prefix('#')?;
    if place.starts_with(ID_PREFIX) {
        return Some(url.into());
    }
    Some(format!("#{ID_PREFIX}{place}").into())
}
