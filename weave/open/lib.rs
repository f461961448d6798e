//! What stands below all other modules of the library, with all public that the whole library sees,
//! for the tests of the other modules' listings to link.
//!
//! An error in a file of this crate is one in the file of the same name below `src/`. Such a module
//! uses no other one, no other one adds to its types, and `Cargo.toml` beside this file names every
//! crate that it uses.
#![allow(warnings)]

include!(concat!(env!("OUT_DIR"), "/opened.rs"));
