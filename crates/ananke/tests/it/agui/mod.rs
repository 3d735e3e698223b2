//! AG-UI on the wire: what is sent, and what is understood of what comes back.

mod connect;
mod events;
mod resume;
mod sent;
mod tools;
