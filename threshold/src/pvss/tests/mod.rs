//! Tests of sharing.

mod cheating;
mod context;
mod encodings;
mod forged;
mod forger;
mod honest;
mod mistakes;
mod slow;
mod strings;
mod support;
pub(super) mod tamper;

pub(crate) use support::{deal_with_share, search};
