//! The forward graph: one row for each node, in topological order from top to bottom.
//!
//! A value runs down a lane of its own until its last use, so no line meets a node that it does not
//! belong to, whatever the graph. Only the lines to an operation leave their lane, just above it.

use super::html::{elements, escaped, list, numbers, optional, picture, words, Table};
use super::trace::Trace;

/// The height of a row, and of the pill that holds a node's name.
const ROW: f64 = 62.0;
const PILL: f64 = 26.0;
/// The first row's middle, and the room below the last for the seed and the totals.
const TOP: f64 = 32.0;
const BOTTOM: f64 = 96.0;
/// The width of a letter, and of one in a name.
const LETTER: f64 = 7.3;
const NAME_LETTER: f64 = 8.2;

/// Picture and table.
pub(super) fn figure(trace: &Trace<'_>, id: &str) -> String {
    format!("{}{}", graph(trace, id), table(trace))
}

/// Where everything stands.
struct Layout {
    lanes: Vec<usize>,
    lane: f64,
    pill: f64,
    /// Where the text beside the nodes begins.
    text: f64,
}

impl Layout {
    fn new(trace: &Trace<'_>) -> Self {
        let lanes = lanes(trace);
        let names = (0..lanes.len()).map(|node| trace.name(node).chars().count());
        let pill = f64::max(names.max().unwrap_or(0) as f64 * NAME_LETTER + 8.0, 36.0);
        let lane = pill + 10.0;
        let count = lanes.iter().max().map_or(0, |last| last + 1);
        Layout { lanes, lane, pill, text: 10.0 + count as f64 * lane }
    }

    fn x(&self, node: usize) -> f64 {
        3.0 + self.lanes[node] as f64 * self.lane + self.pill / 2.0
    }

    fn y(&self, node: usize) -> f64 {
        TOP + node as f64 * ROW
    }
}

/// The lane of each node: that of an operand that is used for the last time, else the first that is
/// free.
fn lanes(trace: &Trace<'_>) -> Vec<usize> {
    let last_use = |node: usize| {
        let uses = trace.pass.edges.iter().filter(|edge| edge.parent == node);
        uses.map(|edge| edge.child).max()
    };
    let mut taken: Vec<Option<usize>> = Vec::new();
    let mut lanes = Vec::new();
    for node in 0..trace.pass.nodes.len() {
        let mut chosen = None;
        for edge in trace.operands(node) {
            if last_use(edge.parent) == Some(node) {
                let lane: usize = lanes[edge.parent];
                taken[lane] = None;
                chosen = chosen.or(Some(lane));
            }
        }
        let free = taken.iter().position(Option::is_none).unwrap_or(taken.len());
        let lane = chosen.unwrap_or(free);
        if lane == taken.len() {
            taken.push(None);
        }
        taken[lane] = last_use(node);
        lanes.push(lane);
    }
    lanes
}

