pub(super) mod encoder;
mod hashes;
mod native;
mod rfc3339;

use super::samples::*;
use super::Timestamp;
