//! What stands below all other modules of the library, with all public that the whole library sees,
//! for the tests of the other modules' listings to link.
//!
//! An error in a file of this crate is one in the file of the same name below `src/`: such a module
//! uses no other one, and nothing from outside that `Cargo.toml` beside this file does not name.
#![allow(warnings)]

include!(concat!(env!("OUT_DIR"), "/opened.rs"));
