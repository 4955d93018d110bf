//! Completions, manual pages and the docs say what the binary does.

use crate::harness::ClientHome;
use clap::CommandFactory;
use oncebin::config::Cli;
use std::io::Write;
use std::process::{Command, Stdio};

async fn printed(arguments: &[&str]) -> String {
    let ran = ClientHome::new().run(arguments, "").await;
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    String::from_utf8(ran.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn bash_completes_commands_and_flags() {
    let script = printed(&["completions", "bash"]).await;
    for (words, expected) in [
        ("oncebin pu", "put"),
        ("oncebin put --res", "--resume"),
        ("oncebin rm --tok", "--token-file"),
        ("oncebin completions f", "fish"),
    ] {
        let last = words.rsplit(' ').next().unwrap();
        let count = words.split(' ').count() - 1;
        let ask = format!(
            "COMP_WORDS=({words}); COMP_CWORD={count}; _oncebin oncebin '{last}' ''; echo \"${{COMPREPLY[@]}}\""
        );
        let mut bash = Command::new("bash")
            .args(["--norc", "-s"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = format!("{script}\n{ask}\n");
        bash.stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        let output = bash.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_shell_learns_every_command() {
    for (shell, sign) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef oncebin"),
        ("fish", "complete -c oncebin"),
    ] {
        let script = printed(&["completions", shell]).await;
        assert!(script.contains(sign));
        for command in Cli::command().get_subcommands() {
            assert!(script.contains(command.get_name()), "{shell}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_has_a_manual_page_with_its_flags() {
    let mut program = Cli::command();
    program.build();
    let commands = program
        .get_subcommands()
        .filter(|command| command.get_name() != "help");
    for command in commands {
        let page = printed(&["man", command.get_name()]).await;
        assert!(page.contains(&format!(".TH oncebin-{} 1", command.get_name())));
        for argument in command.get_arguments() {
            let names = argument.get_long().map(|long| long.replace('-', "\\-"));
            assert!(
                names.is_none_or(|name| page.contains(&name)),
                "{argument:?}"
            );
            let variable = argument
                .get_env()
                .map(|variable| variable.to_string_lossy());
            assert!(
                variable.is_none_or(|name| page.contains(&*name)),
                "{argument:?}"
            );
        }
    }
    assert!(printed(&["man"]).await.contains(".TH oncebin 1"));
    let refused = ClientHome::new().run(&["man", "nonsense"], "").await;
    assert!(refused.refusal(2).contains("nonsense"));
}

/// The page names every command and flag of the client, and every exit code as the help says it.
#[tokio::test(flavor = "multi_thread")]
async fn the_docs_are_complete() {
    let docs = include_str!("../../../docs/command-line.md");
    let mut program = Cli::command();
    program.build();
    for name in ["put", "get", "rm", "completions", "man"] {
        let command = program.find_subcommand(name).unwrap();
        assert!(docs.contains(&format!("oncebin {name}")), "{name}");
        let flags = command.get_arguments().filter_map(clap::Arg::get_long);
        for flag in flags.filter(|flag| *flag != "help") {
            assert!(docs.contains(&format!("--{flag}")), "{name} --{flag}");
        }
    }
    let help = printed(&["put", "--help"]).await;
    let codes = help
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once("  "));
    let codes: Vec<_> = codes
        .filter(|(code, _)| code.parse::<u8>().is_ok())
        .collect();
    assert_eq!(codes.len(), 4);
    for (code, _) in codes {
        assert!(docs.contains(&format!("| {code} |")), "{code}");
    }
}
