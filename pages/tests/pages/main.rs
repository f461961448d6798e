//! The pages as a reader gets them: mdBook builds them here, in this process, and a real HTML
//! parser reads them back.
#![forbid(unsafe_code)]

mod book;
mod colours;
mod drawings;
mod faults;
mod figures;
mod furniture;
mod links;
mod support;
mod volume;