fn graph(trace: &Trace<'_>, id: &str) -> String {
    let layout = Layout::new(trace);
    let mut content = String::new();
    let mut letters = 0;
    for child in 0..trace.pass.nodes.len() {
        let operands = trace.operands(child);
        for edge in &operands {
            let twins: Vec<usize> = operands
                .iter()
                .filter(|twin| twin.parent == edge.parent)
                .map(|twin| twin.operand)
                .collect();
            let nth = twins.iter().position(|operand| *operand == edge.operand).unwrap_or(0);
            let bow = spread(nth, twins.len(), 18.0);
            let (path, label) = arrow(&layout, edge.parent, child, edge.operand, &operands, bow);
            let class = if edge.parent_tracked { "" } else { " class=\"untracked\"" };
            content.push_str(&format!(
                "<g data-edge=\"{}\"{class}><path d=\"{path}\"></path>{label}</g>",
                edge.reverse_index
            ));
        }
    }
    let last = trace.pass.nodes.len().saturating_sub(1);
    for (index, node) in trace.pass.nodes.iter().enumerate() {
        let name = trace.name(index);
        let (x, y) = (layout.x(index), layout.y(index));
        let output = if index == last { ", output" } else { "" };
        let mut lines = vec![format!("{index} {} {}{output}", node.operation, list(&node.shape))];
        lines.extend(trace.value(index).map(|value| format!("value {}", elements(value))));
        lines.push(format!("adjoint {}", optional(node.pass_adjoint.as_ref())));
        letters = lines.iter().map(|line| line.chars().count()).fold(letters, usize::max);
        let class = match (node.parameter, node.tracked) {
            (true, _) => " class=\"parameter\"",
            (false, true) => "",
            (false, false) => " class=\"untracked\"",
        };
        let rounding = if node.operation.is_leaf() { PILL / 2.0 } else { 4.0 };
        content.push_str(&format!(
            "<g data-node=\"{index}\"{class}><rect x=\"{}\" y=\"{}\" width=\"{}\" \
             height=\"{PILL}\" rx=\"{rounding}\"></rect><text class=\"name\" x=\"{}\" \
             y=\"{}\">{}</text>",
            short(x - layout.pill / 2.0),
            short(y - PILL / 2.0),
            short(layout.pill),
            short(x),
            short(y + 5.0),
            escaped(&name)
        ));
        let first = y + 4.0 - 8.5 * (lines.len() - 1) as f64;
        for (nth, line) in lines.iter().enumerate() {
            let (key, rest) = line.split_at(line.find([' ', '\u{a0}']).unwrap_or(0));
            content.push_str(&format!(
                "<text x=\"{}\" y=\"{}\"><tspan>{key}</tspan>{}</text>",
                short(layout.text),
                short(first + 17.0 * nth as f64),
                escaped(rest)
            ));
        }
        content.push_str("</g>");
    }
    let (nodes, edges) = (trace.pass.nodes.len(), trace.pass.edges.len());
    if nodes > 0 {
        let (x, y) = (layout.x(last), layout.y(last) + PILL / 2.0);
        let seed = format!("seed {}", elements(&trace.pass.seed));
        letters = letters.max(seed.chars().count());
        content.push_str(&format!(
            "<path class=\"seed\" d=\"M{x} {}V{}M{} {}L{x} {}L{} {}\"></path>\
             <text x=\"{}\" y=\"{}\">{seed}</text>",
            short(y + 32.0),
            short(y + 2.0),
            short(x - 4.0),
            short(y + 9.0),
            short(y + 2.0),
            short(x + 4.0),
            short(y + 9.0),
            short(layout.text),
            short(y + 34.0),
            x = short(x),
        ));
    }
    let height = TOP + nodes as f64 * ROW - ROW + BOTTOM;
    content.push_str(&format!(
        "<text class=\"total\" x=\"{}\" y=\"{}\">{nodes} nodes, {edges} edges</text>",
        short(layout.text),
        short(height - 12.0)
    ));
    let width = (layout.text + letters as f64 * LETTER + 6.0).ceil();
    let uses: Vec<String> = (0..nodes)
        .filter_map(|node| {
            let operands = trace.operands(node);
            let names: Vec<_> = operands.iter().map(|edge| trace.name(edge.parent)).collect();
            (!names.is_empty())
                .then(|| format!("{} from {}", trace.name(node), names.join(" and ")))
        })
        .collect();
    let names: Vec<_> = (0..nodes).map(|node| trace.name(node)).collect();
    let title = "Forward graph";
    let description = format!(
        "{nodes} nodes in topological order, from top to bottom: {}. {edges} edges: {}. \
         The table has the same numbers.",
        names.join(", "),
        uses.join("; ")
    );
    picture(id, (width, height), title, &description, &content)
}

/// The `nth` of `count` places side by side, around 0.
fn spread(nth: usize, count: usize, gap: f64) -> f64 {
    (nth as f64 - (count as f64 - 1.0) / 2.0) * gap
}

/// The line from an operand down to its consumer, and the operand's number at its end.
fn arrow(
    layout: &Layout,
    parent: usize,
    child: usize,
    operand: usize,
    operands: &[&pullback::TensorBackwardEdge],
    bow: f64,
) -> (String, String) {
    let count = operands.len();
    let gap = f64::min(18.0, (layout.pill - 12.0) / count as f64);
    let nth = operands.iter().position(|edge| edge.operand == operand).unwrap_or(0);
    let (from, to) = (layout.x(parent), layout.x(child) + spread(nth, count, gap));
    let (start, end) = (layout.y(parent) + PILL / 2.0, layout.y(child) - PILL / 2.0 - 1.0);
    let down = from + 1.7 * bow;
    let head = if bow == 0.0 {
        format!("M{} {}", short(from), short(start))
    } else {
        let turn = start + 12.0;
        format!(
            "M{} {}C{} {} {d} {} {d} {}",
            short(from + bow / 2.0),
            short(start),
            short(from + bow / 2.0),
            short(start + 6.0),
            short(start + 6.0),
            short(turn),
            d = short(down)
        )
    };
    let path = format!(
        "{head}V{}C{d} {} {t} {} {t} {e}M{} {b}L{t} {e}L{} {b}",
        short(end - 22.0),
        short(end - 8.0),
        short(end - 16.0),
        short(to - 4.0),
        short(to + 4.0),
        d = short(down),
        t = short(to),
        e = short(end),
        b = short(end - 7.0)
    );
    // To the left of the first operand and to the right of the last, where no line comes from.
    let left = nth == 0 && count > 1;
    let (at, anchor) = if left { (to - 8.0, " text-anchor=\"end\"") } else { (to + 8.0, "") };
    let label = format!(
        "<text class=\"operand\" x=\"{}\" y=\"{}\"{anchor}>{operand}</text>",
        short(at),
        short(end - 4.0)
    );
    (path, label)
}

