//! Text, numbers and tables as HTML without a line end.

use crate::boxes::reachable;
use pullback::Tensor;

/// What stands where a record has nothing.
pub(super) const NOTHING: &str = "–";

/// Of a tensor with more elements, as many are shown.
const SHOWN: usize = 24;

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A number as the text writes it: 4 and not 4.0.
pub(super) fn number(value: f64) -> String {
    let number = format!("{value:?}");
    number.strip_suffix(".0").unwrap_or(&number).to_string()
}

/// The elements, with a slash at the end of each row; a line may break there and nowhere else.
pub(super) fn elements(tensor: &Tensor) -> String {
    let row = tensor.shape().last().copied().unwrap_or(1).max(1);
    let mut text = String::new();
    for (index, element) in tensor.as_slice().iter().take(SHOWN).enumerate() {
        text.push_str(match index {
            0 => "",
            _ if index % row == 0 => "\u{a0}/ ",
            _ => "\u{a0}",
        });
        text.push_str(&number(*element));
    }
    if tensor.len() > SHOWN {
        text.push_str(&format!(" … ({}\u{a0}elements)", tensor.len()));
    }
    text
}

pub(super) fn optional(tensor: Option<&Tensor>) -> String {
    tensor.map_or(NOTHING.to_string(), elements)
}

/// A shape, a list of strides or of axes.
pub(super) fn list(entries: &[usize]) -> String {
    format!("{entries:?}").replace(' ', "\u{a0}")
}

pub(super) fn yes(holds: bool) -> String {
    if holds { "yes" } else { "no" }.to_string()
}

/// One cell; numbers stand in a font of equal widths.
pub(super) enum Cell {
    Words(String),
    Numbers(String),
    /// Never broken into two lines.
    Number(String),
}

pub(super) fn words(text: impl AsRef<str>) -> Cell {
    Cell::Words(escaped(text.as_ref()))
}

pub(super) fn numbers(text: impl AsRef<str>) -> Cell {
    Cell::Numbers(escaped(text.as_ref()))
}

/// What a record prints as code.
pub(super) fn code(text: &str) -> Cell {
    Cell::Words(format!("<code>{}</code>", escaped(text)))
}

/// Each row of a matrix as an element, which the style sheet gives a line.
fn rows(text: &str) -> String {
    const END: &str = "\u{a0}/ ";
    match text.rsplit_once(END) {
        None => text.to_string(),
        Some((before, last)) => {
            let before = before.replace(END, "\u{a0}/</span> <span>");
            format!("<span>{before}\u{a0}/</span> <span>{last}</span>")
        }
    }
}

/// A table in a box that scrolls where the page is too narrow for it.
pub(super) struct Table {
    name: String,
    html: String,
    /// The header's cells, where each row of a narrow page is a list of its cells by name.
    labels: Vec<String>,
}

impl Table {
    pub(super) fn new(name: &str, header: &[&str]) -> Self {
        Table::captioned(name, &escaped(name), header)
    }

    /// A table whose caption is its name in HTML.
    pub(super) fn captioned(name: &str, caption: &str, header: &[&str]) -> Self {
        let header: String = header.iter().map(|cell| format!("<th>{cell}</th>")).collect();
        let html = format!(
            "<table><caption><span>{caption}</span></caption><thead><tr>{header}</tr></thead><tbody>"
        );
        Table { name: name.to_string(), html, labels: Vec::new() }
    }

    /// A table that a narrow page scrolls. A volume, where nothing scrolls, makes a list of each row.
    pub(super) fn wide(name: &str, header: &[&str]) -> Self {
        let Table { name, html, labels } = Table::new(name, header);
        Table { name, html: html.replace("<table>", "<table class=\"wide\">"), labels }
    }

    /// A table with cells of many words: on a narrow page each row is a list of them.
    ///
    /// The style sheet makes blocks of its parts there, which takes their roles from them in some
    /// browsers; so the roles are written.
    pub(super) fn of_lists(name: &str, header: &[&str]) -> Self {
        let Table { name, html, .. } = Table::new(name, header);
        let html = html
            .replace("<table>", "<table class=\"lists\" role=\"table\">")
            .replace("<thead><tr>", "<thead role=\"rowgroup\"><tr role=\"row\">")
            .replace("<th>", "<th role=\"columnheader\">")
            .replace("<tbody>", "<tbody role=\"rowgroup\">");
        Table { name, html, labels: header.iter().map(|cell| cell.to_string()).collect() }
    }

