//! The colours of code can be read on their ground, in each theme.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn sheet() -> String {
    let sheet = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/style/pages.css");
    fs::read_to_string(sheet).unwrap()
}

/// The values of `--code-...` for each selector of the style sheet that sets them.
fn colours() -> BTreeMap<String, BTreeMap<String, String>> {
    let sheet = sheet();
    let mut themes: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for block in sheet.split('}') {
        let Some((before, rules)) = block.rsplit_once('{') else { continue };
        let selector = before.rsplit(['{', '/']).next().unwrap_or_default();
        let system =
            if before.contains("prefers-color-scheme: dark") { " in the dark" } else { "" };
        for rule in rules.split(';') {
            let Some((name, value)) = rule.trim().split_once(": ") else { continue };
            let Some(name) = name.strip_prefix("--code-") else { continue };
            for theme in selector.split(',') {
                let theme = format!("{}{system}", theme.trim());
                themes.entry(theme).or_default().insert(name.to_string(), value.to_string());
            }
        }
    }
    themes
}

/// Red, green and blue.
fn bytes(colour: &str) -> [f64; 3] {
    let hex = colour.strip_prefix('#').unwrap_or_else(|| panic!("{colour} is no hex colour"));
    let digits: Vec<u8> = hex.chars().map(|digit| digit.to_digit(16).unwrap() as u8).collect();
    let bytes: Vec<u8> = match digits.len() {
        3 => digits.iter().map(|digit| 17 * digit).collect(),
        _ => digits.chunks(2).map(|pair| 16 * pair[0] + pair[1]).collect(),
    };
    [0, 1, 2].map(|place| f64::from(bytes[place]))
}

/// The relative luminance of WCAG 2.
fn luminance(bytes: [f64; 3]) -> f64 {
    let [red, green, blue] = bytes.map(|byte| match byte / 255.0 {
        low if low <= 0.04045 => low / 12.92,
        high => ((high + 0.055) / 1.055).powf(2.4),
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: &str, other: &str) -> f64 {
    contrast_of(bytes(one), bytes(other))
}

fn contrast_of(one: [f64; 3], other: [f64; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn contrast_is_counted_as_wcag_counts_it() {
    assert_eq!(contrast("#000", "#ffffff"), 21.0);
    assert_eq!(format!("{:.2}", contrast("#767676", "#fff")), "4.54");
    assert_eq!(format!("{:.2}", contrast("#777777", "#fff")), "4.48");
}

#[test]
fn every_colour_of_code_can_be_read_in_every_theme() {
    let themes = colours();
    let without_script = ["html:not(.js)", "html:not(.js) in the dark"];
    for theme in [".light", ".rust", ".coal", ".navy", ".ayu"].iter().chain(&without_script) {
        let colours = themes.get(*theme).unwrap_or_else(|| panic!("{theme} has no colours"));
        let ground = &colours["bg"];
        let names = ["fg", "comment", "keyword", "type", "value", "text", "name", "attribute"];
        for name in names {
            let ratio = contrast(&colours[name], ground);
            assert!(ratio >= 4.5, "{theme}: {name} has a contrast of {ratio:.2}");
        }
        assert_eq!(colours.len(), 1 + names.len(), "{theme}");
    }
}

/// A name keeps its colour, so its line alone says that it leads somewhere.
#[test]
fn the_line_under_a_name_can_be_seen_in_every_theme() {
    let sheet = sheet();
    let (_, rule) = sheet.split_once(".content pre > code a[href] {").unwrap();
    let (_, rule) = rule.split_once("color-mix(in srgb, currentcolor ").unwrap();
    let share: f64 = rule.split_once("%, transparent)").unwrap().0.parse().unwrap();
    for (theme, colours) in colours() {
        let ground = bytes(&colours["bg"]);
        for (name, colour) in colours.iter().filter(|(name, _)| *name != "bg") {
            let ink = bytes(colour);
            let line = [0, 1, 2]
                .map(|place| ink[place] * share / 100.0 + ground[place] * (1.0 - share / 100.0));
            let ratio = contrast_of(line, ground);
            assert!(ratio >= 3.0, "{theme}: the line under {name} has a contrast of {ratio:.2}");
        }
    }
}
