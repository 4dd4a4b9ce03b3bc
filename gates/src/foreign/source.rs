//! What an equation is about.

use serde::{Deserialize, Serialize};

/// What an equation is about. The order of the variants is that of the fixed columns, so it is part of the verifying
/// keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The result of the block.
    Result,
    /// The result of the block that many blocks above, from 1 on.
    Back(usize),
    /// An operand of the block, counted from 0.
    Operand(usize),
    /// Operand 1 with the sign of the digit that asks for it.
    Turned,
    /// An operand of the block above.
    Above(usize),
}
