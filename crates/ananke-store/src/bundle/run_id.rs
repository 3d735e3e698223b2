//! Names of runs: `20261115-115353-7f3a2b1c`, the moment in UTC and a suffix. They sort by time.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// How many digits of the suffix are chance: the ten bits before them are the millisecond.
const RANDOM_BITS: u32 = 22;

/// Returns the name of a run that began at `unix_ms`; `random` keeps runs of the same millisecond apart.
pub fn new_run_id(unix_ms: i64, random: u32) -> String {
    // A clock beyond the year 9999 is no reason not to run.
    let moment = Timestamp::from_millisecond(unix_ms)
        .unwrap_or(Timestamp::UNIX_EPOCH)
        .to_zoned(TimeZone::UTC);
    let millisecond = u32::from(moment.millisecond().unsigned_abs());
    let suffix = (millisecond << RANDOM_BITS) | (random & ((1 << RANDOM_BITS) - 1));
    format!("{}-{suffix:08x}", moment.strftime("%Y%m%d-%H%M%S"))
}

/// Returns the name to try when `run_id` is taken, or `None` if it is no run id.
pub(super) fn next_run_id(run_id: &str) -> Option<String> {
    if !is_run_id(run_id) {
        return None;
    }
    let (moment, suffix) = run_id.rsplit_once('-')?;
    let suffix = u32::from_str_radix(suffix, 16).ok()?.wrapping_add(1);
    Some(format!("{moment}-{suffix:08x}"))
}

/// Tells whether `name` is one that [`new_run_id`] gives.
pub(super) fn is_run_id(name: &str) -> bool {
    let parts: Vec<&str> = name.split('-').collect();
    let [day, time, suffix] = parts[..] else {
        return false;
    };
    let is_number = |part: &str, len| part.len() == len && part.bytes().all(|b| b.is_ascii_digit());
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    is_number(day, 8) && is_number(time, 6) && suffix.len() == 8 && suffix.bytes().all(is_hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_moment_and_a_suffix() {
        assert_eq!(
            new_run_id(1_794_743_633_508, 0x3a_2b1c),
            "20261115-115353-7f3a2b1c"
        );
        assert_eq!(new_run_id(0, u32::MAX), "19700101-000000-003fffff");
    }

    #[test]
    fn ids_sort_by_time_down_to_the_millisecond() {
        let mut ids: Vec<String> = [0, 1, 2, 999, 1000, 86_400_000, 1_794_743_633_508]
            .map(|unix_ms| new_run_id(unix_ms, 0xffff_ffff - u32::try_from(unix_ms % 7).unwrap()))
            .to_vec();
        let in_time = ids.clone();
        ids.sort();
        assert_eq!(ids, in_time);
    }

    #[test]
    fn any_clock_gives_an_id() {
        for unix_ms in [i64::MIN, -1, i64::MAX, 253_402_300_800_000] {
            let id = new_run_id(unix_ms, 7);
            assert!(is_run_id(&id), "{unix_ms}: {id}");
        }
    }

    #[test]
    fn a_taken_id_is_followed_by_another() {
        let next = |id: &str| next_run_id(id).unwrap_or_default();
        assert_eq!(next("20261115-115353-7f3a2b1c"), "20261115-115353-7f3a2b1d");
        assert_eq!(next("20261115-115353-ffffffff"), "20261115-115353-00000000");
    }

    #[test]
    fn other_names_are_no_ids() {
        for name in [
            "",
            "..",
            "latest",
            "20261115-115353",
            "20261115-115353-7F3A2B1C",
            "20261115-115353-7f3a2b1c-x",
            "2026111５-115353-7f3a2b1",
            "20261115-115353-+f3a2b1c",
            "../61115-115353-7f3a2b1c",
        ] {
            assert!(!is_run_id(name), "{name}");
            assert_eq!(next_run_id(name), None, "{name}");
        }
    }
}
