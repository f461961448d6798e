//! The library with everything public, for the tests of listings to link: private is what a module
//! keeps to itself, and of that no other module has a use.
#![allow(warnings)]

include!(concat!(env!("OUT_DIR"), "/opened.rs"));
