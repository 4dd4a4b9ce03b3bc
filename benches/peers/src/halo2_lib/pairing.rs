//! Products of pairings over BN254 that are 1, by the library's Miller loop and final exponentiation.

use halo2_base::gates::circuit::builder::BaseCircuitBuilder;
use halo2_base::gates::{GateInstructions, RangeInstructions};
use halo2_base::halo2_proofs::halo2curves::bn256::{Fr, G1Affine, G2Affine};
use halo2_ecc::bn254::pairing::PairingChip;
use halo2_ecc::bn254::{Fp12Chip, FpChip};
use halo2_ecc::fields::FieldChip;

use super::Statement;
use crate::pairing::points;

/// Limbs of the field, as in the library's own benches at degree 17.
const LIMB_BITS: usize = 88;
const LIMBS: usize = 3;

/// Pairs whose product is 1; public: the coordinates of the first point. The points of the twist are not shown to be in
/// their subgroup.
pub(crate) struct Pairing {
    pairs: Vec<(G1Affine, G2Affine)>,
}

impl Pairing {
    /// A product of so many pairings.
    pub(crate) fn sample(pairs: usize) -> Self {
        Self { pairs: points(pairs) }
    }
}

impl Statement for Pairing {
    fn fill(&self, builder: &mut BaseCircuitBuilder<Fr>) {
        let range = builder.range_chip();
        let base = FpChip::new(&range, LIMB_BITS, LIMBS);
        let chip = PairingChip::new(&base);
        let ctx = builder.main(0);
        let assigned: Vec<_> = self
            .pairs
            .iter()
            .map(|(p, q)| {
                let p = chip.load_private_g1_unchecked(ctx, *p);
                (p, chip.load_private_g2_unchecked(ctx, *q))
            })
            .collect();
        let product = chip.multi_miller_loop(ctx, assigned.iter().map(|(p, q)| (p, q)).collect());
        let product = chip.final_exp(ctx, product);
        let field = Fp12Chip::<Fr>::new(&base);
        let one = field.load_constant(ctx, halo2_base::halo2_proofs::arithmetic::Field::ONE);
        let is_one = field.is_equal(ctx, product, one);
        range.gate().assert_is_const(ctx, &is_one, &Fr::one());
        let (first, _) = &assigned[0];
        builder.assigned_instances[0] =
            [first.x(), first.y()].into_iter().flat_map(|x| x.limbs().to_vec()).collect();
    }
}

#[cfg(test)]
mod tests {
    use halo2_base::gates::circuit::CircuitBuilderStage;
    use halo2_base::halo2_proofs::dev::MockProver;
    use halo2_base::halo2_proofs::halo2curves::group::Curve;

    use super::*;

    const DEGREE: usize = 18;

    fn satisfied(statement: &impl Statement) -> bool {
        let mut builder = BaseCircuitBuilder::from_stage(CircuitBuilderStage::Mock)
            .use_k(DEGREE)
            .use_lookup_bits(DEGREE - 1)
            .use_instance_columns(1);
        statement.fill(&mut builder);
        builder.calculate_params(Some(super::super::UNUSABLE_ROWS));
        let public = builder.assigned_instances[0].iter().map(|cell| *cell.value()).collect();
        MockProver::run(DEGREE as u32, &builder, vec![public])
            .is_ok_and(|prover| prover.verify().is_ok())
    }

    #[test]
    fn a_product_that_is_1_and_one_that_is_not() {
        let mut statement = Pairing::sample(2);
        assert!(satisfied(&statement));
        statement.pairs[0].0 = (statement.pairs[0].0 + statement.pairs[0].0).to_affine();
        assert!(!satisfied(&statement));
    }
}
