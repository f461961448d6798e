//! What a page is held to on paper.

use serde::Deserialize;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::page::COLUMNS;
use crate::serve::Site;
use crate::view::PAPER;

#[derive(Debug, Deserialize)]
struct Printed {
    numbered: bool,
    codes: Vec<Code>,
    folded: Vec<String>,
    parted: Vec<String>,
    places: Vec<Place>,
}

#[derive(Debug, Deserialize)]
struct Code {
    start: String,
    text: String,
    height: f64,
    line: f64,
    scrolls: bool,
    numbers: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct Place {
    start: String,
    font: String,
    caption: String,
}

/// The faults of a page on A4 paper: lines that are parted from their numbers, listings that are
/// too wide, what may stand on another page than what it announces, and sides without a number.
pub async fn check_print(browser: &Browser, site: &Site, page: &str) -> Vec<Fault> {
    on_tab(browser, PAPER, &format!("{page} in print"), async |tab, found| {
        tab.load(&site.address(page)).await?;
        found.extend(misprinted(&tab.call(include_str!("probes/paper.js"), ()).await?));
        Ok(())
    })
    .await
}

fn misprinted(printed: &Printed) -> Vec<String> {
    let mut found: Vec<String> = printed.codes.iter().flat_map(misprinted_code).collect();
    let start = |what: &str, of: &[String]| {
        of.iter().map(|start| format!("{what}: {start}")).collect::<Vec<_>>()
    };
    if !printed.numbered {
        found.push("its sides have no numbers".to_string());
    }
    found.extend(start("stays folded on paper", &printed.folded));
    found.extend(start("may be parted from what it announces", &printed.parted));
    let odd = printed.places.iter().filter(|place| place.font != place.caption);
    found.extend(odd.map(|place| format!("is not in the font of captions: {}", place.start)));
    found
}

fn misprinted_code(code: &Code) -> Vec<String> {
    let text = code.text.strip_suffix('\n').unwrap_or(&code.text);
    let lines: Vec<&str> = text.split('\n').collect();
    let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let wrapped = (code.height / code.line).round() > lines.len() as f64;
    let mut found = Vec::new();
    if widest <= COLUMNS && (wrapped || code.scrolls) {
        found.push(format!("{widest} columns do not fit the paper: {}", code.start));
    }
    if let Some(numbers) = code.numbers {
        if (numbers - code.height).abs() > code.line / 2.0 {
            let height = code.height;
            found.push(format!("numbers are {numbers:.0} px high, lines {height:.0} px"));
        }
    }
    found
}
