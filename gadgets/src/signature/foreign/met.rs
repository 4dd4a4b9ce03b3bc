//! Evidence that there is no witness.

/// No choice works: the sum over these signatures meets a point of the last one, or the generator.
/// Circuits refuse the witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// The signatures by number.
    pub signatures: Vec<usize>,
}
