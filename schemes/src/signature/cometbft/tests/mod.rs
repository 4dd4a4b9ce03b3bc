pub mod encoder;
mod hashes;
mod native;
mod rfc3339;

use super::{BlockId, ChainId, Height, PartSet, Precommit, Round, Timestamp};
use super::samples::*;


