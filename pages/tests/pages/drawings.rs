//! The drawn figures: what a page shows is what the library records.

use pullback::gradcheck::{CoordinateCheck, GradcheckReport};
use pullback::worked_example::{
    detach_sum_example, frozen_tensor_example, typed_error_example, vjp_gradcheck_example,
};
use pullback::{Tensor, TensorSavedContext};
use pullback_weave::Drawing;
use scraper::{ElementRef, Html, Selector};

use crate::book::{book, chapters};
use crate::support::{all, one, text, words, Mini};

/// The chapter that shows the figures.
const CHAPTER: &str = "ch15-tensor-autodiff-core.html";

/// What the figures may weigh together.
const MOST_BYTES: usize = 40_000;

/// Numbers as this test writes them, without the help of the drawings.
fn written(tensor: &Tensor) -> String {
    let row = tensor.shape().last().copied().unwrap_or(1);
    let rows: Vec<String> = tensor
        .as_slice()
        .chunks(row)
        .map(|row| row.iter().map(f64::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    rows.join(" / ")
}

fn optional(tensor: &Option<Tensor>) -> String {
    tensor.as_ref().map_or("–".to_string(), written)
}

fn figure(page: &Html, drawing: Drawing) -> ElementRef<'_> {
    let [figure] = all(page, &format!("figure.drawing#figure-{}", drawing.name()))[..] else {
        panic!("one figure {}", drawing.name())
    };
    figure
}

/// The rows of a table's body, cell by cell.
fn rows(table: ElementRef<'_>) -> Vec<Vec<String>> {
    let [row, cell] = ["tbody > tr", "th, td"].map(|selector| Selector::parse(selector).unwrap());
    table.select(&row).map(|row| row.select(&cell).map(words).collect()).collect()
}

/// The tables of a figure, by the start of their captions.
fn table<'a>(figure: ElementRef<'a>, caption: &str) -> ElementRef<'a> {
    let captioned = |table: &ElementRef<'_>| words(one(*table, "caption")).starts_with(caption);
    let tables = Selector::parse("table").unwrap();
    let found: Vec<_> = figure.select(&tables).filter(captioned).collect();
    assert_eq!(found.len(), 1, "{caption}");
    found[0]
}

#[test]
fn every_figure_is_announced_captioned_named_and_light() {
    let book = book();
    let mut bytes = 0;
    for drawing in Drawing::ALL {
        let found: Vec<_> = chapters(&book)
            .filter(|(_, page)| !all(page, &format!("#figure-{}", drawing.name())).is_empty())
            .map(|(path, _)| path)
            .collect();
        assert_eq!(found, [CHAPTER], "{}", drawing.name());
        let figure = figure(book.page(CHAPTER), drawing);
        bytes += figure.html().len();
        let link = one(figure, ".figure-number > a");
        let id = format!("#figure-{}", drawing.name());
        assert_eq!(link.attr("href"), Some(id.as_str()));
        assert!(text(link).starts_with("Figure 15-"));
        assert!(words(one(figure, "figcaption > p")).len() > 60);
        let before = figure.prev_siblings().find_map(ElementRef::wrap).unwrap();
        assert_eq!(before.value().name(), "p", "{}", drawing.name());
        let links = Selector::parse("a").unwrap();
        let announced = before.select(&links).any(|link| link.attr("href") == Some(id.as_str()));
        assert!(announced, "nothing before {} says what to look for", drawing.name());

        let every = |selector: &str| -> Vec<_> {
            let selector = Selector::parse(selector).unwrap();
            figure.select(&selector).collect()
        };
        for svg in every("svg") {
            let named = |name: &str| {
                let element = one(svg, &format!("svg > {name}"));
                let named = svg.attr("aria-labelledby").unwrap_or_default();
                let id = element.attr("id").unwrap();
                assert!(named.split(' ').any(|name| name == id), "{named}");
                words(element)
            };
            assert!(!named("title").is_empty() && named("desc").len() > 60);
        }
        assert!(!every("table").is_empty(), "{} has no table", drawing.name());
    }
    assert!(bytes <= MOST_BYTES, "the figures weigh {bytes} bytes");
}

