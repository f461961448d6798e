use super::*;
use std::panic::{catch_unwind, resume_unwind};

fn early(leave: bool) -> Option<bool> {
    no_grad(|| {
        let inside = is_recording();
        if leave {
            None?
        }
        Some(inside)
    })
}

/// The pause belongs to one thread, nests, and ends on every way out of its closure.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    assert!(is_recording());
    assert_eq!(no_grad(|| (is_recording(), 7)), (false, 7));
    assert!(is_recording());

    let nested = no_grad(|| {
        let inner = no_grad(is_recording);
        (inner, is_recording())
    });
    assert_eq!(nested, (false, false));
    assert!(is_recording());

    assert_eq!((early(false), early(true)), (Some(false), None));
    assert!(is_recording());

    let after_inner_panic = no_grad(|| {
        assert!(catch_unwind(|| no_grad(|| resume_unwind(Box::new("out")))).is_err());
        is_recording()
    });
    assert!(!after_inner_panic && is_recording());

    let elsewhere = no_grad(|| std::thread::spawn(is_recording).join());
    assert!(elsewhere.unwrap());
    let inside_elsewhere = std::thread::spawn(|| no_grad(is_recording)).join();
    assert!(!inside_elsewhere.unwrap() && is_recording());
}
