//! Schnorr on secp256k1 with the library's foreign-field chips: the counterpart, statement for
//! statement, of halo2-ecc's row. R = sG − eP has the public x and an even y.

use ff::Field;
use group::Curve;
use midnight_circuits::field::foreign::params::MultiEmulationParams;
use midnight_circuits::instructions::{
    AssertionInstructions, AssignmentInstructions, DecompositionInstructions, EccInstructions,
    PublicInputInstructions,
};
use midnight_circuits::types::{AssignedField, AssignedForeignPoint, Instantiable};
use midnight_circuits::CircuitField;
use midnight_curves::k256::{Fp, Fq, K256};
use midnight_proofs::circuit::{Layouter, Value};
use midnight_proofs::plonk::Error;
use midnight_zk_stdlib::{Relation, ZkStdLib, ZkStdLibArch};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::{read_count, write_count, Sample, F};
use crate::sample::SEED;

/// A point of the circuit.
type Point = AssignedForeignPoint<F, K256, MultiEmulationParams>;
/// What the verifier sees of one signature: the key, R.x, and the challenge it recomputes.
type PublicHalf = (K256, (Fp, Fq));

/// This many signatures; public: each key, each R.x and each challenge. Private: s.
#[derive(Clone, Debug)]
pub(crate) struct SchnorrSecp256k1(usize);

impl SchnorrSecp256k1 {
    /// Fresh keys; the challenges are random, since no circuit here hashes.
    pub(crate) fn sample(signatures: usize) -> Sample<Self> {
        let mut rng = ChaCha20Rng::seed_from_u64(SEED);
        let (instance, witness): (Vec<PublicHalf>, Vec<Fq>) = (0..signatures)
            .map(|_| {
                let [secret, nonce, challenge] = [(); 3].map(|()| Fq::random(&mut rng));
                let nonce_point = (K256::generator() * nonce).to_affine();
                let r_is_even = nonce_point.y().to_bytes_le()[0] & 1 == 0;
                let nonce = if r_is_even { nonce } else { -nonce };
                let public = (K256::generator() * secret, (nonce_point.x(), challenge));
                (public, nonce + challenge * secret)
            })
            .unzip();
        let mut false_instance = instance.clone();
        false_instance[0].1 .1 += Fq::ONE;
        Sample { relation: Self(signatures), instance, false_instance, witness }
    }
}

impl Relation for SchnorrSecp256k1 {
    type Instance = Vec<PublicHalf>;
    type Witness = Vec<Fq>;
    type Error = Error;

    fn format_instance(instance: &Self::Instance) -> Result<Vec<F>, Error> {
        type Base = AssignedField<F, Fp, MultiEmulationParams>;
        type Scalar = AssignedField<F, Fq, MultiEmulationParams>;
        Ok(instance
            .iter()
            .flat_map(|(key, (r_x, challenge))| {
                [
                    Point::as_public_input(key),
                    Base::as_public_input(r_x),
                    Scalar::as_public_input(challenge),
                ]
                .concat()
            })
            .collect())
    }

    fn circuit(
        &self,
        std_lib: &ZkStdLib,
        layouter: &mut impl Layouter<F>,
        instance: Value<Self::Instance>,
        witness: Value<Self::Witness>,
    ) -> Result<(), Error> {
        let curve = std_lib.secp256k1();
        let (base, scalar) = (curve.base_field_chip(), curve.scalar_field_chip());
        let generator: Point = curve.assign_fixed(layouter, K256::generator())?;
        let secrets = witness.transpose_vec(self.0);
        for (public, s) in instance.transpose_vec(self.0).into_iter().zip(secrets) {
            let (key, scalars) = public.unzip();
            let (r_x, challenge) = scalars.unzip();
            let key: Point = curve.assign_as_public_input(layouter, key)?;
            let r_x = base.assign_as_public_input(layouter, r_x)?;
            let challenge = scalar.assign_as_public_input(layouter, challenge)?;
            let s = scalar.assign(layouter, s)?;

            let negated_key = curve.negate(layouter, &key)?;
            let bases = [generator.clone(), negated_key];
            let r = curve.msm(layouter, &[s, challenge], &bases)?;
            let reached = curve.x(layouter, &r)?;
            base.assert_equal(layouter, &reached, &r_x)?;
            let y = curve.y(layouter, &r)?;
            let odd = base.sgn0(layouter, &y)?;
            std_lib.assert_false(layouter, &odd)?;
        }
        Ok(())
    }

    fn used_chips(&self) -> ZkStdLibArch {
        // Four range-check columns, as in the library's own secp256k1 examples.
        ZkStdLibArch { secp256k1: true, nr_pow2range_cols: 4, ..ZkStdLibArch::default() }
    }

    fn write_relation<W: std::io::Write>(&self, writer: &mut W) -> std::io::Result<()> {
        write_count(writer, self.0)
    }

    fn read_relation<R: std::io::Read>(reader: &mut R) -> std::io::Result<Self> {
        read_count(reader).map(Self)
    }
}