#[test]
fn the_graph_shows_every_node_and_edge_of_the_record() {
    let book = book();
    let figure = figure(book.page(CHAPTER), Drawing::ForwardGraph);
    let example = frozen_tensor_example().unwrap();
    let pass = &example.first_pass;
    assert_eq!((pass.nodes.len(), pass.edges.len()), (8, 8));
    let svg = one(figure, "svg");
    let shown = rows(table(figure, "The same graph"));
    let mut below = f64::NEG_INFINITY;
    for (index, (node, named)) in pass.nodes.iter().zip(&example.nodes).enumerate() {
        let group = one(svg, &format!("[data-node=\"{index}\"]"));
        assert_eq!(text(one(group, ".name")), named.name);
        let mut operands: Vec<_> = pass.edges.iter().filter(|edge| edge.child == index).collect();
        operands.sort_by_key(|edge| edge.operand);
        let adjoint = optional(&node.pass_adjoint);
        let output = if index == 7 { ", output" } else { "" };
        let expected = [
            named.name.to_string(),
            format!("{index} {} {:?}{output}", node.operation, node.shape),
            format!("value {}", written(&named.value)),
            format!("adjoint {adjoint}"),
        ];
        let lines = Selector::parse("text").unwrap();
        let lines: Vec<String> = group.select(&lines).map(words).collect();
        assert_eq!(lines, expected);
        let operands: Vec<String> = operands
            .iter()
            .map(|edge| format!("{}: {}", edge.operand, example.nodes[edge.parent].name))
            .collect();
        let operands = if operands.is_empty() { "none".to_string() } else { operands.join(", ") };
        assert_eq!(
            shown[index],
            [
                format!("{index} {}", named.name),
                node.operation.to_string(),
                operands,
                format!("{:?}", node.shape),
                written(&named.value),
                adjoint
            ]
        );
        let (_, top, _, bottom) = rect(group);
        assert!(top > below, "node {index} is not below the one before it");
        below = bottom;
    }
    for edge in &pass.edges {
        let group = one(svg, &format!("[data-edge=\"{}\"]", edge.reverse_index));
        assert_eq!(text(one(group, ".operand")), edge.operand.to_string());
        let (start, end) = ends(one(group, "path").attr("d").unwrap());
        let at = |node: usize| rect(one(svg, &format!("[data-node=\"{node}\"]")));
        let (left, _, right, bottom) = at(edge.parent);
        assert!(left < start.0 && start.0 < right && start.1 == bottom, "{start:?}");
        let (left, top, right, _) = at(edge.child);
        assert!(left < end.0 && end.0 < right && end.1 == top - 1.0, "{end:?}");
    }
    let drawn = words(svg);
    assert!(drawn.contains(&format!("seed {}", written(&example.seed))), "{drawn}");
    assert_eq!(words(one(svg, ".total")), "8 nodes, 8 edges");
    let said = words(figure);
    assert_eq!(said.matches("8 edges").count(), 2, "in the picture and in its description: {said}");
}

/// Left, top, right and bottom of a node.
fn rect(group: ElementRef<'_>) -> (f64, f64, f64, f64) {
    let rect = one(group, "rect");
    let number = |name: &str| rect.attr(name).unwrap().parse::<f64>().unwrap();
    let (x, y) = (number("x"), number("y"));
    (x, y, x + number("width"), y + number("height"))
}

/// Where an edge starts, and the tip of its arrow: the one point that the head's two lines share.
fn ends(path: &str) -> ((f64, f64), (f64, f64)) {
    let point = |text: &str| {
        let numbers: Vec<f64> = text
            .split(|letter: char| letter.is_ascii_alphabetic() || letter == ' ')
            .filter(|number| !number.is_empty())
            .take(2)
            .map(|number| number.parse().unwrap())
            .collect();
        (numbers[0], numbers[1])
    };
    let tip = path.rsplit('M').next().unwrap().split('L').nth(1).unwrap();
    (point(&path[1..]), point(tip))
}

