//! Stored gradients from pass to pass, and the checks and refusals beside them.

use super::graph::short;
use super::html::{code, elements, number, numbers, picture, words, yes, Cell, Table, NOTHING};
use pullback::gradcheck::GradcheckReport;
use pullback::worked_example::{
    AtomicTensorError, DetachSumExample, FrozenTensorExample, ParameterGradients,
    TypedErrorExample, VjpGradcheckExample,
};
use pullback::{Tensor, TensorAutodiffError};

/// Picture and tables.
pub(super) fn figure(
    frozen: &FrozenTensorExample,
    detached: &DetachSumExample,
    gradcheck: &VjpGradcheckExample,
    rejections: &TypedErrorExample,
    id: &str,
) -> String {
    let moments = moments(frozen);
    [
        bars(&moments, id),
        life(&moments, &frozen.released_error, frozen.released_gradients_unchanged),
        detach(detached),
        checks(gradcheck),
        refusals(rejections),
    ]
    .concat()
}

/// The stored gradients at one moment.
struct Moment<'a> {
    what: String,
    short: &'static str,
    gradients: [(&'static str, &'a Tensor); 2],
}

fn moments(frozen: &FrozenTensorExample) -> Vec<Moment<'_>> {
    let retention = format!("{:?}", frozen.first_pass.retention);
    let moments = [
        (format!("a first pass, {retention}"), "first", &frozen.first),
        (format!("a second pass, {retention}"), "second", &frozen.repeated),
        ("zero_grad of both".to_string(), "zero", &frozen.zeroed),
        ("one more pass, Release".to_string(), "release", &frozen.after_zero_and_release),
    ];
    moments
        .map(|(what, short, ParameterGradients { x, bias })| Moment {
            what,
            short,
            gradients: [("x", x), ("bias", bias)],
        })
        .into()
}

