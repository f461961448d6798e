//! The pages as a reader gets them: mdBook builds them here, in this process, and a real HTML
//! parser reads them back.
#![forbid(unsafe_code)]

// The test harness starts with this one: its long test runs beside the one that builds the whole book.
mod all_in_one;
mod book;
mod colours;
mod drawings;
mod faults;
mod figures;
mod furniture;
mod links;
mod support;
