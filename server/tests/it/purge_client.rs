//! The purge client against a real HTTP server: what it sends, and what it makes of every answer.

use crate::harness::{FakeCdn, Says};
use oncebin::cdn::{PurgeError, Purger, Template};
use std::time::Duration;
use tokio::net::TcpListener;

const IDS: [&str; 3] = ["2wABCDEFGHIJKL", "00abcdefghijkl", "47zzzzzzzzzzzz"];

fn purger(template: &str) -> Purger {
    let variable = |name: &str| Some(format!("value-of-{name}"));
    let template = Template::parse(template, variable).unwrap();
    Purger::new(template, "https://paste.example/x/").unwrap()
}

#[tokio::test]
async fn tags_go_where_the_template_says_as_many_as_it_says() {
    let cdn = FakeCdn::start().await;
    let address = cdn.address;
    let purger = purger(&format!(
        "items = 2\nPOST http://{address}/zones/{{env:ZONE}}?soft=1\n# a comment\nAuthorization: Bearer {{env:TOKEN}}\nHost: paste.example\n\n{{\"tags\": {{tags_json}}}}\n"
    ));
    assert_eq!(purger.pastes_max(), 2);
    assert_eq!(purger.purge(&IDS).await, Ok(()));
    let asked = cdn.asked();
    let bodies: Vec<_> = asked.iter().map(|asked| asked.body.as_str()).collect();
    assert_eq!(
        bodies,
        [
            r#"{"tags": ["2wABCDEFGHIJKL","00abcdefghijkl"]}"#,
            r#"{"tags": ["47zzzzzzzzzzzz"]}"#
        ]
    );
    for asked in asked {
        assert_eq!(
            (asked.method.as_str(), asked.uri.to_string().as_str()),
            ("POST", "/zones/value-of-ZONE?soft=1")
        );
        assert_eq!(asked.headers["authorization"], "Bearer value-of-TOKEN");
        assert_eq!(asked.headers["host"], "paste.example");
    }
}

#[tokio::test]
async fn urls_are_every_view_of_a_paste() {
    let cdn = FakeCdn::start().await;
    let address = cdn.address;
    let json = purger(&format!(
        "items = 8\nPOST http://{address}/\n\n{{urls_json}}"
    ));
    assert_eq!(json.purge(&IDS[..1]).await, Ok(()));
    let expected =
        ["", "/raw", "/download"].map(|view| format!("https://paste.example/x/{}{view}", IDS[0]));
    let metadata = format!("https://paste.example/x/api/pastes/{}", IDS[0]);
    let sent: Vec<String> = serde_json::from_str(&cdn.asked()[0].body).unwrap();
    assert_eq!(sent, [&expected[..], &[metadata]].concat());
    let single = purger(&format!("PURGE http://{address}/\nX-Url: {{url}}"));
    assert_eq!(single.purge(&IDS[..1]).await, Ok(()));
    let single: Vec<_> = cdn.asked()[1..]
        .iter()
        .map(|asked| asked.headers["x-url"].clone())
        .collect();
    assert_eq!(single, sent);
}

#[tokio::test]
async fn each_answer_means_what_it_says() {
    let cdn = FakeCdn::start().await;
    let seconds = Duration::from_secs;
    for (says, expected) in [
        (Says::Status(200), Ok(())),
        (Says::Status(204), Ok(())),
        (Says::Status(404), Ok(())),
        (Says::Status(302), Err(PurgeError::Refused(302))),
        (Says::Status(400), Err(PurgeError::Refused(400))),
        (Says::Status(500), Err(PurgeError::Refused(500))),
        (
            Says::RetryAfter(500, "7"),
            Err(PurgeError::Busy(seconds(7))),
        ),
        (
            Says::RetryAfter(503, "30"),
            Err(PurgeError::Busy(seconds(30))),
        ),
        (
            Says::RetryAfter(429, "120"),
            Err(PurgeError::Busy(seconds(120))),
        ),
        (
            Says::RetryAfter(429, "99999999"),
            Err(PurgeError::Busy(seconds(3600))),
        ),
        (Says::Status(429), Err(PurgeError::Busy(seconds(10)))),
        (Says::Status(401), Err(PurgeError::Denied(seconds(60)))),
        (Says::Status(403), Err(PurgeError::Denied(seconds(60)))),
    ] {
        cdn.will(move |_| says);
        let purger = Purger::new(cdn.template(3), "").unwrap();
        assert_eq!(purger.purge(&IDS).await, expected, "{says:?}");
        let rests = matches!(expected, Err(PurgeError::Busy(_) | PurgeError::Denied(_)));
        assert_eq!(purger.clone().rest().is_some(), rests, "{says:?}");
    }
}

#[tokio::test]
async fn an_answer_must_have_the_members_it_was_promised() {
    let cdn = FakeCdn::start().await;
    let address = cdn.address;
    let purger = purger(&format!(
        "answer = {{\"success\": true}}\nPURGE http://{address}/{{tags_space}}"
    ));
    for (json, expected) in [
        (r#"{"success": true, "errors": []}"#, Ok(())),
        (r#"{"success": false}"#, Err(PurgeError::Refused(200))),
        ("<html>", Err(PurgeError::Refused(200))),
    ] {
        cdn.will(move |_| Says::Json(json));
        assert_eq!(purger.purge(&IDS[..1]).await, expected, "{json}");
    }
    assert_eq!(cdn.asked()[0].uri.path(), format!("/{}", IDS[0]));
}

#[tokio::test]
async fn a_cdn_that_is_gone_or_hangs_does_not_answer_and_an_odd_id_is_not_sent() {
    let cdn = FakeCdn::start().await;
    cdn.will(|_| Says::Nothing);
    let hanging = Purger::with_wait(cdn.template(3), "", Duration::from_millis(50)).unwrap();
    assert_eq!(hanging.purge(&IDS).await, Err(PurgeError::NoAnswer));
    assert_eq!(hanging.purge(&["a\nb"]).await, Err(PurgeError::Unwritable));
    assert_eq!(cdn.asked().len(), 1);
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = gone.local_addr().unwrap();
    drop(gone);
    let gone = purger(&format!("PURGE http://{address}/{{tags_space}}"));
    assert_eq!(gone.purge(&IDS[..1]).await, Err(PurgeError::NoAnswer));
    assert_eq!((hanging.rest(), gone.rest()), (None, None));
}
