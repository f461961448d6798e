//! What README and the introduction tell a reader to do can be done.

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The pieces of a text that stand between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Both name a file, a function, what stands in it and what to put there instead.
#[test]
fn the_line_that_the_walk_changes_is_there() {
    for (page, from, to) in [
        ("README.md", "## See a listing go red", "3. Run"),
        ("book/introduction.md", "Change something.", "and run"),
    ] {
        let text = read(page);
        let (_, walk) = text.split_once(from).unwrap();
        let (walk, _) = walk.split_once(to).unwrap();
        let [file, function, old, new] = quoted(walk)[..] else { panic!("{page}: {walk}") };
        let source = read(file);
        let (_, body) = source.split_once(&format!("fn {function}(")).unwrap();
        let (body, _) = body.split_once("// ANCHOR_END").unwrap();
        assert_eq!(body.matches(old).count(), 1, "{page}: {old} stands once in {function}");
        assert_ne!(old, new);
    }
}