    /// A row; its first cell is its header. `attributes` start with a space.
    pub(super) fn row(&mut self, attributes: &str, cells: impl IntoIterator<Item = Cell>) {
        let role = |role: &str| match self.labels.is_empty() {
            true => String::new(),
            false => format!(" role=\"{role}\""),
        };
        self.html.push_str(&format!("<tr{}{attributes}>", role("row")));
        for (index, cell) in cells.into_iter().enumerate() {
            let (class, text) = match cell {
                Cell::Words(text) => ("", text),
                Cell::Numbers(text) => (" class=\"n\"", rows(&text)),
                Cell::Number(text) => (" class=\"n whole\"", text),
            };
            let label = self.labels.get(index).map(|label| format!(" data-label=\"{label}\""));
            let label = label.unwrap_or_default();
            self.html.push_str(&match index {
                0 => format!("<th scope=\"row\"{}{class}>{text}</th>", role("rowheader")),
                _ => format!("<td{}{label}{class}>{text}</td>", role("cell")),
            });
        }
        self.html.push_str("</tr>");
    }

    pub(super) fn html(self) -> String {
        let attributes = reachable("region", &format!("Table: {}", self.name));
        format!("<div class=\"table-box\"{attributes}>{}</tbody></table></div>", self.html)
    }
}

/// A picture that scrolls where the page is too narrow for it, with its title and description.
pub(super) fn picture(
    id: &str,
    (width, height): (f64, f64),
    title: &str,
    description: &str,
    content: &str,
) -> String {
    let attributes = reachable("region", title);
    let (title, description) = (escaped(title), escaped(description));
    format!(
        "<div class=\"table-box\"{attributes}><svg role=\"img\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         aria-labelledby=\"{id}-title {id}-desc\"><title id=\"{id}-title\">{title}</title>\
         <desc id=\"{id}-desc\">{description}</desc>{content}</svg></div>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        let written: Vec<String> =
            [4.0, -1.5, 1.0 / 3.0, 1e300, -0.0, f64::NAN].into_iter().map(number).collect();
        assert_eq!(written, ["4", "-1.5", "0.3333333333333333", "1e300", "-0", "NaN"]);
    }

    #[test]
    fn a_line_breaks_at_the_end_of_a_row_only() {
        let tensor = |shape: &[usize]| {
            let values = (0..shape.iter().product()).map(|value: usize| value as f64).collect();
            elements(&Tensor::from_vec(shape, values).unwrap())
        };
        assert_eq!(tensor(&[2, 3]), "0\u{a0}1\u{a0}2\u{a0}/ 3\u{a0}4\u{a0}5");
        assert_eq!(tensor(&[3]), "0\u{a0}1\u{a0}2");
        assert_eq!(tensor(&[]), "0");
        assert_eq!(tensor(&[2, 0]), "");
        assert!(tensor(&[100]).ends_with("\u{a0}23 … (100\u{a0}elements)"));
    }

    #[test]
    fn a_row_of_a_matrix_is_an_element() {
        assert_eq!(rows("1\u{a0}2"), "1\u{a0}2");
        let three = "<span>1\u{a0}2\u{a0}/</span> <span>3\u{a0}4\u{a0}/</span> <span>5</span>";
        assert_eq!(rows("1\u{a0}2\u{a0}/ 3\u{a0}4\u{a0}/ 5"), three);
    }

    #[test]
    fn a_row_that_may_become_a_list_has_names_and_roles() {
        let mut table = Table::of_lists("T", &["a", "b"]);
        table.row("", [words("x"), words("y")]);
        let html = table.html();
        let (_, table) = html.split_once("<table").unwrap();
        assert_eq!(
            table,
            " class=\"lists\" role=\"table\"><caption><span>T</span></caption>\
             <thead role=\"rowgroup\"><tr role=\"row\"><th role=\"columnheader\">a</th>\
             <th role=\"columnheader\">b</th></tr></thead><tbody role=\"rowgroup\"><tr role=\"row\">\
             <th scope=\"row\" role=\"rowheader\">x</th><td role=\"cell\" data-label=\"b\">y</td></tr>\
             </tbody></table></div>"
        );
    }

    #[test]
    fn a_table_has_headers_and_a_name() {
        let mut table = Table::new("One & two", &["a", "b"]);
        table.row(" data-edge=\"1\"", [words("<x>"), numbers("2")]);
        assert_eq!(
            table.html(),
            "<div class=\"table-box\" tabindex=\"0\" role=\"region\" \
             aria-label=\"Table: One &amp; two\"><table><caption><span>One &amp; two</span></caption>\
             <thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr data-edge=\"1\">\
             <th scope=\"row\">&lt;x&gt;</th><td class=\"n\">2</td></tr></tbody></table></div>"
        );
    }
}
