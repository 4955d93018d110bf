//! Alerts, dashboard and their page: they parse, fire when they should, and speak of metrics that exist.

use crate::harness::{Scrape, TestServer, promtool};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn docs(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(file)
}

fn read(file: &str) -> String {
    fs::read_to_string(docs(file)).unwrap()
}

/// The names of our metrics in a text.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let ours = words.filter(|word| word.starts_with("oncebin_") || word.starts_with("process_"));
    ours.map(str::to_owned).collect()
}

/// The names that `/metrics` has: of each family, and of each series.
async fn existing() -> (BTreeSet<String>, BTreeSet<String>) {
    let server = TestServer::start().await;
    let scrape = Scrape::of(&server.admin()).await;
    let families = scrape
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "));
    let families = families.map(|rest| rest.split(' ').next().unwrap().to_owned());
    let series = scrape
        .series
        .keys()
        .map(|name| name.split('{').next().unwrap().to_owned());
    (families.collect(), series.collect())
}

/// Every expression of the dashboard, with its variables filled in.
fn expressions(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, member)| match member {
                Value::String(text) if name == "expr" => vec![filled_in(text)],
                _ => expressions(member),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(expressions).collect(),
        _ => vec![],
    }
}

fn filled_in(expression: &str) -> String {
    let times = [("$__rate_interval", "5m"), ("$__range", "6h")];
    let filled = times
        .iter()
        .fold(expression.to_owned(), |text, (name, value)| {
            text.replace(name, value)
        });
    let filled = filled.replace("$instance", ".*").replace("$job", "oncebin");
    assert!(!filled.contains('$'), "{filled}");
    filled
}

#[test]
fn the_alerts_fire_when_they_should() {
    let rules = docs("monitoring/alerts.yml");
    promtool(&["check", "rules", rules.to_str().unwrap()], "");
    let tests = docs("monitoring/alerts_test.yml");
    promtool(&["test", "rules", tests.to_str().unwrap()], "");
    let (rules, tests, page) = (
        read("monitoring/alerts.yml"),
        read("monitoring/alerts_test.yml"),
        read("monitoring.md"),
    );
    let alerts: Vec<_> = rules
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- alert: "))
        .collect();
    assert!(alerts.len() > 10);
    for alert in alerts {
        assert!(
            tests.contains(&format!("alertname: {alert}\n")),
            "{alert} has no test"
        );
        assert!(
            page.contains(&format!("`{alert}`")),
            "{alert} is not explained"
        );
    }
    assert!(
        !tests.contains("exp_alerts: []"),
        "each test has an alert that fires"
    );
}

#[test]
fn every_expression_of_the_dashboard_parses() {
    let dashboard: Value = serde_json::from_str(&read("monitoring/dashboard.json")).unwrap();
    let expressions = expressions(&dashboard);
    assert!(expressions.len() > 30);
    let mut rules = "groups:\n- name: dashboard\n  rules:\n".to_owned();
    for (number, expression) in expressions.iter().enumerate() {
        let expression = serde_json::to_string(expression).unwrap();
        rules.push_str(&format!(
            "  - record: expression:{number}\n    expr: {expression}\n"
        ));
    }
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("rules.yml");
    fs::write(&file, rules).unwrap();
    promtool(&["check", "rules", file.to_str().unwrap()], "");
    let mut ids: Vec<_> = dashboard["panels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|panel| panel["id"].as_u64())
        .collect();
    let panels = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), panels, "panels have ids of their own");
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_and_dashboard_speak_of_metrics_that_exist_and_the_page_of_all() {
    let (families, series) = existing().await;
    for file in [
        "monitoring/alerts.yml",
        "monitoring/alerts_test.yml",
        "monitoring/dashboard.json",
    ] {
        for name in named(&read(file)) {
            assert!(series.contains(&name), "{file}: {name}");
        }
    }
    assert_eq!(named(&read("monitoring.md")), families);
}
