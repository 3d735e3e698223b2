//! How what was seen differs from what was stored, as a few lines.

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use crate::shown::{counted, shorten};

/// How many lines are shown at most.
const MAX_LINES: usize = 20;
/// How many equal lines are shown around a difference.
const CONTEXT: usize = 1;
/// Where more lines differ, the beginning of the difference is shown; finding the smallest one would take too long.
const MAX_COMPARED: usize = 2000;

/// The difference between two texts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// How much differs, in a few words.
    pub(crate) summary: String,
    /// Lines with `-` for what was stored, `+` for what was seen, and a space for what is in both.
    pub(crate) lines: Vec<String>,
}

/// Returns how `seen` differs from `stored`.
pub(crate) fn difference(stored: &str, seen: &str) -> Difference {
    let (old, new): (Vec<&str>, Vec<&str>) = (stored.lines().collect(), seen.lines().collect());
    let same = |(left, right): &(&&str, &&str)| left == right;
    let n_first = old.iter().zip(&new).take_while(same).count();
    let shorter = old.len().min(new.len()) - n_first;
    let backward = old.iter().rev().zip(new.iter().rev());
    let n_last = backward.take(shorter).take_while(same).count();
    let n_differing = old.len().max(new.len()) - n_first - n_last;
    let ops = if n_differing <= MAX_COMPARED {
        capture_diff_slices(Algorithm::Myers, &old, &new)
    } else {
        vec![DiffOp::Replace {
            old_index: n_first,
            old_len: old.len() - n_first - n_last,
            new_index: n_first,
            new_len: new.len() - n_first - n_last,
        }]
    };
    let (n_old, n_new) = ops.iter().fold((0, 0), |(n_old, n_new), op| match op {
        DiffOp::Equal { .. } => (n_old, n_new),
        op => (n_old + op.old_range().len(), n_new + op.new_range().len()),
    });
    let mut lines = Vec::new();
    for (index, group) in group_diff_ops(ops, CONTEXT).iter().enumerate() {
        if index > 0 {
            lines.push("  ⋮".to_owned());
        }
        for op in group {
            push(&mut lines, op, &old, &new);
        }
    }
    let n_more = lines.len().saturating_sub(MAX_LINES);
    lines.truncate(MAX_LINES);
    if n_more > 0 {
        lines.push(format!("and {}", counted(n_more, "more line")));
    }
    Difference {
        summary: match (n_old, n_new) {
            (0, n_new) => format!("{} more", counted(n_new, "line")),
            (n_old, 0) => format!("{} less", counted(n_old, "line")),
            (n_old, n_new) if n_old == n_new => format!("{} changed", counted(n_old, "line")),
            (n_old, n_new) => format!("{} in place of {n_old}", counted(n_new, "line")),
        },
        lines,
    }
}

fn push(lines: &mut Vec<String>, op: &DiffOp, old: &[&str], new: &[&str]) {
    let mut add = |sign: &str, range: std::ops::Range<usize>, side: &[&str]| {
        for line in side.get(range).unwrap_or_default() {
            lines.push(format!("{sign} {}", shorten(line)));
        }
    };
    match op {
        DiffOp::Equal { .. } => add(" ", op.old_range(), old),
        DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
            add("-", op.old_range(), old);
            add("+", op.new_range(), new);
        }
    }
}