/// A bar for each stored element at each moment.
fn bars(moments: &[Moment<'_>], id: &str) -> String {
    const GAP: f64 = 5.8;
    let stored = moments.iter().flat_map(|moment| moment.gradients);
    let all = stored.flat_map(|(_, tensor)| tensor.as_slice());
    let (least, most) =
        all.fold((0.0, 0.0), |(least, most), &one| (f64::min(least, one), f64::max(most, one)));
    let scale = if most > least { 96.0 / (most - least) } else { 0.0 };
    let zero = 24.0 + most * scale;
    let bottom = 24.0 + 96.0;
    let mut content = String::new();
    let mut x = 34.0;
    let left = x;
    for moment in moments {
        let start = x;
        for (index, (name, tensor)) in moment.gradients.iter().enumerate() {
            let first = x;
            let mut path = String::new();
            for &element in tensor.as_slice() {
                if element != 0.0 {
                    let (x, y, up) = (short(x), short(zero), short(-element * scale));
                    path.push_str(&format!("M{x} {y}v{up}"));
                }
                x += GAP;
            }
            if !path.is_empty() {
                content
                    .push_str(&format!("<path class=\"bars bars-{index}\" d=\"{path}\"></path>"));
            }
            content.push_str(&format!(
                "<text class=\"name\" x=\"{}\" y=\"{}\">{name}</text>",
                short((first + x - GAP) / 2.0),
                short(bottom + 16.0)
            ));
            x += GAP;
        }
        content.push_str(&format!(
            "<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>",
            short((start + x - 2.0 * GAP) / 2.0),
            short(bottom + 36.0),
            moment.short
        ));
        x += 6.0;
    }
    let width = x - 6.0;
    for (value, y) in [(most, 24.0), (0.0, zero)] {
        content.push_str(&format!(
            "<path d=\"M{} {y}H{}\"></path><text text-anchor=\"end\" x=\"{}\" y=\"{}\">{}</text>",
            short(left - 6.0),
            short(width),
            short(left - 10.0),
            short(y + 4.0),
            number(value),
            y = short(y),
        ));
    }
    let told: Vec<String> = moments
        .iter()
        .map(|moment| {
            let [(x, first), (bias, second)] = moment.gradients;
            let (first, second) = (elements(first), elements(second));
            format!("{}: {x} {first}, {bias} {second}", moment.what)
        })
        .collect();
    picture(
        id,
        (width.ceil(), bottom + 48.0),
        "Stored gradients after each step",
        &format!("A bar for each element. After {}.", told.join("; after ")),
        &content,
    )
}

fn life(moments: &[Moment<'_>], refused: &TensorAutodiffError, unchanged: bool) -> String {
    let names = moments.first().map(|moment| moment.gradients.map(|(name, _)| name));
    let [x, bias] = names.unwrap_or_default();
    let mut table = Table::new("Stored gradients", &["after", x, bias]);
    for moment in moments {
        let [x, bias] = moment.gradients.map(|(_, tensor)| numbers(elements(tensor)));
        table.row("", [words(&moment.what), x, bias]);
    }
    let kept = if unchanged { "unchanged" } else { "changed" };
    table.row("", [words(format!("a refused pass: “{refused}”")), words(kept), words(kept)]);
    table.html()
}

fn detach(detached: &DetachSumExample) -> String {
    let mut table = Table::new(
        "detach, in sum(p ⊙ p + 10 · detach(p))",
        &["value", "gradient of p", "gradient of detach(p)", "a new node", "tracked"],
    );
    let gradient = detached.detached_gradient.as_ref().map_or("none".to_string(), elements);
    table.row(
        "",
        [
            numbers(number(detached.value)),
            numbers(elements(&detached.p_gradient)),
            numbers(gradient),
            words(yes(detached.detached_is_new_node)),
            words(yes(detached.detached_tracks_gradient)),
        ],
    );
    table.html()
}

fn checks(gradcheck: &VjpGradcheckExample) -> String {
    let VjpGradcheckExample { add, multiply, reshape, transpose, broadcast, sum, mean, passed } =
        gradcheck;
    let operations: [(&str, &[GradcheckReport]); 7] = [
        ("add", add),
        ("multiply", multiply),
        ("reshape", reshape),
        ("transpose", transpose),
        ("broadcast", broadcast),
        ("sum", sum),
        ("mean", mean),
    ];
    let outcome = if *passed { "all pass" } else { "not all pass" };
    let mut table = Table::wide(
        &format!(
            "Gradient checks of the {} operations, a row for each operand; {outcome}",
            operations.len()
        ),
        &[
            "operation",
            "operand",
            "coordinates",
            "error ÷ allowed is largest at",
            "error there",
            "allowed there",
        ],
    );
    for (operation, reports) in operations {
        for (operand, report) in reports.iter().enumerate() {
            let coordinates: Vec<String> =
                report.coordinates.iter().map(|check| check.index.to_string()).collect();
            let worst = report.worst();
            let small = |value: Option<f64>| {
                Cell::Number(match value {
                    None => NOTHING.to_string(),
                    Some(0.0) => "0".to_string(),
                    Some(value) => format!("{value:.1e}"),
                })
            };
            table.row(
                "",
                [
                    words(operation),
                    words(operand.to_string()),
                    numbers(coordinates.join("\u{a0}")),
                    numbers(worst.map_or(NOTHING.to_string(), |worst| worst.index.to_string())),
                    small(worst.map(|worst| worst.error)),
                    small(worst.map(|worst| worst.allowed)),
                ],
            );
        }
    }
    table.html()
}

fn refusals(rejections: &TypedErrorExample) -> String {
    let TypedErrorExample {
        seed_shape,
        nonfinite_seed,
        graph_released,
        nonfinite_accumulation,
        all_unchanged: _,
    } = rejections;
    let refusals: [(&str, &AtomicTensorError); 4] = [
        ("a seed of another shape", seed_shape),
        ("a NaN in the seed", nonfinite_seed),
        ("a released graph", graph_released),
        ("a stored gradient that overflows", nonfinite_accumulation),
    ];
    let mut table = Table::of_lists(
        &format!("The {} refusals", refusals.len()),
        &["refused", "error and fields", "message", "gradients unchanged", "graph unchanged"],
    );
    for (what, refusal) in refusals {
        table.row(
            "",
            [
                words(what),
                code(&format!("{:?}", refusal.error)),
                words(refusal.error.to_string()),
                words(yes(refusal.gradients_unchanged)),
                words(yes(refusal.graph_unchanged)),
            ],
        );
    }
    table.html()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pullback::gradcheck::CoordinateCheck;
    use pullback::worked_example::{
        detach_sum_example, frozen_tensor_example, typed_error_example, vjp_gradcheck_example,
    };
    use pullback::TensorAutodiffError;

    /// Other records, other figure: each number is changed and must be found.
    #[test]
    fn other_records_show_other_numbers() {
        let mut frozen = frozen_tensor_example().unwrap();
        let mut detached = detach_sum_example().unwrap();
        let mut gradcheck = vjp_gradcheck_example().unwrap();
        let mut rejections = typed_error_example().unwrap();
        let worked = figure(&frozen, &detached, &gradcheck, &rejections, "id");

        let bias = |values: [f64; 3]| Tensor::from_vec([3], values.to_vec()).unwrap();
        frozen.repeated.bias = bias([3.0, -5.0, 96.0]);
        frozen.after_zero_and_release.x = Tensor::filled([2, 3], 0.5).unwrap();
        frozen.released_gradients_unchanged = false;
        detached.value = 64.5;
        detached.p_gradient = bias([7.0, 8.0, 9.0]);
        detached.detached_gradient = Some(bias([1.0, 1.0, 2.0]));
        detached.detached_is_new_node = false;
        detached.detached_tracks_gradient = true;
        let check = |index, error, allowed| CoordinateCheck {
            index,
            analytic: 1.0,
            numeric: 1.0,
            step: 1.0,
            error,
            allowed,
        };
        // The larger error is the smaller part of what is allowed.
        gradcheck.mean[0].coordinates = vec![check(4, 0.6, 3.0), check(17, 0.5, 0.07)];
        gradcheck.passed = false;
        rejections.graph_released.error =
            TensorAutodiffError::NonFiniteSeed { index: 77, value: f64::INFINITY };
        rejections.graph_released.graph_unchanged = false;

        let other = figure(&frozen, &detached, &gradcheck, &rejections, "id");
        let plain = other.replace('\u{a0}', " ");
        for (found, times) in [
            ("3 -5 96", 2),
            ("0.5 0.5 0.5 / 0.5 0.5 0.5", 1),
            ("<span>0.5 0.5 0.5 /</span> <span>0.5 0.5 0.5</span>", 1),
            (">changed<", 2),
            (">64.5<", 1),
            (">7 8 9<", 1),
            (">1 1 2<", 1),
            ("<td>no</td><td>yes</td></tr>", 1),
            (">17</td><td class=\"n whole\">5.0e-1</td><td class=\"n whole\">7.0e-2<", 1),
            ("not all pass", 2),
            ("<code>NonFiniteSeed { index: 77, value: inf }</code>", 1),
            ("finite numbers only</td><td role=\"cell\" data-label=\"gradients unchanged\">yes</td>\
              <td role=\"cell\" data-label=\"graph unchanged\">no</td></tr>", 1),
            // The axis, too.
            (">96</text>", 1),
        ] {
            assert_eq!(plain.matches(found).count(), times, "{found} in {plain}");
            assert!(!worked.replace('\u{a0}', " ").contains(found), "{found}");
        }
    }

    /// The bar of every element has its length: 96 units for the span from least to most.
    #[test]
    fn bars_are_as_long_as_their_numbers() {
        let (x, bias) = (
            Tensor::from_vec([2], vec![10.0, -20.0]).unwrap(),
            Tensor::from_vec([1], vec![28.0]).unwrap(),
        );
        let moment =
            Moment { what: String::new(), short: "", gradients: [("x", &x), ("bias", &bias)] };
        let html = bars(&[moment], "id");
        assert!(html.contains("d=\"M34 80v-20M39.8 80v40\""), "{html}");
        assert!(html.contains("d=\"M51.4 80v-56\""), "{html}");
    }
}
