//! The mdBook preprocessor of the pullback book, and the check that it ran.
//!
//! [`Pullback`] takes the chapters after mdBook has put the source into them.
//! It lets [`pullback_weave`] check the whole book, then gives each listing its
//! number, caption, link to the source and folded check, draws the figures from
//! what the library records, turns references into links and formulas into
//! MathML, and adds a page for every source file that a
//! listing prints. Any fault stops the build with `file:line: what`.
//!
//! [`Finish`] is the last output of the book. mdBook leaves out, without a
//! word, a preprocessor whose `supports` call fails; a page without the stamp
//! that [`Pullback`] leaves tells that this happened, and fails the build. The
//! other pages it finishes: title and description, skip link and landmarks, an
//! address for every listing, the definitions of the glossary; it puts colours and
//! links into the code, and takes out the scripts that do this or nothing in the
//! reader's browser. On request it makes an EPUB of them.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod addresses;
mod api;
mod boxes;
mod colour;
mod comments;
mod drawing;
mod epub;
mod figure;
mod finish;
mod frame;
mod glossary;
mod head;
mod landmarks;
mod links;
mod listings;
mod math;
mod pattern;
mod preprocessor;
mod settings;
mod source;
mod stamp;
mod trim;

pub use api::{link_api, ApiLinks};
pub use finish::Finish;
pub use preprocessor::{PageFault, PageFaults, Pullback};
pub use source::Repository;
pub use stamp::STAMP;
