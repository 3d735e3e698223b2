//! Everything that is said about a test when it ended.

use ananke_model::result::TestResult;

use super::attempts::attempts;
use super::failure::failure;
use super::reporter::TerminalOptions;
use super::row::{counts, is_counted, is_troubled, outcome, row, warnings};
use super::stability::rows;
use super::{conversation, dynamic, script};
use crate::dynamic::is_dynamic;
use crate::page::Page;
use crate::stability::Stability;

/// Returns the rows of a function of a script within the frame of its file; nothing if it is not to be shown.
pub(super) fn told_in_frame(
    result: &TestResult,
    stability: Option<&Stability>,
    options: &TerminalOptions,
) -> String {
    let style = &options.style;
    let mut page = Page::default();
    if options.quiet && !is_troubled(result.status) {
        return page.finish();
    }
    let verbose = if options.quiet { 0 } else { options.verbose };
    if let Some(stability) = stability {
        rows(&mut page, result, stability, verbose, style);
        script::evidence(&mut page, result, "    ", options);
    } else {
        script::function(&mut page, result, options);
        if verbose > 0 {
            attempts(&mut page, result, style);
        }
    }
    if verbose > 1 {
        conversation(&mut page, result, style);
    } else {
        let said = stability.map(|one| format!("passed {} of {} runs", one.passed, one.runs));
        warnings(&mut page, result, said.as_deref(), false, style);
    }
    page.gap();
    page.finish()
}

/// Returns the rows of a test; nothing if it is not to be shown.
pub(super) fn told(
    result: &TestResult,
    stability: Option<&Stability>,
    options: &TerminalOptions,
) -> String {
    let style = &options.style;
    let mut page = Page::default();
    let is_troubled = is_troubled(result.status);
    if options.quiet && !is_troubled {
        return page.finish();
    }
    let verbose = if options.quiet { 0 } else { options.verbose };
    let is_counted = stability.is_none() && is_counted(result);
    if let Some(stability) = stability {
        rows(&mut page, result, stability, verbose, style);
    } else {
        if is_dynamic(result) {
            dynamic::rows(&mut page, result, style);
        } else {
            row(&mut page, result, style);
        }
        if is_troubled && result.script.is_some() {
            script::why(&mut page, result, "  ", options);
        } else if is_troubled {
            failure(&mut page, result, style);
        }
        script::evidence(&mut page, result, "     ", options);
        if verbose > 0 {
            attempts(&mut page, result, style);
            dynamic::checkpoints(&mut page, result, style);
        }
        if verbose == 1 && result.case.is_some() && !is_dynamic(result) {
            outcome(&mut page, result, style);
        }
        if (verbose > 0 && result.script.is_none()) || is_counted {
            counts(&mut page, result, style);
        }
    }
    if verbose > 1 {
        conversation(&mut page, result, style);
    } else {
        // The row has told it already.
        let said = stability.map(|one| format!("passed {} of {} runs", one.passed, one.runs));
        // What only the rules of the protocol mind is no news about a test that passed.
        let has_findings = is_troubled || verbose > 0;
        warnings(&mut page, result, said.as_deref(), has_findings, style);
    }
    if verbose > 0 || (is_counted && !options.quiet) {
        page.gap();
    }
    page.finish()
}
