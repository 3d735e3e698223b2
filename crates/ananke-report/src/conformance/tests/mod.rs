//! Reports in, what is shown out.

mod files;
mod pages;
mod samples;
mod shown;
mod summary;

pub(super) use samples::finding;
