//! Elements in native ones, where they just have room.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField};
use halo2_base::utils::{fe_to_biguint, modulus};
use num_bigint::{BigUint, RandBigInt};
use num_traits::One;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::super::{integer::element, regroup::pack};
use muster_forgery::testing::{assert_is, layout, TestCircuit, Walk};
use muster_gates::{
    foreign::{Equation, ForeignLayout, Source::Operand},
    Layout,
};

/// The cells of elements with so many bits, and the widths of their limbs.
fn packed(range_bits: usize, bits: usize, numbers: &[BigUint]) -> (Vec<BigUint>, Vec<usize>) {
    let prime = (BigUint::one() << bits) - 1u8;
    let equations = [Equation::free(), Equation::result(&prime, Operand(0) + Operand(1))];
    let foreign = ForeignLayout::new(&modulus::<Fr>(), range_bits, 2, &equations);
    let layout = Layout { range_bits, foreign: vec![foreign], ..layout(14, &[]) };
    let mut found = (vec![], vec![]);
    let test = TestCircuit::new(layout, |ctx| {
        let elements: Vec<_> =
            numbers.iter().map(|number| element(ctx.chips.foreign(), number)).collect();
        let cells = pack(ctx, &elements.iter().collect::<Vec<_>>());
        let values = cells.iter().map(|cell| fe_to_biguint(cell.value())).collect();
        found = (values, elements[0].shape().widths());
    });
    test.assert_satisfied();
    found
}

/// 253 bits fill a cell, and the number of an element that has them is that of the cell; one bit more takes another cell.
#[test]
fn cells_have_253_bits() {
    assert_eq!(Fr::CAPACITY, 253);
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let top = |bits: usize| (BigUint::one() << bits) - 1u8;
    for range_bits in [8, 12] {
        for number in [top(253), BigUint::one() << 252u8, rng.gen_biguint(253)] {
            assert_eq!(packed(range_bits, 253, std::slice::from_ref(&number)).0, [number]);
        }
        let (cells, widths) = packed(range_bits, 254, &[top(254)]);
        let last = widths[widths.len() - 1];
        assert_eq!(cells, [top(254 - last), top(last)]);
        // The second element goes on where the first one ends.
        let (cells, _) = packed(range_bits, 126, &[top(126), top(126) - 1u8]);
        assert_eq!(cells, [top(126) + ((top(126) - 1u8) << 126u8)]);
    }
}

/// A cell of as many limbs as those of other tests have, which is asked to be another one: each term refuses.
#[test]
fn cells_are_sums_of_limbs() {
    const LIMBS: u8 = 7;
    let prime = (BigUint::one() << 36) - 1u8;
    let equations = [Equation::free(), Equation::result(&prime, Operand(0) + Operand(1))];
    let foreign = ForeignLayout::new(&modulus::<Fr>(), 8, 2, &equations);
    let layout = Layout { foreign: vec![foreign], ..layout(12, &[]) };
    let circuit = |lie: Option<usize>| {
        TestCircuit::new(layout.clone(), |ctx| {
            let elements = (1..=LIMBS).map(|less| element(ctx.chips.foreign(), &(&prime - less)));
            let elements: Vec<_> = elements.collect();
            let limbs = elements.iter().flat_map(|element| element.limbs().to_vec());
            limbs.for_each(|limb| assert_is(ctx, &limb, *limb.value()));
            for time in 0..2 {
                let cells = pack(ctx, &elements.iter().collect::<Vec<_>>());
                let more = Fr::from(u64::from(lie == Some(time)));
                assert_eq!(cells.len(), 1);
                assert_is(ctx, &cells[0], cells[0].value() + more);
            }
        })
    };
    circuit(None).assert_satisfied();
    for time in 0..2 {
        let Walk { sums, copies } = circuit(Some(time)).walk([]);
        assert!(sums.min(copies) >= usize::from(LIMBS), "{time}: {sums} sums, {copies} copies");
    }
}
