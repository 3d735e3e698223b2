//! Makes a target of any kind ready to be looked at.

use std::path::Path;

use ananke_model::plan::{Protocol, Target};
use ananke_model::variables::Variables;
use ananke_protocol::http::Proxies;

use super::{OtherProbe, Probe};

/// A target that can be looked at.
#[derive(Debug)]
pub enum Probed {
    /// An AG-UI agent, of which much can be found out.
    Agui(Box<Probe>),
    /// Any other.
    Other(Box<OtherProbe>),
}

/// Resolves a target; says what keeps it from being used.
pub fn probe(
    target: &Target,
    variables: &Variables,
    proxies: &Proxies,
    root: &Path,
) -> Result<Probed, String> {
    match &target.protocol {
        Protocol::Agui(agui) => {
            let probe = Probe::new(target, agui, variables, proxies, root)?;
            Ok(Probed::Agui(Box::new(probe)))
        }
        Protocol::OpenAi(_)
        | Protocol::Command(_)
        | Protocol::Scripted(_)
        | Protocol::Script(_)
        | Protocol::A2a(_)
        | Protocol::Mcp(_) => {
            let probe = OtherProbe::new(target, variables, proxies, root)?;
            Ok(Probed::Other(Box::new(probe)))
        }
    }
}