/// A coordinate without a needless digit.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_string()
}

fn table(trace: &Trace<'_>) -> String {
    let mut table = Table::wide(
        "The same graph, each edge as an operand of its consumer",
        &["node", "operation", "operands", "shape", "value", "pass adjoint"],
    );
    for (index, node) in trace.pass.nodes.iter().enumerate() {
        let operands: Vec<String> = trace
            .operands(index)
            .iter()
            .map(|edge| format!("{}:\u{a0}{}", edge.operand, trace.name(edge.parent)))
            .collect();
        table.row(
            "",
            [
                words(format!("{index}\u{a0}{}", trace.name(index))),
                words(node.operation.to_string()),
                words(if operands.is_empty() { "none".to_string() } else { operands.join(", ") }),
                numbers(list(&node.shape)),
                numbers(optional(trace.value(index))),
                numbers(optional(node.pass_adjoint.as_ref())),
            ],
        );
    }
    table.html()
}

#[cfg(test)]
mod tests {
    use super::super::trace::tests::Other;
    use super::*;
    use pullback::worked_example::frozen_tensor_example;
    use scraper::{Html, Selector};

    fn all(html: &str, selector: &str) -> Vec<String> {
        let (html, selector) = (Html::parse_fragment(html), Selector::parse(selector).unwrap());
        let found = html.select(&selector).map(|element| {
            let text: String = element.text().collect();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        });
        found.collect()
    }

    #[test]
    fn another_graph_shows_other_numbers() {
        let other = Other::new();
        let html = figure(&other.trace(), "id");
        let nodes = all(&html, "svg [data-node] > text:not(.name)");
        assert_eq!(
            &nodes[..6],
            [
                "0 parameter [2, 3]",
                "value 1 2 3 / 4 5 6.5",
                "adjoint -1 -20 -300 / 28 350 4550",
                "1 add [2, 3]",
                "value 2 4 6 / 8 10 13",
                "adjoint -0.25 -5 -75 / 7 87.5 1137.5"
            ]
        );
        let names = all(&html, "svg .name");
        assert_eq!(names, ["a", "double", "column", "scaled", "mixed", "sums", "k", "y<&>"]);
        assert_eq!(all(&html, "svg .total"), ["8 nodes, 9 edges"]);
        assert_eq!(all(&html, "svg [data-edge] .operand").len(), 9);
        assert_eq!(all(&html, "svg .untracked").len(), 2, "k, and the edge to it");
        let cells = all(&html, "tbody tr:last-child > *");
        assert_eq!(cells[..3], ["7 y<&>", "multiply", "0: sums, 1: k"]);
        let worked = frozen_tensor_example().unwrap();
        assert_ne!(figure(&Trace::of(&worked), "id"), html);
    }

    #[test]
    fn both_edges_of_a_square_are_lines_of_their_own() {
        let worked = frozen_tensor_example().unwrap();
        let html = figure(&Trace::of(&worked), "id");
        let parsed = Html::parse_fragment(&html);
        let path = |edge: usize| {
            let selector = Selector::parse(&format!("[data-edge='{edge}'] path")).unwrap();
            let [path] = parsed.select(&selector).collect::<Vec<_>>()[..] else {
                panic!("one line for edge {edge}")
            };
            path.attr("d").unwrap().to_string()
        };
        let paths: Vec<_> = (0..8).map(path).collect();
        for (index, path) in paths.iter().enumerate() {
            assert!(!paths[..index].contains(path), "edge {index} lies on another");
        }
        assert_eq!(all(&html, "[data-edge='1'] .operand"), ["0"]);
        assert_eq!(all(&html, "[data-edge='2'] .operand"), ["1"]);
    }

    /// A node keeps its lane to itself from its row to that of its last use.
    #[test]
    fn no_line_runs_through_a_node() {
        let worked = frozen_tensor_example().unwrap();
        let other = Other::new();
        for trace in [Trace::of(&worked), other.trace()] {
            let lanes = lanes(&trace);
            for edge in &trace.pass.edges {
                let between = edge.parent + 1..edge.child;
                assert!(between.clone().all(|node| lanes[node] != lanes[edge.parent]), "{lanes:?}");
            }
        }
        assert_eq!(lanes(&Trace::of(&worked)), [0, 0, 0, 1, 1, 0, 0, 0]);
        assert_eq!(lanes(&other.trace()), [0, 1, 2, 1, 1, 1, 0, 1]);
    }
}
