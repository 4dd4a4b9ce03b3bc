//! Keys of a group: a dealer's or the members' own, renewed, repaired.
//!
//! Sending is up to the caller; whatever must be sent in secret says so. At the end all members
//! must hold the same [`Group`](super::Group), which they have to compare; [`check`] tells whether
//! it can sign.

pub mod dkg;
pub mod refresh;
pub mod repair;

mod dealing;

pub(crate) use dealing::accept_unchecked;
pub use dealing::{accept, check, check_share, deal, deal_key, Dealt, DealtShare};
