//! The library with everything public that all of it sees, for the tests of listings to link. What
//! is private to a part of it stays so: no module beyond that part has a use for it.
#![allow(warnings)]

include!(concat!(env!("OUT_DIR"), "/opened.rs"));
