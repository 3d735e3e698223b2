//! Moments as prompts name them, in UTC.

const DAY_MS: i64 = 86_400_000;
const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// A moment, taken apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    year: i64,
    month: i64,
    day: i64,
    /// Milliseconds of the day.
    ms: i64,
    weekday: &'static str,
}

impl Moment {
    /// Takes a moment in Unix milliseconds apart.
    pub(super) fn new(unix_ms: i64) -> Self {
        let days = unix_ms.div_euclid(DAY_MS);
        // Counted from 0000-03-01, so that a leap day is the last of its year; 400 years always have as many days.
        let shifted = days + 719_468;
        let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let months_since_march = (5 * day_of_year + 2) / 153;
        let month = match months_since_march {
            0..=9 => months_since_march + 3,
            _ => months_since_march - 9,
        };
        let weekday = usize::try_from((days + 3).rem_euclid(7)).unwrap_or_default();
        Self {
            year: 400 * era + year_of_era + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * months_since_march + 2) / 5 + 1,
            ms: unix_ms.rem_euclid(DAY_MS),
            weekday: WEEKDAYS[weekday],
        }
    }

    /// Returns what `$SYS.<name>` stands for; nothing if there is no such name.
    pub(super) fn named(&self, name: &str) -> Option<String> {
        let Self {
            year, month, day, ..
        } = self;
        let seconds = self.ms / 1000;
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let date = || format!("{year:04}-{month:02}-{day:02}");
        let time = || format!("{hour:02}:{minute:02}:{second:02}");
        Some(match name {
            "TIME" => time(),
            "DATE" => date(),
            "DATETIME" => format!("{} {}", date(), time()),
            "TIMEZONE" => "UTC".to_owned(),
            "WEEKDAY" => self.weekday.to_owned(),
            "YEAR" => format!("{year:04}"),
            "MONTH" => format!("{month:02}"),
            "DAY" => format!("{day:02}"),
            "HOUR" => format!("{hour:02}"),
            "MINUTE" => format!("{minute:02}"),
            "SECOND" => format!("{second:02}"),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Moment;

    fn shown(unix_ms: i64) -> String {
        let moment = Moment::new(unix_ms);
        let names = ["DATETIME", "WEEKDAY", "TIMEZONE"];
        names.map(|name| moment.named(name).unwrap()).join(" ")
    }

    #[test]
    fn moments_are_those_of_the_calendar() {
        for (unix_ms, expected) in [
            (0, "1970-01-01 00:00:00 Thursday UTC"),
            (-1, "1969-12-31 23:59:59 Wednesday UTC"),
            (951_782_400_000, "2000-02-29 00:00:00 Tuesday UTC"),
            (951_868_800_000, "2000-03-01 00:00:00 Wednesday UTC"),
            (1_794_743_633_000, "2026-11-15 11:53:53 Sunday UTC"),
            (4_107_542_399_999, "2100-02-28 23:59:59 Sunday UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00 Monday UTC"),
        ] {
            assert_eq!(shown(unix_ms), expected);
        }
        // No clock is refused.
        Moment::new(i64::MAX).named("DATE").unwrap();
        Moment::new(i64::MIN).named("DATE").unwrap();
    }
}
