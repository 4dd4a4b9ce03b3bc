mod circuit;
#[path = "../../../../../schemes/src/signature/cometbft/tests/encoder.rs"]
mod encoder;
mod forged;
mod numbers;

use muster_schemes::signature::cometbft::{BlockId, ChainId, Height, PartSet, Precommit, Round, Timestamp};
use super::samples::*;