#[test]
fn the_ledger_shows_every_edge_of_the_record() {
    let book = book();
    let figure = figure(book.page(CHAPTER), Drawing::ReverseLedger);
    let example = frozen_tensor_example().unwrap();
    let shown = rows(table(figure, "The 8 edges in reverse order"));
    assert_eq!(shown.len(), 8);
    let rules =
        ["spread1(u) / 3", "u ⊙ z", "u ⊙ z", "u", "u", "Σ0 u", "swap0, 1(u)", "reshape(u, [2, 3])"];
    for (edge, (shown, rule)) in example.first_pass.edges.iter().zip(shown.iter().zip(rules)) {
        let node = |index: usize| {
            let shape = &example.first_pass.nodes[index].shape;
            format!("{} {shape:?}", example.nodes[index].name)
        };
        let (kind, reduced, fields) = match edge.saved.as_ref().unwrap() {
            TensorSavedContext::Broadcast { reduced_axes, .. } => {
                ("Broadcast", Some(reduced_axes), vec![])
            }
            TensorSavedContext::Multiply { other, reduced_axes, .. } => {
                ("Multiply", Some(reduced_axes), vec![format!("other {}", written(other))])
            }
            TensorSavedContext::Reshape { .. } => ("Reshape", None, vec![]),
            TensorSavedContext::Transpose { first_axis, second_axis, .. } => {
                ("Transpose", None, vec![format!("axes {first_axis} and {second_axis}")])
            }
            TensorSavedContext::Reduction { axis, keep_dim, divisor, .. } => {
                let fields = [
                    format!("axis {axis}"),
                    format!("keep_dim {keep_dim}"),
                    format!("divisor {divisor}"),
                ];
                ("Reduction", None, fields.to_vec())
            }
            other => panic!("{other:?}"),
        };
        let shapes = (
            &example.first_pass.nodes[edge.parent].shape,
            &example.first_pass.nodes[edge.child].shape,
        );
        let fields: Vec<String> = fields
            .into_iter()
            .chain([format!("input {:?}", shapes.0), format!("output {:?}", shapes.1)])
            .collect();
        let axes = reduced.map_or("–".to_string(), |axes| {
            let axes: Vec<_> = axes.iter().map(|axis| axis.to_string()).collect();
            if axes.is_empty() {
                "none".to_string()
            } else {
                axes.join(", ")
            }
        });
        assert_eq!(
            *shown,
            [
                edge.reverse_index.to_string(),
                format!("{} → {}", node(edge.child), node(edge.parent)),
                edge.operand.to_string(),
                written(&edge.upstream),
                rule.to_string(),
                format!("{kind}: {}", fields.join(", ")),
                axes,
                optional(&edge.contribution),
                optional(&edge.parent_adjoint_before),
                optional(&edge.parent_adjoint_after),
            ]
        );
    }
    let legend: Vec<String> = rows(table(figure, "The rules of this graph’s 6 operations"))
        .into_iter()
        .map(|row| row[0].clone())
        .collect();
    assert_eq!(legend, ["mean", "multiply", "add", "broadcast", "transpose", "reshape"]);
}

