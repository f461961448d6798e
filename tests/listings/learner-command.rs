use super::*;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

const CHILD: &str = "PULLBACK_CHECK_LEARNER_COMMAND";
const DONE: &str = "done\n";
const ENDED: &str = "ended: ";

/// This very check once more, in a process whose standard output can be watched and broken. The
/// child says "ready", waits for its input to end, and says how the command ended on standard error,
/// since a broken output fails the test of its own accord. "done" ends what the command prints.
fn command(broken: bool) -> (bool, String, String) {
    let test = module_path!().split_once("::").map_or("", |(_, path)| path);
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([&format!("{test}::check"), "--exact", "--nocapture"])
        .env(CHILD, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let (mut line, mut lines) = (String::new(), String::new());
    while line.trim_end() != "ready" {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0, "the child never became ready");
    }
    if broken {
        drop(out);
        drop(child.stdin.take());
    } else {
        drop(child.stdin.take());
        out.read_to_string(&mut lines).unwrap();
        // Behind that stands what a test prints of itself.
        let end = lines.find(DONE).expect("the command ends");
        lines.truncate(end);
    }
    let ended = child.wait_with_output().unwrap();
    let errors = String::from_utf8(ended.stderr).unwrap();
    let (message, ended) = errors.split_once(ENDED).expect("the command ends");
    let succeeded = ended.starts_with(&format!("{:?}\n", ExitCode::SUCCESS));
    (succeeded, lines, message.to_owned())
}

/// The command prints its lines and succeeds, or says on standard error why not and fails; what it
/// names, it finds in the evidence or refuses.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    if std::env::var_os(CHILD).is_some() {
        writeln!(io::stdout(), "ready").unwrap();
        io::stdin().read_to_end(&mut Vec::new()).unwrap();
        eprintln!("{ENDED}{:?}", super::main());
        // The output may be broken on purpose.
        io::stdout().write_all(DONE.as_bytes()).ok();
        return;
    }
    let mut lines = Vec::new();
    run(prepare, &mut lines).unwrap();
    let lines = String::from_utf8(lines).unwrap();
    assert_eq!(command(false), (true, lines, String::new()));
    let (succeeded, _, message) = command(true);
    assert!(!succeeded && message.starts_with("pullback: "), "{message}");

    let LearnerEvidence { mut frozen, .. } = prepare().unwrap();
    assert_eq!(described(&frozen.seed), "shape=[2] values=[3.0, 6.0]");
    assert_eq!(node(&frozen, "bias").unwrap().as_slice(), [1.0, -1.0, 0.0]);
    assert_eq!(node(&frozen, "w"), Err(WorkedExampleError::Check("a node is missing")));
    assert_eq!(mean_arguments(&frozen), Ok((1, false)));
    if let Some(TensorSavedContext::Reduction { axis, keep_dim, .. }) =
        &mut frozen.first_pass.edges[0].saved
    {
        (*axis, *keep_dim) = (4, true);
    }
    assert_eq!(mean_arguments(&frozen), Ok((4, true)));
    frozen.first_pass.edges.remove(0);
    let missing = WorkedExampleError::Check("no edge of a mean was recorded");
    assert_eq!(mean_arguments(&frozen), Err(missing));
    assert_eq!(released_operation(&frozen.released_error).as_deref(), Ok("mean"));
    let add = TensorAutodiffError::GraphReleased { operation: pullback::TensorOperation::Add };
    assert_eq!(released_operation(&add).as_deref(), Ok("add"));
    let other = WorkedExampleError::Check("a released graph is refused as released");
    assert_eq!(released_operation(&TensorAutodiffError::GradientBorrowed), Err(other));
}
