//! The files of what the library does not know: bridges and threshold signatures. Errors name the file and the place in it.

pub mod bls_threshold;
pub mod frost;
mod messages;
pub mod pvss;

pub use messages::MessagesFile;
