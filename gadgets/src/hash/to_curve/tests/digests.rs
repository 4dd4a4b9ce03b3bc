//! Digests that searches take.

use num_traits::One;

use super::*;
use crate::field::foreign::regroup::element_bits;

/// The search from these halves on.
fn searched(halves: [&BigUint; 2]) -> TestCircuit {
    let search = PointSearch::new(16);
    TestCircuit::new(room(13, &search.all()), |ctx| {
        let chip = ctx.chips.foreign();
        let (last, limb) = (256 % element_bits(chip), chip.block().format().limb_bits());
        assert!((1..limb).contains(&last), "the last limb is not a whole one");
        let halves = halves.map(|half| ctx.load_witness(biguint_to_fe(half)));
        search.find(ctx, halves);
    })
}

/// A range check alone refuses longer ones: the limbs have room for 32 bits more.
#[test]
fn digests_have_256_bits() {
    let zero = BigUint::ZERO;
    let above = BigUint::one() << 128u8;
    let top = &above - 1u8;
    searched([&top, &zero]).assert_satisfied();
    searched([&zero, &top]).assert_satisfied();
    let longest = (BigUint::one() << 160u8) - 1u8;
    for high in [&above, &longest] {
        assert!(searched([high, &zero]).fails_range_checks_alone(vec![]), "{high}");
    }
    assert!(!searched([&zero, &above]).is_satisfied());
}
