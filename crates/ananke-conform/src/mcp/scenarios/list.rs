//! `list`: all that the server says it has, page by page.

use serde_json::{Value, json};

use super::super::asked::{McpAsked, McpListed};
use super::super::era::Era;
use super::super::requests::Request;
use crate::case::Shown;
use crate::drive::DriveError;
use crate::exchange::Asked;
use crate::rpc::{Driver, response};

/// Pages beyond these are not asked for.
const MAX_PAGES: usize = 10;

/// Plays it; the tools are kept for `call`.
pub(crate) async fn list(
    driver: &mut Driver<'_>,
    eras: &[Era],
    tools: &mut Vec<Value>,
) -> Result<(Shown, String), DriveError> {
    let mut counts: Vec<String> = Vec::new();
    for era in eras {
        let announced = announced(driver, era);
        for listed in McpListed::ALL {
            if !announced.iter().any(|name| name == listed.capability()) {
                continue;
            }
            if let Some(why) = driver.closed_door() {
                return Ok((Shown::No, format!("not all were listed, because {why}")));
            }
            let items = pages(driver, era, listed).await?;
            let count = format!("{} {}", items.len(), listed.member());
            if !counts.contains(&count) {
                counts.push(count);
            }
            if listed == McpListed::Tools && tools.is_empty() {
                *tools = items;
            }
        }
    }
    if counts.is_empty() {
        let detail = "no tools, resources or prompts are announced";
        return Ok((Shown::No, detail.to_owned()));
    }
    Ok((Shown::Yes, counts.join(", ")))
}

async fn pages(
    driver: &mut Driver<'_>,
    era: &Era,
    listed: McpListed,
) -> Result<Vec<Value>, DriveError> {
    let mut items = Vec::new();
    let mut cursor: Option<String> = None;
    for _ in 0..MAX_PAGES {
        let params = match &cursor {
            Some(cursor) => json!({"cursor": cursor}),
            None => json!({}),
        };
        let request = Request {
            asked: McpAsked::List(listed),
            era: Some(era),
            method: listed.method(),
            params,
        };
        let answer = request.send(driver).await?;
        let Some(result) = response(answer).and_then(|reply| reply.result()) else {
            break;
        };
        let list = result.get(listed.member()).and_then(Value::as_array);
        items.extend(list.into_iter().flatten().cloned());
        let next = result.get("nextCursor").and_then(Value::as_str);
        match next.map(str::to_owned) {
            Some(next) if Some(&next) != cursor.as_ref() => cursor = Some(next),
            _ => break,
        }
    }
    Ok(items)
}

/// Returns the capabilities that the server announced in an era.
fn announced(driver: &Driver<'_>, era: &Era) -> Vec<String> {
    let wanted = match era {
        Era::Modern => McpAsked::Discover,
        Era::Legacy { .. } => McpAsked::Initialize,
    };
    let exchanges = driver.case.exchanges.iter();
    let mut of_era = exchanges.filter(|exchange| exchange.asked == Asked::Mcp(wanted));
    let result = of_era
        .next()
        .and_then(|exchange| response(&exchange.answer)?.result());
    let able = result.and_then(|result| result.get("capabilities")?.as_object());
    able.into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect()
}
