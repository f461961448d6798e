//! The mdBook preprocessor of the pullback book, and the check that it ran.
//!
//! [`Pullback`] takes the chapters after mdBook has put the source into them.
//! It lets [`pullback_weave`] check the whole book, then gives each listing its
//! number, caption, link to the source and folded check, turns references into
//! links and formulas into MathML, and adds a page for every source file that a
//! listing prints. Any fault stops the build with `file:line: what`.
//!
//! [`StampCheck`] is the last output of the book. mdBook leaves out, without a
//! word, a preprocessor whose `supports` call fails; a page without the stamp
//! that [`Pullback`] leaves tells that this happened, and fails the build. Then it
//! goes over the finished pages: it puts colours and links into the code, and takes
//! out the scripts that do this or nothing in the reader's browser. On request it makes an EPUB of them.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod boxes;
mod colour;
mod epub;
mod figure;
mod finish;
mod landmarks;
mod links;
mod math;
mod preprocessor;
mod source;
mod stamp;

pub use preprocessor::{PageFault, PageFaults, Pullback};
pub use source::Repository;
pub use stamp::{StampCheck, STAMP};
