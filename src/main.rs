//! The learner command: prints the evidence of the worked graph.

use pullback::worked_example::{
    detach_sum_example, frozen_tensor_example, typed_error_example, vjp_gradcheck_example,
    DetachSumExample, FrozenTensorExample, ParameterGradients, TypedErrorExample,
    VjpGradcheckExample, WorkedExampleError,
};
use pullback::{Tensor, TensorAutodiffError, TensorSavedContext};
use std::io::{self, Write};
use std::process::ExitCode;

// ANCHOR: learner-tensor-autodiff-output
/// Everything the command prints, computed before the first line.
struct LearnerEvidence {
    frozen: FrozenTensorExample,
    detached: DetachSumExample,
    gradcheck: VjpGradcheckExample,
    rejections: TypedErrorExample,
}

fn prepare() -> Result<LearnerEvidence, WorkedExampleError> {
    Ok(LearnerEvidence {
        frozen: frozen_tensor_example()?,
        detached: detach_sum_example()?,
        gradcheck: vjp_gradcheck_example()?,
        rejections: typed_error_example()?,
    })
}
// ANCHOR_END: learner-tensor-autodiff-output

// ANCHOR: learner-evidence-checks
impl LearnerEvidence {
    /// Refuses to print what does not hold: tape against baseline bit for bit, the double of the
    /// second pass, zeros after `zero_grad`, and every "unchanged" and "pass".
    fn verify(&self) -> Result<(), WorkedExampleError> {
        let FrozenTensorExample { baseline, first, repeated, zeroed, .. } = &self.frozen;
        let output = self.frozen.nodes.last().map(|node| bits(node.value.as_slice()));
        let doubled = |once: &Tensor| bits(once.as_slice().iter().map(|element| 2.0 * element));
        let all_zero = |zeroed: &Tensor| bits(zeroed.as_slice()).iter().all(|&bits| bits == 0);
        let again = &self.frozen.after_zero_and_release;
        let detached = &self.detached;
        for (holds, claim) in [
            (output == Some(bits(baseline.output)), "the output is the baseline's"),
            (
                bits(first.x.as_slice()) == bits(baseline.x_gradient.as_flattened()),
                "the gradient of x is the baseline's",
            ),
            (
                bits(first.bias.as_slice()) == bits(baseline.bias_gradient),
                "the gradient of bias is the baseline's",
            ),
            (
                bits(repeated.x.as_slice()) == doubled(&first.x)
                    && bits(repeated.bias.as_slice()) == doubled(&first.bias),
                "a second pass doubles",
            ),
            (all_zero(&zeroed.x) && all_zero(&zeroed.bias), "zero_grad writes +0.0"),
            (again == first, "a releasing pass commits the first values again"),
            (self.frozen.released_gradients_unchanged, "a released graph changes nothing"),
            (
                detached.detached_is_new_node && !detached.detached_tracks_gradient,
                "a detached node is new and untracked",
            ),
            (self.gradcheck.passed, "every gradient check passes"),
            (self.rejections.all_unchanged, "every refusal changes nothing"),
        ] {
            if !holds {
                return Err(WorkedExampleError::Check(claim));
            }
        }
        Ok(())
    }
}

fn bits(elements: impl IntoIterator<Item = impl std::borrow::Borrow<f64>>) -> Vec<u64> {
    elements.into_iter().map(|element| element.borrow().to_bits()).collect()
}
// ANCHOR_END: learner-evidence-checks

