//! The JSON files of the command line. Errors name the file and the place in it.

pub mod axelar;
mod bases;
pub mod beacon;
pub mod cctp;
pub mod cometbft;
mod committee;
pub mod drand;
pub mod eigenda;
mod forms;
mod gathered;
pub mod hyperlane;
pub mod imported;
mod list;
mod listing;
mod members;
pub mod near;
mod preparation;
mod proof;
mod reader;
mod roaring;
pub mod safe;
mod signer;
pub mod sui;
#[cfg(test)]
mod tests;
pub mod vaa;

pub use crate::error::DroppedList;
pub use committee::CommitteeFile;
pub use gathered::{Gathered, SignaturesFile};
pub use listing::{Listing, Narrowed, Preparation};
pub use members::LeftOut;
pub use preparation::{Merged, Prepared};
pub use proof::{ProofFile, ProofFileOf, SrsMark, TranslationFile};

/// Weights in JSON, which may be wider than those of a set.
pub mod weight {
    pub use crate::number::to_json;
}

/// Name of the committee's file.
pub const COMMITTEE_FILE: &str = "committee.json";
/// Name of the signatures' file.
pub const SIGNATURES_FILE: &str = "signatures.json";
/// Name of the file with secret keys.
pub const SECRETS_FILE: &str = "secrets.json";

/// Greatest length of a committee's or a signatures' file: some millions of members.
const COMMITTEE_LIMIT: u64 = 1 << 30;
/// Most members of a committee, or signatures by them, that a file holds: with all of them it stays below that length.
pub(crate) const MAX_MEMBERS: usize = 1 << 23;
/// Greatest length of a proof's file: several times what the widest layout takes.
const PROOF_LIMIT: u64 = 1 << 23;
