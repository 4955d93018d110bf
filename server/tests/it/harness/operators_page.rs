//! The commands of docs/postgres.md, so that what it tells operators to do is what was tested.

use std::fs;
use std::process::Command;
use tempfile::TempDir;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/postgres.md");

#[derive(Debug)]
pub(crate) struct OperatorsPage;

impl OperatorsPage {
    /// Runs the commands below a mark, with their variables, in a folder of their own.
    pub(crate) fn carry_out(mark: &str, variables: &[(&str, &str)]) {
        let page = fs::read_to_string(PAGE).unwrap();
        let mark = format!("<!-- tested: {mark} -->\n\n```sh\n");
        let (_, commands) = page.split_once(&mark).expect(&mark);
        let (commands, _) = commands.split_once("```").unwrap();
        let folder = TempDir::new().unwrap();
        let done = Command::new("sh")
            .args(["-eu", "-c", commands])
            .current_dir(folder.path())
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    }
}
