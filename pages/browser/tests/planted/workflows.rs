use pullback_browser::{check_workflow, Fault};

use crate::fixture::{none, some, Fixture};

async fn faults(runner: &str, step: &str) -> Vec<Fault> {
    let text =
        format!("on: push\njobs:\n  test:\n    runs-on: {runner}\n    steps:\n      - {step}\n");
    check_workflow("a.yml", &text).await.expect("actionlint")
}

pub async fn no_fault(_: &Fixture<'_>) {
    none(&faults("ubuntu-24.04", "run: echo").await);
}

pub async fn unknown_words(_: &Fixture<'_>) {
    let runner = faults("ubuntu-24.40", "run: echo").await;
    some(r#"^a.yml:4:14: label "ubuntu-24.40" is unknown"#, &runner);
    let name = faults("ubuntu-24.04", "run: echo ${{ github.nope }}").await;
    some("\"nope\" is not defined", &name);
    some("ref is missing", &faults("ubuntu-24.04", "uses: actions/checkout").await);
    let key = faults("ubuntu-24.04", "runs: echo").await;
    some(r#"unexpected key "runs"|"run".*"uses""#, &key);
}
