//! Process groups: a process and everything it started.

use rustix::process::{Pid, Signal, kill_process_group};

/// Kills a group that [`std::os::unix::process::CommandExt::process_group`] made.
pub(super) fn kill_group(id: u32) {
    // The group may be gone already.
    kill_process_group(group_id(id), Signal::KILL).ok();
}

/// Returns the id of a process, or of the group that it leads, as the system calls take it.
pub(super) fn group_id(id: u32) -> Pid {
    let id = i32::try_from(id).expect("process ids fit");
    Pid::from_raw(id).expect("process ids are not zero")
}
