//! A paste of Markdown, rendered: what the page shows, and that nothing in it runs or loads.

use crate::harness::{Reply, TestServer, fresh_key};
use serde_json::json;

const HTML: [(&str, &str); 1] = [("accept", "text/html")];

async fn save(server: &TestServer, text: &str) -> String {
    let json = json!({"content": text, "syntax": "md", "title": "Notes"});
    server.save_json(&fresh_key(), &json).await.created().id
}

async fn rendered(server: &TestServer, text: &str) -> Reply {
    let id = save(server, text).await;
    server.get(&format!("/{id}/markdown")).await
}

/// What is in the page between our own markup.
fn article(page: &Reply) -> String {
    let html = page.text();
    let (_, rest) = html.split_once("<article").unwrap();
    let (_, rest) = rest.split_once('>').unwrap();
    rest.rsplit_once("</article>").unwrap().0.to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_markdown_links_to_the_tab_and_the_tab_back() {
    let server = TestServer::start().await;
    let id = save(&server, "# Title\n\n| a |\n|--:|\n| *b* |\n").await;
    let text = server.get_with(&format!("/{id}"), &HTML).await.text();
    assert!(text.contains(&format!("href=\"/{id}/markdown\"")), "{text}");
    let page = server.get(&format!("/{id}/markdown")).await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(page.text().contains(&format!("href=\"/{id}\"")));
    assert_eq!(
        article(&page),
        "<h1 id=\"md-title\">Title</h1>\n<table><thead><tr><th align=\"right\">a</th></tr></thead><tbody>\n\
         <tr><td align=\"right\"><em>b</em></td></tr>\n</tbody></table>\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn its_policy_allows_no_script_no_picture_from_elsewhere_and_no_form() {
    let server = TestServer::start().await;
    let page = rendered(&server, "x").await;
    assert_eq!(
        page.header("content-security-policy"),
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; \
         frame-ancestors 'none'"
    );
    assert!(!page.text().contains("<script") && !page.text().contains("<form"));
}

/// The attacks themselves stand in a table beside the sanitiser; these show that its output is what is served.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_served_is_the_sanitised_text() {
    let server = TestServer::start().await;
    for (attack, shown) in [
        ("<script>alert(1)</script>", ""),
        ("</article></main><h1>Deleted</h1>", "<h1>Deleted</h1>"),
        (
            "<p style=\"position:fixed\" onclick=\"x\">y</p>",
            "<p>y</p>",
        ),
        ("<img src=x onerror=alert(1)>", ""),
        (
            "a <script>b</script>",
            "<p>a &lt;script&gt;b&lt;/script&gt;</p>\n",
        ),
        (
            "[x](javascript:alert(1))",
            "<p><a rel=\"nofollow noopener ugc\">x</a></p>\n",
        ),
        (
            "![x](https://a.example/pixel.gif)",
            "<p><a href=\"https://a.example/pixel.gif\" rel=\"nofollow noopener ugc\">Image: x</a></p>\n",
        ),
    ] {
        let page = rendered(&server, attack).await;
        assert_eq!(article(&page), shown, "{attack}");
        assert!(!page.text().contains("<img"), "{attack}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn any_text_can_be_looked_at_as_markdown() {
    let server = TestServer::start().await;
    let id = server.save_new("*x*").await.created().id;
    let page = server.get(&format!("/{id}/markdown")).await;
    assert_eq!(article(&page), "<p><em>x</em></p>\n");
    let text = server.get_with(&format!("/{id}"), &HTML).await.text();
    assert!(
        !text.contains("/markdown"),
        "the text is not known to be Markdown"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_text_is_rendered_to_its_limit_and_says_so() {
    let server = TestServer::start().await;
    let at_the_limit = "é".repeat(131_071) + "x\n";
    assert_eq!(at_the_limit.len(), 256 * 1024);
    let page = rendered(&server, &at_the_limit).await;
    assert!(!page.text().contains("There is more of this text"));
    // The cut goes through a character of the second line.
    let over = format!("first\n{}", "é".repeat(1 << 20));
    let page = rendered(&server, &over).await;
    assert_eq!(
        (page.status, article(&page)),
        (200, "<p>first</p>\n".into())
    );
    assert!(
        page.text()
            .contains("There is more of this text: this tab shows its first 256 KiB.")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn characters_that_reorder_text_are_left_out() {
    let server = TestServer::start().await;
    let page = rendered(&server, "a \u{202E}b\u{2069}").await;
    assert_eq!(article(&page), "<p>a b</p>\n");
    assert!(page.text().contains("They are left out here."));
}
