//! The commands of the operator's pages, so that what they tell operators to do is what was tested.

use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A page, by its place in the repository.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OperatorsPage(&'static str);

impl OperatorsPage {
    pub(crate) const POSTGRES: Self = Self("docs/postgres.md");
    pub(crate) const README: Self = Self("README.md");

    /// What stands below a mark, in a language.
    pub(crate) fn below(self, mark: &str, language: &str) -> String {
        let page = fs::read_to_string(Path::new(ROOT).join(self.0)).unwrap();
        let mark = format!("<!-- tested: {mark} -->\n\n```{language}\n");
        let (_, commands) = page.split_once(&mark).expect(&mark);
        let (commands, _) = commands.split_once("```").unwrap();
        commands.to_owned()
    }

    /// Runs the commands below a mark, with their variables, in a folder of their own.
    pub(crate) fn carry_out(self, mark: &str, variables: &[(&str, &str)]) {
        let folder = TempDir::new().unwrap();
        self.carry_out_in(folder.path(), mark, variables);
    }

    /// [`Self::carry_out`] in a folder.
    pub(crate) fn carry_out_in(self, folder: &Path, mark: &str, variables: &[(&str, &str)]) {
        let done = Command::new("sh")
            .args(["-eu", "-c", &self.below(mark, "sh")])
            .current_dir(folder)
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    }
}
