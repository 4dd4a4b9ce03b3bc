//! The JSON files of the command line. Errors name the file and the place in it.

#[cfg(feature = "cli")]
pub mod bls_threshold;
pub mod cometbft;
mod committee;
#[cfg(feature = "cli")]
pub mod frost;
mod members;
#[cfg(feature = "cli")]
mod messages;
mod preparation;
mod proof;
#[cfg(feature = "cli")]
pub mod pvss;
mod signatures;
pub(crate) mod weight;

pub use committee::{CommitteeFile, Narrowed};
pub use members::LeftOut;
#[cfg(feature = "cli")]
pub use messages::MessagesFile;
pub use preparation::{Merged, Preparation, Prepared};
pub use proof::{ProofFile, SrsMark};
pub use signatures::SignaturesFile;

/// Name of the committee's file.
pub const COMMITTEE_FILE: &str = "committee.json";
/// Name of the signatures' file.
pub const SIGNATURES_FILE: &str = "signatures.json";
/// Name of the file with secret keys.
pub const SECRETS_FILE: &str = "secrets.json";

/// Greatest length of a committee's or a signatures' file: some millions of members.
const COMMITTEE_LIMIT: u64 = 1 << 30;
/// Greatest length of a proof's file: several times what the widest layout takes.
const PROOF_LIMIT: u64 = 1 << 23;
/// Greatest length of a messages' file.
#[cfg(feature = "cli")]
const MESSAGES_LIMIT: u64 = 1 << 28;
