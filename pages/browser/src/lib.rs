//! Looks at the built book in Chromium, as readers do.
//!
//! Each check opens pages in a [`View`], measures with small scripts (`src/probes/`) and judges
//! here; it returns every [`Fault`] that a reader would meet. `tests/planted/` plants each fault in
//! a page of its own and sees that the check finds it. The command runs all checks on a built book;
//! plain `cargo test` builds none of this.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod access;
mod addresses;
mod browser;
mod colours;
mod fault;
mod fit;
mod folds;
mod frame;
mod keyboard;
mod ledger;
mod links;
mod mark;
mod math;
mod names;
mod page;
mod paper;
mod picture;
mod preview;
mod search;
mod serve;
mod shots;
mod still;
mod tab;
mod terms;
mod view;
mod volume;
mod weight;
mod workflows;

pub use access::{axe, check_access, check_switch};
pub use addresses::{check_addresses, check_lost};
pub use browser::Browser;
pub use colours::{check_colours, check_contrast};
pub use fault::Fault;
pub use fit::{check_arrival, check_tables, check_together};
pub use folds::check_folds;
pub use frame::{check_frame, check_landmarks};
pub use keyboard::check_keys;
pub use ledger::{check_ledger, check_ledger_box};
pub use links::{check_links, pages_of};
pub use mark::{check_mark, source_links};
pub use math::check_math;
pub use names::check_names;
pub use page::check_page;
pub use paper::check_print;
pub use picture::Picture;
pub use preview::{check_preview, kept, preview};
pub use search::{check_found, check_search};
pub use serve::Site;
pub use shots::{picture_mark, picture_page, print_page, PICTURED};
pub use still::check_still;
pub use terms::check_terms;
pub use view::{View, LAPTOP, PAPER, PHONE, THEMES};
pub use volume::{check_document, Volume};
pub use weight::{too_heavy, weigh, Weight};
pub use workflows::check_workflow;
