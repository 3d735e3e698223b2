//! The files of `ananke conform`: setup and baseline.

mod load;
mod resolve;
#[cfg(test)]
mod tests;

pub use load::{
    LoadedConformBaseline, LoadedConformSetup, load_conform_baseline, load_conform_setup,
};