// ANCHOR: learner-printed-lines
/// Prepares and verifies everything, then prints. A failure before that prints nothing.
fn run(
    prepare: impl FnOnce() -> Result<LearnerEvidence, WorkedExampleError>,
    out: &mut impl Write,
) -> Result<(), Box<dyn std::error::Error>> {
    let evidence = prepare()?;
    evidence.verify()?;
    let LearnerEvidence { frozen, detached, gradcheck, rejections } = evidence;
    let mut lines = Vec::new();
    for (label, name) in [
        ("parameter x", "x"),
        ("parameter bias", "bias"),
        ("reshape", "r"),
        ("transpose", "t"),
        ("broadcast", "bb"),
        ("add", "z"),
        ("multiply reused", "q"),
    ] {
        lines.push(format!("{label}: {}", described(node(&frozen, name)?)));
    }
    let (axis, keep_dim) = mean_arguments(&frozen)?;
    let mean = described(node(&frozen, "y")?);
    lines.push(format!("mean axis={axis} keep_dim={keep_dim}: {mean}"));
    lines.push(format!("non-scalar seed: {}", described(&frozen.seed)));
    for (moment, gradients) in [
        ("one backward", &frozen.first),
        ("repeated backward", &frozen.repeated),
        ("zero_grad", &frozen.zeroed),
        ("after zero and release", &frozen.after_zero_and_release),
    ] {
        let ParameterGradients { x, bias } = gradients;
        let (x, bias) = (x.as_slice(), bias.as_slice());
        lines.push(format!("{moment}: x_grad={x:?} bias_grad={bias:?}"));
    }
    let unchanged = frozen.released_gradients_unchanged;
    let operation = released_operation(&frozen.released_error)?;
    lines.push(format!("released graph: operation={operation} gradients unchanged={unchanged}"));
    let (value, p_gradient) = (detached.value, detached.p_gradient.as_slice());
    let none = detached.detached_gradient.map_or("none".to_string(), |it| format!("{it:?}"));
    lines.push(format!(
        "detach and sum: value={value:?} p_grad={p_gradient:?} detached_grad={none}"
    ));
    lines.push(format!(
        "gradcheck: add | multiply | reshape | transpose | broadcast | sum | mean; pass={}",
        gradcheck.passed
    ));
    lines.push(format!(
        "typed errors: seed-shape | non-finite-seed | graph-released | \
         non-finite-accumulated-gradient; gradients unchanged={}",
        rejections.all_unchanged
    ));
    lines.push("chapter 16 handoff: add model-critical tensor VJPs".to_string());
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
// ANCHOR_END: learner-printed-lines

// ANCHOR: learner-command
fn described(tensor: &Tensor) -> String {
    format!("shape={:?} values={:?}", tensor.shape(), tensor.as_slice())
}

fn node<'a>(frozen: &'a FrozenTensorExample, name: &str) -> Result<&'a Tensor, WorkedExampleError> {
    let found = frozen.nodes.iter().find(|node| node.name == name);
    found.map(|node| &node.value).ok_or(WorkedExampleError::Check("a node is missing"))
}

fn mean_arguments(frozen: &FrozenTensorExample) -> Result<(usize, bool), WorkedExampleError> {
    let recorded = frozen.first_pass.edges.iter().find_map(|edge| match edge.saved {
        Some(TensorSavedContext::Reduction { axis, keep_dim, .. }) => Some((axis, keep_dim)),
        _ => None,
    });
    recorded.ok_or(WorkedExampleError::Check("no edge of a mean was recorded"))
}

fn released_operation(error: &TensorAutodiffError) -> Result<String, WorkedExampleError> {
    match error {
        TensorAutodiffError::GraphReleased { operation } => Ok(operation.to_string()),
        _ => Err(WorkedExampleError::Check("a released graph is refused as released")),
    }
}

fn main() -> ExitCode {
    let mut out = io::stdout().lock();
    match run(prepare, &mut out).and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pullback: {error}");
            ExitCode::FAILURE
        }
    }
}
// ANCHOR_END: learner-command

#[cfg(test)]
#[path = "../tests/listings/learner-tensor-autodiff-output.rs"]
mod check_learner_tensor_autodiff_output;

#[cfg(test)]
#[path = "../tests/listings/learner-evidence-checks.rs"]
mod check_learner_evidence_checks;

#[cfg(test)]
#[path = "../tests/listings/learner-printed-lines.rs"]
mod check_learner_printed_lines;

#[cfg(test)]
#[path = "../tests/listings/learner-command.rs"]
mod check_learner_command;
