//! Weave and tangle of the pullback book.
//!
//! The chapters under `book/` print the library's own source through anchors.
//! [`load()`] expands them with mdBook's own code and holds every page to the
//! book's rules; it returns the whole [`Book`], or every [`Fault`] at once.
//! [`tangle()`] turns the loaded pages into the Markdown that skeptic tests, [`open()`]
//! copies what those tests link, and [`coverage()`] counts which source
//! lines the pages print.
//!
//! ```no_run
//! match pullback_weave::load(".") {
//!     Ok(book) => println!("{} listings", book.listings().count()),
//!     Err(faults) => eprintln!("{faults}"),
//! }
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod anchors;
mod apart;
mod blocks;
mod book;
mod chapter;
mod coverage;
mod docs;
mod expand;
mod fault;
mod figures;
mod host;
mod html;
mod includes;
mod library;
mod linked;
mod load;
mod markdown;
mod names;
mod open;
mod places;
mod program;
mod proof;
mod rules;
mod source;
mod summary;
mod switches;
mod tangle;
mod text;

pub use book::{listing_id, Book, Chapter, Kind, Listing, Reference};
pub use coverage::{coverage, Coverage};
pub use fault::{Fault, Faults, What};
pub use figures::{Drawing, Figure, FigureReference};
pub use load::load;
pub use open::open;
pub use tangle::{programs, tangle};
