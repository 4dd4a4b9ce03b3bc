mod circuit;
#[path = "../../../../../schemes/src/signature/cometbft/tests/encoder.rs"]
mod encoder;
mod forged;
mod numbers;

use super::samples::*;
