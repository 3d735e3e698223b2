//! Documents that are a little wrong: at every position of an example something is removed, replaced or added.

use serde_json::{Value, json};

/// Returns the document with one change each.
pub(super) fn mutants(document: &Value) -> Vec<Value> {
    let mut mutants = Vec::new();
    for path in paths(document) {
        let here = document.pointer(&path).unwrap();
        for replacement in replacements(here) {
            let mut mutant = document.clone();
            *mutant.pointer_mut(&path).unwrap() = replacement;
            mutants.push(mutant);
        }
    }
    mutants
}

/// Returns every place of a document.
fn paths(document: &Value) -> Vec<String> {
    let mut paths = vec![String::new()];
    let children: Vec<(String, &Value)> = match document {
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), value))
            .collect(),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items
                .map(|(index, value)| (index.to_string(), value))
                .collect()
        }
        _ => Vec::new(),
    };
    for (name, child) in children {
        let below = self::paths(child).into_iter();
        paths.extend(below.map(|path| format!("/{name}{path}")));
    }
    paths
}

/// Returns what may stand in a value's place.
fn replacements(value: &Value) -> Vec<Value> {
    let mut others = vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(2.0),
        json!(9_007_199_254_740_991_u64),
        json!(9_007_199_254_740_992_u64),
        json!(1e300),
        json!("other"),
        json!(""),
        json!("/a~2"),
        json!("/a~"),
        json!("/a//~01"),
        json!([]),
        json!([null]),
        json!(["x"]),
        json!([7]),
        json!({}),
        json!({"type": "text"}),
        json!({"type": "text", "text": "x"}),
        json!({"type": "success"}),
        json!({"op": "add", "path": "/a"}),
        json!({"id": "x", "role": "user"}),
    ];
    if let Value::Object(members) = value {
        for name in members.keys() {
            let mut fewer = members.clone();
            fewer.remove(name);
            others.push(fewer.into());
        }
        for (name, added) in [
            ("unknown", json!(1)),
            ("id", json!("x")),
            ("name", json!(null)),
        ] {
            let mut more = members.clone();
            more.insert(name.to_owned(), added);
            others.push(more.into());
        }
    }
    if let Value::Array(items) = value {
        let mut twice = items.clone();
        twice.extend(items.clone());
        others.push(twice.into());
        for odd in [json!(null), json!("x"), json!({})] {
            let mut more = items.clone();
            more.push(odd);
            others.push(more.into());
        }
    }
    others
}

/// Returns documents with two changes: the same ones each time.
pub(super) fn twice_wrong(document: &Value, n_wanted: usize) -> Vec<Value> {
    let once = mutants(document);
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % bound as u64).unwrap()
    };
    let mut documents = Vec::new();
    while documents.len() < n_wanted {
        let first = &once[next(once.len())];
        let places = paths(first);
        let place = &places[next(places.len())];
        let others = replacements(first.pointer(place).unwrap());
        let mut second = first.clone();
        *second.pointer_mut(place).unwrap() = others[next(others.len())].clone();
        documents.push(second);
    }
    documents
}
