//! The command line of the real binary: settings are printed, and wrong ones stop it with one clear line.

use crate::harness::binary;
use clap::CommandFactory;
use oncebin::config::Cli;
use std::collections::BTreeMap;
use std::process::Output;

pub(crate) fn oncebin(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    binary()
        .args(arguments)
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

/// The one line on standard error of a command that was refused.
#[track_caller]
pub(crate) fn refusal(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!output.status.success(), "{text}");
    assert!(output.stdout.is_empty());
    assert!(
        text.starts_with("oncebin: ") && text.ends_with('\n'),
        "{text}"
    );
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn wrong_flags_are_refused_with_one_line_that_names_them() {
    for (flag, named) in [
        ("--listen=nowhere", "--listen"),
        (
            "--listen=localhost:3000",
            "write an IP address and a port, such as 127.0.0.1:3000",
        ),
        ("--listen=127.0.0.1", "--listen"),
        ("--admin-listen=127.0.0.1:99999", "--admin-listen"),
        (
            "--admin-listen=127.0.0.1:3000",
            "--listen and --admin-listen",
        ),
        ("--base-url=example.org", "--base-url"),
        ("--base-url=ftp://example.org", "--base-url"),
        ("--base-url=https://example.org/?q", "--base-url"),
        ("--base-url=https://user@example.org", "--base-url"),
        ("--shards=", "--shards"),
        ("--shards=mysql://a", "--shards"),
        ("--shards=sqlite://a,sqlite://a", "--shards"),
        ("--shards=0-99=sqlite://a", "--shards"),
        ("--shards=0-99=sqlite://a,99-255=sqlite://b", "--shards"),
        ("--objects=/folder", "--objects"),
        ("--objects=ftp://x", "--objects"),
        ("--max-paste-bytes=0", "--max-paste-bytes"),
        ("--max-paste-bytes=65MiB", "--max-paste-bytes"),
        ("--max-paste-bytes=10MB", "--max-paste-bytes"),
        ("--default-expiry=59", "--default-expiry"),
        ("--default-expiry=soon", "--default-expiry"),
        ("--default-expiry=366d", "--default-expiry"),
        ("--max-expiry=1d", "--max-expiry"),
        ("--max-expiry=-1", "--max-expiry"),
        ("--age-floor=399s", "--age-floor"),
        ("--reaper-brake=1", "--reaper-brake"),
        ("--drain=x", "--drain"),
        ("--trusted-proxies=localhost", "--trusted-proxies"),
        ("--create-rate=0", "--create-rate"),
        ("--create-rate=many", "--create-rate"),
        ("--miss-rate=0", "--miss-rate"),
        ("--workers=yes", "--workers"),
        ("--report-contact=somebody", "--report-contact"),
        ("--report-contact=javascript:alert(1)", "--report-contact"),
        ("--report-contact=mailto:a@b", "--report-contact"),
        ("--log=loud", "--log"),
        ("--log=3", "write error, warn, info, debug or trace"),
        ("--log=off", "--log"),
        ("--cdn-purge=/nowhere", "--cdn-purge"),
        ("--lisen=127.0.0.1:3000", "--lisen"),
        ("--drain", "--drain"),
        ("surplus", "surplus"),
    ] {
        for command in ["serve", "config", "check"] {
            let refused = oncebin(&[command, flag], &[]);
            let line = refusal(&refused);
            assert!(line.contains(named), "{flag}: {line}");
            assert_eq!(refused.status.code(), Some(2), "{command} {flag}");
        }
    }
    let large = ["config", "--max-paste-bytes=64MiB", "--age-floor=939s"];
    assert!(refusal(&oncebin(&large, &[])).contains("at least 940s"));
    printed(&oncebin(&["config", "--age-floor=400s"], &[]));
    let twice = oncebin(&["config", "--drain=1s", "--drain=2s"], &[]);
    assert!(refusal(&twice).contains("--drain"));
    assert!(refusal(&oncebin(&["nonsense"], &[])).contains("nonsense"));
}

#[test]
fn variables_are_read_flags_win_and_unknown_ones_are_refused() {
    let variables = [("ONCEBIN_DRAIN", "7s"), ("ONCEBIN_CREATE_RATE", "12")];
    let text = printed(&oncebin(&["config", "--drain=8s"], &variables));
    assert!(text.contains("drain             8 seconds\n"), "{text}");
    assert!(
        text.contains("create-rate       12 a minute and address\n"),
        "{text}"
    );
    let wrong = oncebin(&["config"], &[("ONCEBIN_DRAIN", "soon")]);
    assert!(refusal(&wrong).contains("--drain"));
    let secret = ("ONCEBIN_SHARD", "sqlite://secret-name");
    for command in ["config", "serve"] {
        let refused = oncebin(&[command], &[secret]);
        let line = refusal(&refused);
        assert_eq!(refused.status.code(), Some(2));
        assert!(
            line.contains("ONCEBIN_SHARD") && !line.contains("secret-name"),
            "{line}"
        );
    }
}

#[track_caller]
fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn config_prints_the_settings_in_force() {
    let flags = [
        "config",
        "--listen=[::1]:80",
        "--base-url=https://example.org/paste/",
        "--data=/d",
        "--max-paste-bytes=1MiB",
        "--default-expiry=1h",
        "--max-expiry=90d",
        "--trusted-proxies=10.0.0.0/8,::1/128",
        "--create-rate=off",
        "--workers=off",
        "--report-contact=abuse@example.org",
        "--log=debug",
    ];
    let expected = "\
listen            [::1]:80
admin-listen      127.0.0.1:3001
base-url          https://example.org/paste
shard 0           sqlite:///d/shards/0.sqlite (64 slots)
shard 1           sqlite:///d/shards/1.sqlite (64 slots)
shard 2           sqlite:///d/shards/2.sqlite (64 slots)
shard 3           sqlite:///d/shards/3.sqlite (64 slots)
objects           file:///d/objects
max-paste-bytes   1048576
default-expiry    1 hour
max-expiry        90 days
cdn-purge         none
age-floor         1 day
reaper-brake      on
drain             40 seconds
trusted-proxies   10.0.0.0/8,::1/128
create-rate       off
miss-rate         300 a minute and address
workers           off
report-contact    abuse@example.org
log               DEBUG
";
    assert_eq!(printed(&oncebin(&flags, &[])), expected);
}

#[test]
fn help_and_version_are_printed() {
    for arguments in [&["--help"][..], &["serve", "--help"], &["config", "-h"]] {
        let text = printed(&oncebin(arguments, &[]));
        assert!(text.contains("Usage: oncebin"), "{text}");
    }
    assert_eq!(
        printed(&oncebin(&["--version"], &[])),
        concat!("oncebin ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

/// Each flag is explained by what it is, its variable, its default, its unit and its limits.
#[test]
fn the_help_explains_each_flag() {
    let own = ["default: ", "env: "];
    let limits: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("max-paste-bytes", &["<SIZE>", "1 to 64MiB", "10MiB"][..]),
        (
            "default-expiry",
            &["<SPAN>", "from 60s to --max-expiry", "30d"],
        ),
        (
            "max-expiry",
            &["<SPAN>", "from --default-expiry to 36500d", "365d"],
        ),
        (
            "age-floor",
            &["<SPAN>", "from ten times what a save may take", "1d"],
        ),
        ("drain", &["<SPAN>", "30s and 1s for each MiB", "40s"]),
        (
            "create-rate",
            &["<RATE>", "a minute and address, from 1", "60"],
        ),
        (
            "miss-rate",
            &["<RATE>", "a minute and address, from 1", "300"],
        ),
        ("reaper-brake", &["<SWITCH>", "on or off"]),
        ("workers", &["<SWITCH>", "on or off"]),
        ("trusted-proxies", &["<NETWORKS>"]),
        ("listen", &["<ADDRESS>"]),
        ("admin-listen", &["<ADDRESS>"]),
    ]);
    let syntax = [
        "  SPAN      seconds, or a whole number with s, m, h or d",
        "  SIZE      bytes, or a whole number with KiB or MiB",
        "  RATE      a whole number from 1, or off",
    ];
    let command = Cli::command();
    for arguments in [
        &["--help"][..],
        &["serve", "--help"],
        &["config", "-h"],
        &["check", "--help"],
        &["takedown", "--help"],
    ] {
        let text = printed(&oncebin(arguments, &[]));
        for line in syntax {
            assert!(text.contains(line), "{arguments:?} {line}");
        }
        for flag in command.get_arguments().filter_map(clap::Arg::get_long) {
            let Some(about) = about(&text, flag) else {
                assert!(matches!(flag, "help" | "version"), "{flag}");
                continue;
            };
            let more = limits.get(flag).copied().unwrap_or_default();
            for word in own.iter().chain(more) {
                assert!(about.contains(word), "{arguments:?} {flag} {word}: {about}");
            }
        }
    }
}

/// What a help says of a flag.
fn about(help: &str, flag: &str) -> Option<String> {
    let mut lines = help.lines().skip_while(|line| {
        let line = line.trim_start();
        !line.starts_with(&format!("--{flag} <"))
    });
    let first = lines.next()?;
    // What goes on is set in further than any flag.
    let rest = lines.take_while(|line| line.starts_with("          "));
    let rest: Vec<_> = rest.map(str::trim).collect();
    Some(format!("{first} {}", rest.join(" ")))
}
