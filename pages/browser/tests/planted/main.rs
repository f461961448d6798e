//! Each check finds what it is there to find: a fault is planted in a page of its own, and the
//! check must name just that one. All share one browser; without one, nothing here can run.

mod access;
mod figures;
mod fixture;
mod furniture;
mod site;
mod volume;
mod workflows;

use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{run, Arguments, Trial};
use pullback_browser::Browser;
use tokio::runtime::Runtime;
use tokio::sync::OnceCell;

use crate::fixture::Fixture;

/// Small pages do at once what they do at all.
const PATIENCE: Duration = Duration::from_secs(3);

/// What all trials share. The browser starts with the first trial.
struct Shared {
    runtime: Runtime,
    browser: OnceCell<Browser>,
}

impl Shared {
    fn try_out(&self, test: impl AsyncFnOnce(&Fixture<'_>)) {
        self.runtime.block_on(async {
            let start = || async { Browser::launch(PATIENCE).await.expect("a browser") };
            let browser = self.browser.get_or_init(start).await;
            test(&Fixture::new(browser).await).await;
        });
    }
}

/// A trial for each of the named tests.
macro_rules! trials {
    ($shared:ident, $($module:ident: $($test:ident),+;)+) => {
        vec![$($({
            let shared = Arc::clone(&$shared);
            let name = concat!(stringify!($module), "::", stringify!($test));
            Trial::test(name, move || {
                shared.try_out($module::$test);
                Ok(())
            })
        }),+),+]
    };
}

fn main() {
    let arguments = Arguments::from_args();
    let runtime = Runtime::new().expect("a runtime");
    let shared = Arc::new(Shared { runtime, browser: OnceCell::new() });
    let trials = trials! { shared,
        access:
            no_fault,
            picture_without_words,
            pale_text,
            text_pale_in_one_theme,
            field_and_button_without_a_name,
            outside_of_landmarks,
            style_from_the_root_of_the_host,
            missing_page,
            switch_that_no_key_reaches;
        figures:
            ledger_without_fault,
            steps_missing_or_wrong,
            mouse_or_key_that_does_something_else,
            play_that_does_not_go_stop_or_ask,
            table_that_scrolls_keeps_its_keys,
            step_that_one_window_does_not_show,
            keys_that_an_arriving_reader_does_not_see,
            table_that_is_cut,
            still_figures_that_lack_something,
            faint_texts_and_lines;
        furniture:
            frame_that_lacks_something,
            landmarks_missing_or_named_alike,
            definition_that_does_not_show_stay_go_or_tell,
            definition_by_taps,
            search_that_leads_elsewhere,
            address_that_leads_nowhere,
            lost_page_that_works_at_the_front_only,
            link_to_nothing,
            another_picture;
        site:
            no_fault,
            wide_although_hidden,
            wide_inside_a_box,
            wide_without_javascript,
            box_that_no_key_reaches,
            tab_stop_for_nothing,
            arrow_key_that_turns_the_page,
            mark_that_is_wrong,
            columns_that_do_not_fit,
            coloured_command_and_missing_number,
            copy_with_other_words,
            code_without_colours_and_pale_code,
            weight,
            search_too_early_late_or_not_at_all,
            check_that_does_not_unfold,
            names_that_lead_astray,
            wrong_on_paper,
            bar_with_a_gap,
            error_on_the_console,
            script_that_throws,
            missing_file,
            address_above_the_book,
            request_to_another_host,
            missing_page,
            pages_in_folders;
        volume:
            no_fault,
            wider_or_higher_than_a_page;
        workflows:
            no_fault,
            unknown_words;
    };
    let conclusion = run(&arguments, trials);
    let Some(Shared { runtime, browser }) = Arc::into_inner(shared) else {
        panic!("a trial still runs");
    };
    if let Some(browser) = browser.into_inner() {
        let misread = browser.misread();
        runtime.block_on(browser.close()).expect("the browser ends");
        assert_eq!(misread, [], "the browser says what nobody understands");
    }
    conclusion.exit();
}