#[test]
fn the_stored_gradients_checks_and_refusals_are_the_recorded_ones() {
    let book = book();
    let figure = figure(book.page(CHAPTER), Drawing::StoredGradients);
    let example = frozen_tensor_example().unwrap();
    let moments =
        [&example.first, &example.repeated, &example.zeroed, &example.after_zero_and_release];
    let shown = rows(table(figure, "Stored gradients"));
    assert_eq!(shown.len(), moments.len() + 1);
    for (shown, moment) in shown.iter().zip(moments) {
        assert_eq!(shown[1..], [written(&moment.x), written(&moment.bias)]);
    }
    assert!(example.released_gradients_unchanged);
    assert_eq!(
        shown[4],
        [
            format!("a refused pass: “{}”", example.released_error),
            "unchanged".to_string(),
            "unchanged".to_string()
        ]
    );

    // A bar for each element that is not zero, in proportion.
    let paths = Selector::parse("svg .bars").unwrap();
    let drawn: Vec<f64> = figure
        .select(&paths)
        .flat_map(|path| path.attr("d").unwrap().split('v').skip(1).collect::<Vec<_>>())
        .map(|rest| -rest.split('M').next().unwrap().parse::<f64>().unwrap())
        .collect();
    let expected: Vec<f64> = moments
        .iter()
        .flat_map(|moment| moment.x.as_slice().iter().chain(moment.bias.as_slice()))
        .copied()
        .filter(|element| *element != 0.0)
        .collect();
    assert_eq!((drawn.len(), expected.len()), (27, 27));
    for (drawn, expected) in drawn.iter().zip(expected) {
        assert!((drawn - 96.0 * expected / 68.0).abs() < 0.1, "{drawn} for {expected}");
    }

    let detached = detach_sum_example().unwrap();
    assert_eq!(detached.detached_gradient, None);
    assert_eq!(
        rows(table(figure, "detach")),
        [[&detached.value.to_string(), &written(&detached.p_gradient), "none", "yes", "no"]]
    );

    let checks = vjp_gradcheck_example().unwrap();
    assert!(checks.passed);
    let reports: [(&str, &[GradcheckReport]); 7] = [
        ("add", &checks.add),
        ("multiply", &checks.multiply),
        ("reshape", &checks.reshape),
        ("transpose", &checks.transpose),
        ("broadcast", &checks.broadcast),
        ("sum", &checks.sum),
        ("mean", &checks.mean),
    ];
    let checked =
        table(figure, "Gradient checks of the 7 operations, a row for each operand; all pass");
    let head = Selector::parse("thead th").unwrap();
    assert_eq!(
        checked.select(&head).skip(3).map(words).collect::<Vec<_>>(),
        ["error ÷ allowed is largest at", "error there", "allowed there"]
    );
    let shown = rows(checked);
    let reports: Vec<_> = reports
        .iter()
        .flat_map(|(name, reports)| reports.iter().enumerate().map(move |one| (name, one)))
        .collect();
    assert_eq!(shown.len(), reports.len());
    for (shown, (operation, (operand, report))) in shown.iter().zip(reports) {
        let coordinates: Vec<_> =
            report.coordinates.iter().map(|check| check.index.to_string()).collect();
        assert_eq!(shown[..3], [operation, &*operand.to_string(), &*coordinates.join(" ")]);
        let part = |check: &CoordinateCheck| check.error / check.allowed;
        let largest = report.coordinates.iter().map(part).fold(0.0, f64::max);
        let at = report.coordinates.iter().find(|check| check.index.to_string() == shown[3]);
        let CoordinateCheck { error, allowed, .. } = *at.unwrap();
        assert_eq!(error / allowed, largest, "{shown:?}");
        let number = |text: &str| text.parse::<f64>().unwrap();
        assert!((number(&shown[4]) - error).abs() <= 0.05 * error, "{shown:?}");
        assert!((number(&shown[5]) - allowed).abs() <= 0.05 * allowed, "{shown:?}");
    }

    let refusals = typed_error_example().unwrap();
    let shown = rows(table(figure, "The 4 refusals"));
    let four = [
        &refusals.seed_shape,
        &refusals.nonfinite_seed,
        &refusals.graph_released,
        &refusals.nonfinite_accumulation,
    ];
    assert_eq!(shown.len(), four.len());
    for (shown, refusal) in shown.iter().zip(four) {
        let (fields, message) = (format!("{:?}", refusal.error), refusal.error.to_string());
        assert_eq!(shown[1..], [&fields, &message, "yes", "yes"]);
    }
}

