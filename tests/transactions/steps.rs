//! Random sequences of steps.

use crate::support::elements;
use crate::support::oracle::Plain;
use crate::support::programs::{choice, Choice};
use proptest::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Flaw {
    None,
    Shape,
    NotFinite,
    /// A seed near the largest float; a panic in the middle of an update.
    Extreme,
}

#[derive(Debug, Clone)]
pub enum Step {
    Leaf {
        parameter: bool,
        shape: u8,
        numbers: u32,
        flaw: Flaw,
    },
    Forward {
        choice: Choice,
        misfit: bool,
        paused: bool,
    },
    Detach {
        node: u8,
    },
    Set {
        node: u8,
        numbers: u32,
        flaw: Flaw,
    },
    Update {
        node: u8,
        numbers: u32,
        flaw: Flaw,
    },
    Pass {
        node: u8,
        numbers: u32,
        flaw: Flaw,
        /// The scalar entry points, which bring a seed of their own.
        implied: bool,
        release: bool,
        traced: bool,
        paused: bool,
    },
    Zero {
        node: u8,
    },
    Drop {
        node: u8,
    },
    HoldValue {
        node: u8,
        during: Vec<Step>,
    },
    HoldGradient {
        node: u8,
        during: Vec<Step>,
    },
}

fn flaw() -> impl Strategy<Value = Flaw> {
    prop_oneof![
        9 => Just(Flaw::None),
        1 => Just(Flaw::Shape),
        1 => Just(Flaw::NotFinite),
        3 => Just(Flaw::Extreme),
    ]
}

fn leaf() -> impl Strategy<Value = Step> {
    (any::<bool>(), any::<u8>(), any::<u32>(), flaw()).prop_map(
        |(parameter, shape, numbers, flaw)| Step::Leaf { parameter, shape, numbers, flaw },
    )
}

fn forward() -> impl Strategy<Value = Step> {
    (choice(), 0_u8..16, 0_u8..12).prop_map(|(choice, misfit, paused)| Step::Forward {
        choice,
        misfit: misfit == 0,
        paused: paused == 0,
    })
}

fn pass() -> impl Strategy<Value = Step> {
    (any::<(u8, u32, bool, bool, bool)>(), 0_u8..5, flaw()).prop_map(
        |((node, numbers, implied, traced, paused), release, flaw)| Step::Pass {
            node,
            numbers,
            flaw,
            implied,
            release: release == 0,
            traced,
            paused,
        },
    )
}

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let node = any::<u8>;
    let simple = prop_oneof![
        3 => leaf(),
        18 => forward(),
        8 => pass(),
        1 => node().prop_map(|node| Step::Detach { node }),
        1 => (node(), any::<u32>(), flaw())
            .prop_map(|(node, numbers, flaw)| Step::Set { node, numbers, flaw }),
        1 => (node(), any::<u32>(), flaw())
            .prop_map(|(node, numbers, flaw)| Step::Update { node, numbers, flaw }),
        1 => node().prop_map(|node| Step::Zero { node }),
        2 => node().prop_map(|node| Step::Drop { node }),
    ];
    let step = simple.prop_recursive(2, 12, 6, move |inner| {
        let during = || proptest::collection::vec(inner.clone(), 1..6);
        prop_oneof![
            12 => inner.clone(),
            1 => (node(), during()).prop_map(|(node, during)| Step::HoldValue { node, during }),
            1 => (node(), during()).prop_map(|(node, during)| Step::HoldGradient { node, during }),
        ]
    });
    proptest::collection::vec(step, 8..48)
}

/// Small numbers with few bits, so that most sums are exact; zeros and ties among them.
pub fn few_bits(count: usize, mut numbers: u32) -> Vec<f64> {
    (0..count)
        .map(|_| {
            numbers = numbers.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0][(numbers >> 24) as usize % 8]
        })
        .collect()
}

pub const SHAPES: [&[usize]; 9] =
    [&[], &[1], &[2], &[4], &[2, 2], &[1, 2], &[2, 1, 2], &[0], &[2, 0]];

/// A seed for an output of this shape. An extreme one is so large that two of its elements overflow
/// together, all of one sign or 0.
pub fn seed_for(shape: &[usize], numbers: u32, flaw: Flaw) -> Plain {
    let mut shape = shape.to_vec();
    if flaw == Flaw::Shape {
        match shape.pop() {
            None => shape = vec![1],
            Some(extent) => shape.extend([1, extent]),
        }
    }
    let mut values = few_bits(elements(&shape), numbers);
    let last = values.len().saturating_sub(1);
    let extreme = if numbers.is_multiple_of(2) { 0.75 * f64::MAX } else { -0.75 * f64::MAX };
    match flaw {
        Flaw::NotFinite => values.iter_mut().skip(last).for_each(|value| *value = f64::NAN),
        Flaw::Extreme => {
            values.iter_mut().filter(|value| **value != 0.0).for_each(|value| *value = extreme);
        }
        Flaw::None | Flaw::Shape => {}
    }
    Plain { shape, values }
}
