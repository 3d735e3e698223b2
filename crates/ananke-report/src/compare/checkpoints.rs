//! Which checkpoints were reached in one run and not in the other, or in another turn.

use super::comparison::ValueChange;

/// A checkpoint with the turn in which it was reached.
type Reached = (String, Option<usize>);

/// Returns the differences, those of the run before in its order, then new ones.
pub(super) fn changes(a: &[Reached], b: &[Reached]) -> Vec<ValueChange> {
    let came = |list: &[Reached], id: &str| {
        let found = list.iter().find(|(other, _)| other == id);
        found.map(|(_, turn)| match turn {
            Some(turn) => format!("reached in turn {turn}"),
            None => "not reached".to_owned(),
        })
    };
    let is_new = |(id, _): &&Reached| a.iter().all(|(other, _)| other != id);
    let ids = a.iter().chain(b.iter().filter(is_new)).map(|(id, _)| id);
    let changes = ids.map(|id| ValueChange {
        path: id.clone(),
        a: came(a, id),
        b: came(b, id),
    });
    changes.filter(|change| change.a != change.b).collect()
}
