//! Stakes to weights: as few shares as meet both bounds.
//!
//! For a candidate W′, wᵢ = ⌊SᵢW′/S + 1/2⌋, and δ↑, δ↓ are the sums of what was rounded up and
//! down. If (ρ − σ)W′ ≥ δ↑ + δ↓, then with t = ⌊σW′ + δ↑⌋ every set with a stake of σS or less has
//! at most t shares, and every set with more than ρS has t + 1 or more: the weight of a set is at
//! most δ↑ above and δ↓ below its part of W′, and weights are integers. All computation is exact,
//! in integers. Admissibility is not monotone, so all candidates are tried from 1.

use super::{Error, Fraction};
use crate::pvss::{self, MOST_PLAYERS, MOST_SHARES};

/// Weights of players and the number of shares that reconstruct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A weight for each player; small stakes may get zero.
    pub weights: Vec<u32>,
    /// Shares that reconstruct: t + 1.
    pub threshold: usize,
}

impl Weights {
    /// W, the sum of the weights.
    pub fn shares(&self) -> usize {
        self.weights.iter().map(|weight| *weight as usize).sum()
    }
}

/// The weights for the least admissible candidate: no set with stake up to `secrecy` reconstructs, and
/// every set with more than `reconstruction` does.
///
/// # Errors
///
/// [`Error::Players`] for none or too many, [`Error::NoStake`], [`Error::Bounds`] unless 1/3 <
/// secrecy < reconstruction ≤ 2/3, or [`Error::Sharing`] for bounds so close together that more
/// shares would be needed than a session may have.
pub fn weights(
    stakes: &[u64],
    secrecy: Fraction,
    reconstruction: Fraction,
) -> Result<Weights, Error> {
    if !(1..=MOST_PLAYERS).contains(&stakes.len()) {
        return Err(Error::Players { players: stakes.len() });
    }
    let third = Fraction::new(1, 3).ok_or(Error::NoStake)?;
    let two_thirds = Fraction::new(2, 3).ok_or(Error::NoStake)?;
    let ordered = third.is_below(secrecy) && secrecy.is_below(reconstruction);
    if !ordered || two_thirds.is_below(reconstruction) {
        return Err(Error::Bounds { secrecy, reconstruction });
    }
    let total: u128 = stakes.iter().map(|stake| u128::from(*stake)).sum();
    if total == 0 {
        return Err(Error::NoStake);
    }
    let (low, high) = (secrecy.numerator(), reconstruction.numerator());
    let (low_of, high_of) = (secrecy.denominator(), reconstruction.denominator());
    // ρ − σ over the product of the denominators.
    let gap = high * low_of - low * high_of;
    // ⌈n / (2(ρ − σ))⌉ is admissible: each rounding is off by a half at most.
    for candidate in 1..=(MOST_SHARES + stakes.len()) as u128 {
        let (weights, up, down) = round(stakes, total, candidate);
        if gap * candidate * total >= (up + down) * low_of * high_of {
            let degree = (low * candidate * total + up * low_of) / (low_of * total);
            return Ok(Weights { weights, threshold: degree as usize + 1 });
        }
    }
    // Σ wᵢ is off by at most half a share per player, so no session may have as many shares as a
    // larger candidate needs.
    let (shares, most) = (MOST_SHARES + 1, MOST_SHARES);
    Err(Error::Sharing(pvss::Error::Shares { shares, most }))
}

/// The weights of a candidate, and S times what was rounded up and down.
pub(super) fn round(stakes: &[u64], total: u128, candidate: u128) -> (Vec<u32>, u128, u128) {
    let (mut up, mut down) = (0, 0);
    let weight = |stake: &u64| {
        let exact = u128::from(*stake) * candidate;
        let weight = (2 * exact + total) / (2 * total);
        up += (weight * total).saturating_sub(exact);
        down += exact.saturating_sub(weight * total);
        weight as u32
    };
    let weights = stakes.iter().map(weight).collect();
    (weights, up, down)
}