#[test]
fn the_walks_are_those_of_the_library() {
    let book = book();
    let figure = figure(book.page(CHAPTER), Drawing::OffsetWalk);
    let example = frozen_tensor_example().unwrap();
    let pass = &example.first_pass;
    let coordinates = ["0,0", "0,1", "0,2", "1,0", "1,1", "1,2"];
    for (caption, role, storage, strides, offsets) in [
        (
            "A walk over [2, 3] that adds into the adjoint of bias: 16 16 34",
            "destination",
            pass.edges[5].contribution.as_ref().unwrap(),
            [0, 1],
            [0, 1, 2, 0, 1, 2],
        ),
        (
            "A walk over [2, 3] that reads from the adjoint of y: 3 6",
            "source",
            &pass.seed,
            [1, 0],
            [0, 0, 0, 1, 1, 1],
        ),
    ] {
        let walked = storage.view().projected_offsets(&[2, 3], &strides, 6).unwrap();
        assert_eq!(walked.collect::<Vec<_>>(), offsets);
        let table = table(figure, caption);
        let head = Selector::parse("thead th").unwrap();
        let head: Vec<_> = table.select(&head).skip(1).map(words).collect();
        assert_eq!(head, coordinates);
        let shown = rows(table);
        assert_eq!(shown[0][0], format!("{role} offset, strides {strides:?}"));
        assert_eq!(shown[0][1..], offsets.map(|offset| offset.to_string()));
        let element = |step: usize| match role {
            "source" => storage.as_slice()[offsets[step]],
            _ => pass.edges[5].upstream.as_slice()[step],
        };
        let elements: Vec<_> = (0..6).map(|step| element(step).to_string()).collect();
        assert_eq!(shown[1][1..], elements);

        let picture = format!("svg[aria-labelledby^=\"figure-offset-walk-{role}-\"]");
        let picture = one(figure, &picture);
        let drawn = Selector::parse(".offset").unwrap();
        let drawn: Vec<_> = picture.select(&drawn).map(text).collect();
        assert_eq!(drawn, offsets.map(|offset| offset.to_string()));
        // Lines with one offset end at one place, others at another.
        let lines = Selector::parse("path:not(.ends)").unwrap();
        let end =
            |line: ElementRef<'_>| line.attr("d").unwrap().split('L').nth(1).unwrap().to_string();
        let ends: Vec<_> = picture.select(&lines).map(end).collect();
        for one in 0..6 {
            for other in 0..6 {
                assert_eq!(offsets[one] == offsets[other], ends[one] == ends[other]);
            }
        }
    }
}

#[test]
fn a_figure_of_a_short_book_has_its_number_caption_and_links() {
    let mini = Mini::new();
    mini.replace("book/front.md", "See ", "See {{#figure reverse-ledger}} and ");
    mini.replace(
        "book/two.md",
        "As in {{#listing twice}}.\n",
        "As in {{#listing twice}}.\n\n{{#figure offset-walk}}\nFigure: Two *walks*, see \
         {{#listing thrice}}\nand {{#figure reverse-ledger}}, $x$.\n\nMore.\n\n\
         {{#figure reverse-ledger}}\nFigure: A ledger.\n\nAnd code.\n",
    );
    let site = mini.build().unwrap();
    let page = site.page("two.html");
    let [walk, ledger] = all(page, "main > figure.drawing")[..] else { panic!("two figures") };
    assert_eq!(walk.attr("id"), Some("figure-offset-walk"));
    assert_eq!(
        words(one(walk, "figcaption")),
        "Figure 3-1 Two walks, see Listing 3-1 and Figure 3-2, x."
    );
    assert_eq!(text(one(walk, "figcaption em")), "walks");
    assert_eq!(words(one(ledger, "figcaption")), "Figure 3-2 A ledger.");
    let links = all(page, "figcaption a[href='#figure-reverse-ledger']");
    assert_eq!(links.len(), 2);
    let links = all(site.page("front.html"), "main a[href='two.html#figure-reverse-ledger']");
    assert_eq!(links.into_iter().map(text).collect::<Vec<_>>(), ["Figure 3-2"]);
    assert!(!text(page.root_element()).contains("{{#"));
}

#[test]
fn an_unknown_figure_stops_the_build_at_its_line() {
    let mini = Mini::new();
    mini.replace("book/two.md", "# Two\n", "# Two\n\nLook.\n\n{{#figure graph}}\nFigure: It.\n");
    assert_eq!(
        mini.build().err().as_deref(),
        Some(
            "book/two.md:5: there is no figure `graph`; there are forward-graph, reverse-ledger, \
             stored-gradients, offset-walk"
        )
    );
}
