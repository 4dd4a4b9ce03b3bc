//! Curve points in a contract: calls of the precompiles, and copies out of the proof.

use super::super::{
    code::hex,
    memory::Memory,
    protocol::{Commitment, Protocol, POINT},
};

/// Gas for a multiplication and for an addition: what they cost, and a margin in case prices rise. A
/// call that fails takes it all.
const MULTIPLICATION: usize = 10_000;
const ADDITION: usize = 1_000;

/// Writes the point at zero times its factor to a place.
pub(super) fn multiply(to: usize) -> String {
    multiply_to(&hex(to))
}

/// The same, with the place as text.
pub(super) fn multiply_to(to: &str) -> String {
    format!("staticcall({MULTIPLICATION}, 7, 0x00, 0x60, {to}, 0x40)")
}

/// Writes the sum of two consecutive points to a place.
pub(super) fn add(from: usize, to: usize) -> String {
    add_to(&hex(from), &hex(to))
}

/// The same, with the places as text.
pub(super) fn add_to(from: &str, to: &str) -> String {
    format!("staticcall({ADDITION}, 6, {from}, 0x80, {to}, 0x40)")
}

/// Points of the proof that lie in calldata as they will in memory.
pub(super) struct Copied {
    /// Where they go in memory.
    pub(super) to: usize,
    /// Where they are in calldata.
    pub(super) from: usize,
    /// How many bytes they are.
    pub(super) bytes: usize,
}

/// What is copied of the proof; without a memory, the sets start at zero.
pub(super) fn copies(protocol: &Protocol, memory: Option<&Memory>) -> Vec<Copied> {
    let mut copies: Vec<Copied> = vec![];
    let mut first = memory.map_or(0, |memory| memory.points[0]);
    for set in &protocol.sets {
        for (number, poly) in set.polys.iter().enumerate() {
            let Commitment::Proof(from) = protocol.commitment(*poly) else { continue };
            let to = first + POINT * number;
            match copies.last_mut() {
                Some(last) if last.to + last.bytes == to && last.from + last.bytes == from => {
                    last.bytes += POINT;
                }
                _ => copies.push(Copied { to, from, bytes: POINT }),
            }
        }
        // The points of all sets are consecutive.
        first += POINT * set.polys.len();
    }
    copies
}
