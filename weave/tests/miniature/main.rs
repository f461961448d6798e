//! Miniature books, right ones and wrong ones.

mod faults;
mod loaded;
mod mini;
mod tangle;
