//! What an equation speaks of.

/// What an equation speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The result of the block.
    Result,
    /// The result of the block so many blocks above, 1 to 4.
    Back(usize),
    /// Operand 0 or 1.
    Operand(usize),
    /// Operand 1 with the sign of the digit that asks for it.
    Turned,
    /// Operand 0 of the block above.
    Above,
}

/// Blocks above whose results an equation may use.
pub const HISTORY: usize = 4;
/// Operands of a block.
pub(super) const OPERANDS: usize = 2;
