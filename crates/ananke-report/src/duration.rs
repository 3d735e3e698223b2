//! Durations in words: `850µs`, `300ms`, `1.2s`, `1.5m`. Always rounded down, so that `1000ms` never appears.

use crate::style::Style;

/// Returns a duration for a person.
pub(crate) fn duration(us: u64, style: &Style) -> String {
    match us {
        0..1_000 => format!("{us}{}", style.pick("µs", "us")),
        1_000..1_000_000 => format!("{}ms", us / 1_000),
        1_000_000..60_000_000 => tenths(us / 100_000, "s"),
        _ => tenths(us / 6_000_000, "m"),
    }
}

fn tenths(tenths: u64, unit: &str) -> String {
    format!("{}.{}{unit}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_change_with_size() {
        let style = Style {
            color: false,
            unicode: false,
            width: 80,
        };
        let shown = [
            0,
            850,
            1_000,
            999_999,
            1_000_000,
            1_290_000,
            59_999_999,
            60_000_000,
            90_000_000,
            7_200_000_000,
        ]
        .map(|us| duration(us, &style));
        assert_eq!(
            shown,
            [
                "0us", "850us", "1ms", "999ms", "1.0s", "1.2s", "59.9s", "1.0m", "1.5m", "120.0m"
            ]
        );
    }
}
