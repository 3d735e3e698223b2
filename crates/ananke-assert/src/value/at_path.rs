//! What stands at a path, for whoever is no check: scripts look into values by the same paths.

use serde_json::Value;

use super::JsonPath;

/// Returns what stands at `path`: the value, or the list of all values if the path may lead to several. An error says what is
/// wrong with the path.
pub fn at_path(value: &Value, path: &str) -> Result<Option<Value>, String> {
    let path = JsonPath::parse(path).map_err(|error| {
        let at = error.position.map(|at| format!(" at character {at}"));
        let at = at.unwrap_or_default();
        format!("{}{at}; {}", error.message, error.hint)
    })?;
    let found = path.query(value);
    Ok(match (path.is_singular(), found.is_empty()) {
        (_, true) => None,
        (true, false) => found.first().map(|only| (*only).clone()),
        (false, false) => Some(found.into_iter().cloned().collect()),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_lead_to_a_value_to_several_or_to_nothing() {
        let value = json!({"items": [{"id": 1}, {"id": 2}], "none": null});
        let at = |path: &str| match at_path(&value, path) {
            Ok(Some(found)) => found.to_string(),
            Ok(None) => "nothing".to_owned(),
            Err(why) => why,
        };
        assert_eq!(at("items[1].id"), "2");
        assert_eq!(at("$.items[*].id"), "[1,2]");
        assert_eq!(at("none"), "null");
        assert_eq!(at("items[7].id"), "nothing");
        assert_eq!(at("$.items[?@.id>5]"), "nothing");
        assert!(at("items[").contains("paths look like"), "{}", at("items["));
    }
}
