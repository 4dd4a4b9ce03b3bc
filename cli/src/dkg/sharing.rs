//! How secrets are shared among players with stakes.

use muster_schemes::decimal;
use muster_threshold::pvss::Variant;

use super::trial::Players;
use crate::pvss::BoundsArgs;

/// How a committee with stakes shares.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SharingArgs {
    #[command(flatten)]
    pub(crate) bounds: BoundsArgs,
    /// How ciphertexts are proved.
    #[arg(long, value_parser = crate::values::variants(), default_value_t)]
    pub(crate) variant: Variant,
    /// Bits per chunk: 8, 16 or 32.
    #[arg(long, value_name = "BITS", default_value_t = 16, value_parser = decimal::read::<u32>)]
    pub(crate) chunk_bits: u32,
}

impl SharingArgs {
    /// The players with these stakes.
    pub(super) fn players<'a>(&self, stakes: &'a [u64]) -> Players<'a> {
        let BoundsArgs { secrecy, reconstruction } = self.bounds;
        let (variant, chunk_bits) = (self.variant, self.chunk_bits);
        Players { stakes, secrecy, reconstruction, variant, chunk_bits }
    }
}
