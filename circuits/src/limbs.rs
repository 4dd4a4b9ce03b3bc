//! The limbs of relations, as a search found them.
//!
//! A plan asks for nine widths of lookups, and for pairings each search takes some hundredths of a second. So the answers stand in a
//! file, by a hash of all that a search goes by: where equations change, there is no answer, and they are sought again. A test finds
//! all answers anew, and writes the file.

use std::{collections::HashMap, sync::LazyLock};

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::modulus};
use muster_gates::foreign::{Equation, ForeignLayout, LimbWidths};

/// A line for each search: its key, in hexadecimal, and what was found.
static KNOWN: LazyLock<HashMap<u64, LimbWidths>> =
    LazyLock::new(|| include_str!("limbs.txt").lines().filter_map(line).collect());

fn line(line: &str) -> Option<(u64, LimbWidths)> {
    let (key, found) = line.split_once(' ')?;
    let numbers: Option<Vec<usize>> = found.split(' ').map(|number| number.parse().ok()).collect();
    let [limb_bits, group, quotient_bits, carry_bits, carries] = numbers?.try_into().ok()?;
    let limbs = LimbWidths { limb_bits, group, quotient_bits, carry_bits, carries };
    Some((u64::from_str_radix(key, 16).ok()?, limbs))
}

/// The gate of relations for these equations.
pub(crate) fn foreign(lookup_bits: usize, columns: usize, equations: &[Equation]) -> ForeignLayout {
    let answer = |key| KNOWN.get(&key).copied();
    ForeignLayout::known(&modulus::<Fr>(), lookup_bits, columns, equations, answer)
}
