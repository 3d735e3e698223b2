//! The client's side of a connection: it answers what the server asks from the table of scripted answers.

use std::sync::Arc;

use rmcp::model::{
    ClientConfig, ClientResult, CustomResult, ErrorCode, ErrorData, ServerNotification,
    ServerRequest,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient, Service};
use serde_json::{Value, json};

use super::answers::Answers;

/// Answers the server.
#[derive(Debug)]
pub(super) struct Asked {
    answers: Arc<Answers>,
    info: ClientConfig,
}

impl Asked {
    /// Returns a client that names `version` where it begins with a handshake.
    pub(super) fn new(answers: Arc<Answers>, version: &str) -> Result<Self, String> {
        let info = json!({
            "protocolVersion": version,
            "capabilities": answers.capabilities(),
            // Without a version of its own: that of this crate is not the release.
            "clientInfo": {"name": "ananke", "version": "1"},
        });
        let info = serde_json::from_value(info).map_err(|error| error.to_string())?;
        Ok(Self { answers, info })
    }
}

impl Service<RoleClient> for Asked {
    async fn handle_request(
        &self,
        request: ServerRequest,
        _context: RequestContext<RoleClient>,
    ) -> Result<ClientResult, ErrorData> {
        let request = serde_json::to_value(&request).unwrap_or_default();
        let method = request["method"].as_str().unwrap_or_default();
        let answer = self.answers.answer(method, &request["params"]);
        match answer {
            Ok(answer) => Ok(ClientResult::CustomResult(CustomResult::new(answer))),
            Err(refused) => {
                let code = i32::try_from(refused.code).unwrap_or_default();
                Err(ErrorData::new(
                    ErrorCode(code),
                    refused.message,
                    None::<Value>,
                ))
            }
        }
    }

    async fn handle_notification(
        &self,
        _notification: ServerNotification,
        _context: NotificationContext<RoleClient>,
    ) -> Result<(), ErrorData> {
        // They are on the tape.
        Ok(())
    }

    fn get_info(&self) -> ClientConfig {
        self.info.clone()
    }
}
