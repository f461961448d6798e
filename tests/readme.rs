//! What README tells a reader to do can be done.

/// The pieces of a line that stand between backticks.
fn quoted(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_line_that_the_walk_changes_is_there() {
    let root = env!("CARGO_MANIFEST_DIR");
    let readme = std::fs::read_to_string(format!("{root}/README.md")).unwrap();
    let (_, walk) = readme.split_once("## See a listing go red").unwrap();
    let step = |number: &str| walk.lines().find(|line| line.starts_with(number)).unwrap();

    let [file] = quoted(step("1. "))[..] else { panic!("step 1 opens one file") };
    let source = std::fs::read_to_string(format!("{root}/{file}")).unwrap();
    let [function, old, new] = quoted(step("2. "))[..] else { panic!("step 2 changes one line") };
    let anchor = walk.split_once("git grep ':").unwrap().1.split_once('}').unwrap().0;
    let (_, listing) = source.split_once(&format!("// ANCHOR: {anchor}\n")).unwrap();
    let (listing, _) = listing.split_once("// ANCHOR_END").unwrap();
    let (_, body) = listing.split_once(&format!("fn {function}(")).unwrap();
    assert_eq!(body.matches(old).count(), 1, "{old} stands once in {function}");
    assert_ne!(old, new);
}
