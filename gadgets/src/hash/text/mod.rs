//! Strings of bytes in circuit, whose lengths are cells.
//!
//! A [`Short`] is a string of at most 31 bytes in one cell, a [`Text`] one of 16-byte halves. Both are big-endian
//! integers that begin with the first byte and have zeros after the last one, so that strings can be joined by a
//! product and a sum.

mod frame;
mod join;
mod shift;
mod short;
mod string;
mod varint;

#[cfg(test)]
mod tests;

pub use frame::Frame;
pub use join::{Stem, UncheckedText};
pub use short::Short;
pub use string::Text;
pub use varint::Varint;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell::Constant};

use muster_gates::{power_of_two, GateContext};

/// Bits to which the product of a checked cell and a power of two is limited, so that it does not
/// wrap around the field.
const ROOM: usize = 252;

/// Shows that `cell` is below `2^bits`, or only below `2^most` if whole lookups already show that.
fn assert_bits(ctx: &mut GateContext, cell: AssignedValue<Fr>, (bits, most): (usize, usize)) {
    ctx.range.check(cell, bits);
    let rounded = ctx.range.rounded(bits);
    if rounded > most {
        // As an integer, the product is below 2^(rounded + over). So if it is below 2^rounded, the cell is below 2^bits.
        let over = rounded - bits;
        assert!(rounded + over <= ROOM, "the product does not wrap");
        let scaled = ctx.gate.mul(ctx, cell, Constant(power_of_two(over)));
        ctx.range.check(scaled, bits);
    }
}
