//! What tells the syntax of a text that names none.

/// File names without a telling extension.
pub(super) const FILE_NAMES: &[(&str, &str)] = &[
    ("makefile", "makefile"),
    ("gnumakefile", "makefile"),
    ("dockerfile", "dockerfile"),
    ("containerfile", "dockerfile"),
    ("cmakelists.txt", "cmake"),
    ("nginx.conf", "nginx"),
    ("cargo.lock", "toml"),
    ("gemfile", "ruby"),
    ("rakefile", "ruby"),
    ("jenkinsfile", "groovy"),
    (".bashrc", "bash"),
    (".profile", "bash"),
    (".zshrc", "bash"),
    (".vimrc", "vim"),
    (".gitconfig", "ini"),
    (".editorconfig", "ini"),
];

/// Interpreters, as the end of a `#!` line names them.
pub(super) const INTERPRETERS: &[(&str, &str)] = &[
    ("bash", "bash"),
    ("sh", "bash"),
    ("zsh", "bash"),
    ("dash", "bash"),
    ("ksh", "bash"),
    ("fish", "fish"),
    ("python", "python"),
    ("perl", "perl"),
    ("ruby", "ruby"),
    ("node", "javascript"),
    ("deno", "typescript"),
    ("lua", "lua"),
    ("php", "php"),
    ("awk", "awk"),
    ("gawk", "awk"),
    ("tclsh", "tcl"),
    ("make", "makefile"),
    ("Rscript", "r"),
    ("pwsh", "powershell"),
];

/// What a text begins with, in lower case.
pub(super) const BEGINNINGS: &[(&str, &str)] = &[
    ("<?xml", "xml"),
    ("<?php", "php"),
    ("<!doctype html", "html"),
    ("<html", "html"),
    ("diff --git ", "diff"),
    ("--- a/", "diff"),
    ("-----begin ", "plain"),
    ("%yaml", "yaml"),
];

/// What lines begin with, after blanks, between bars. Each line is at most one sign for each syntax.
pub(super) const SIGNS: &[(&str, &str)] = &[
    (
        "rust",
        r#"fn |pub fn |let mut |impl |impl<|use std::|use crate::|#[derive|pub struct |pub enum |match |pub mod |pub(crate) "#,
    ),
    (
        "python",
        r#"def |import |from |class |elif |    return |if __name__|print(|self.|except |@property|async def "#,
    ),
    (
        "go",
        r#"package |func |import (|if err != nil|defer |type "#,
    ),
    (
        "c",
        r#"#include <|#include "|#define |#ifdef |#ifndef |int main(|static |typedef |struct "#,
    ),
    (
        "cpp",
        r#"#include <|std::|using namespace |namespace |template <|template<|public:|private:|class "#,
    ),
    (
        "java",
        r#"public class |import java|package |private |@Override|public static |public |protected "#,
    ),
    (
        "csharp",
        r#"using System|namespace |public class |private |public |[Fact]|internal "#,
    ),
    (
        "javascript",
        r#"const |let |var |function |import |export |module.exports|console.log(|async function |return |});"#,
    ),
    (
        "typescript",
        r#"interface |export interface |export type |import type |declare |enum |const |import |export |private readonly "#,
    ),
    (
        "bash",
        r#"export |fi|esac|echo |if [ |if [[ |set -e|sudo |done|elif [|function |local |then"#,
    ),
    (
        "sql",
        r#"SELECT |select |insert into |INSERT INTO |create table |CREATE TABLE |from |FROM |where |WHERE |update |UPDATE |alter table |ALTER TABLE |order by |ORDER BY "#,
    ),
    (
        "ruby",
        r#"require '|def |end|module |class |attr_accessor |puts "#,
    ),
    (
        "php",
        r#"<?php|$this->|namespace App|use App|public function "#,
    ),
    (
        "css",
        r#"@media |@import |color:|margin:|padding:|display:|background:|font-size:|:root"#,
    ),
    (
        "html",
        r#"<div|<head|<body|<script|<meta |<link |<p>|<ul>|<li>|</div"#,
    ),
    (
        "yaml",
        r#"apiVersion:|kind:|metadata:|spec:|- name:|version:|services:|steps:|jobs:|on:|image:|runs-on:"#,
    ),
    (
        "toml",
        r#"[package]|[dependencies|[tool.|[[|version = "|name = "|edition = ""#,
    ),
    (
        "dockerfile",
        r#"FROM |RUN |COPY |CMD |ENTRYPOINT |WORKDIR |ENV |EXPOSE "#,
    ),
    ("diff", r#"@@ -|+++ |--- |diff --git |index "#),
    ("markdown", r#"# |## |### |```|- [|* **|1. |> "#),
    (
        "haskell",
        r#"module |import qualified |data |newtype |instance |{-# LANGUAGE"#,
    ),
    (
        "kotlin",
        r#"fun |val |package |import |data class |override fun |suspend fun "#,
    ),
    (
        "swift",
        r#"import Foundation|import SwiftUI|func |let |guard let |@State |override func "#,
    ),
    (
        "latex",
        r#"\documentclass|\begin{|\end{|\usepackage|\section{"#,
    ),
];
