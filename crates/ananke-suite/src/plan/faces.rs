//! One test, several targets: a planned test for each of them, with the target behind its id.

use std::sync::Arc;

use ananke_model::plan::{PlannedTest, TestId};

use super::addressee::Addressees;
use super::build::SourceTest;
use super::pick::Picked;
use crate::parse::Found;

/// A test as one of its targets sees it.
#[derive(Debug)]
pub(super) struct Face<'a> {
    /// The test.
    pub(super) source: SourceTest,
    /// The target, if a list or a flag names it.
    pub(super) picked: Option<Picked<'a>>,
    /// What the target is called, if it is one of several.
    pub(super) name: Option<String>,
}

/// Returns a test once for each of its targets. Names that mean none are reported.
pub(super) fn faces<'a>(
    source: SourceTest,
    addressees: &Addressees<'a>,
    found: &mut Found,
) -> Vec<Face<'a>> {
    let Some(listed) = addressees.listed(&source, found) else {
        let (picked, name) = (None, None);
        return vec![Face {
            source,
            picked,
            name,
        }];
    };
    let are_several = listed.len() > 1;
    let Some((last, others)) = listed.split_last() else {
        return Vec::new();
    };
    let face = |source: SourceTest, picked: Picked<'a>| Face {
        source,
        picked: Some(picked),
        name: picked.name.filter(|_| are_several).map(ToOwned::to_owned),
    };
    let mut faces: Vec<Face<'a>> = Vec::with_capacity(listed.len());
    for picked in others {
        faces.push(face(source.clone(), *picked));
    }
    // The usual test has one target, and is not copied.
    faces.push(face(source, *last));
    faces
}

/// Puts the target behind the ids of a test, so that its results are told apart from those of the other targets.
pub(super) fn mark(test: &mut PlannedTest, name: &str) {
    test.id = TestId(format!("{}@{name}", test.id.0));
    if let Some(case) = &mut test.case {
        let case = Arc::make_mut(case);
        let id = format!("{}@{name}", case.id);
        // A case without a name is called by its id.
        if test.name.text == case.id {
            test.name.text.clone_from(&id);
        }
        case.id = id;
    }
}
