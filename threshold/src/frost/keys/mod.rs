//! Keys of a group: a dealer's or the members' own, renewed, repaired.
//!
//! Nothing here is sent: that is the caller's, and what must be sent in secret says so. In the end all
//! members must hold the same [`Group`](super::Group), which is theirs to compare; [`check`] tells whether it is one
//! that can sign.

pub mod dkg;
pub mod refresh;
pub mod repair;

mod dealing;
mod secret;

pub(crate) use dealing::accept_unchecked;
pub use dealing::{accept, check, check_share, deal, deal_key, Dealt, DealtShare};
