//! No false alarm: whatever is legal gives no finding.

use proptest::prelude::*;

use super::grammar::{runs, told};
use super::{broken, exchange};
use crate::rule::Profile;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn legal_streams_break_nothing(runs in runs()) {
        let events = told(&runs);
        for profile in [Profile::V1, Profile::Old] {
            let found = broken(&exchange(&events), profile);
            prop_assert!(found.is_empty(), "{found}\n{events:#?}");
        }
    }

    #[test]
    fn a_stream_that_was_not_read_to_its_end_breaks_nothing(runs in runs(), cut in any::<prop::sample::Index>()) {
        let events = told(&runs);
        let mut exchange = exchange(&events[..cut.index(events.len())]);
        exchange.answer.ending = crate::exchange::Ending::GivenUp("the client went away after 3 events".to_owned());
        prop_assert_eq!(broken(&exchange, Profile::V1), "");
    }
}
