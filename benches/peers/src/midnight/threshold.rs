//! Threshold ECDSA on secp256k1: the library's own example `bitcoin_ecdsa_threshold`, constraint for
//! constraint, with the numbers of signers and of members as parameters instead of its 4 and 5.
//!
//! All members' keys are public inputs. The factor that joins the equations of the signatures to one is
//! a constant, as in the example, which calls itself a proof of concept for it: whoever knows one
//! member's secret can make the joint equation hold without the others, see the test of
//! [`super`]. So it bounds from below what a sound circuit of this design costs.

use ff::Field;
use group::Curve;
use midnight_circuits::field::foreign::params::MultiEmulationParams;
use midnight_circuits::instructions::{
    ArithInstructions, AssignmentInstructions, DecompositionInstructions, EccInstructions,
    PublicInputInstructions, ZeroInstructions,
};
use midnight_circuits::types::{AssignedByte, AssignedField, AssignedForeignPoint, Instantiable};
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
/// A number modulo the order of the curve.
type Scalar = AssignedField<F, Fq, MultiEmulationParams>;
/// A coordinate.
type Base = AssignedField<F, Fp, MultiEmulationParams>;

/// The example's factor between the equations.
const FACTOR: u64 = 42;
/// Bytes of r.
const BYTES: usize = 32;

/// One member that signed.
#[derive(Clone, Debug)]
pub(crate) struct Signer {
    pub(super) key: K256,
    pub(super) s: Fq,
    /// K = kG, of which r is the first coordinate.
    pub(super) nonce_point: K256,
}

impl Signer {
    /// Signs; r is below the order but for a chance of 2^-128.
    fn sign(secret: Fq, nonce: Fq, digest: Fq) -> Self {
        let nonce_point = K256::generator() * nonce;
        let inverse = nonce.invert().unwrap_or(Fq::ZERO);
        let s = inverse * (digest + r(&nonce_point) * secret);
        Self { key: K256::generator() * secret, s, nonce_point }
    }
}

/// The first coordinate in bytes, as little-endian.
fn r_bytes(nonce_point: &K256) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    bytes.copy_from_slice(&nonce_point.to_affine().x().to_bytes_le());
    bytes
}

/// The first coordinate as a scalar.
pub(super) fn r(nonce_point: &K256) -> Fq {
    Fq::from_bytes_le(&r_bytes(nonce_point)).unwrap_or(Fq::ZERO)
}

/// The factors of the equations: the powers of the constant from the first on.
#[cfg(test)]
pub(super) fn factors(signatures: usize) -> Vec<Fq> {
    let factor = Fq::from(FACTOR);
    std::iter::successors(Some(factor), |power| Some(*power * factor)).take(signatures).collect()
}

/// So many signatures by distinct ones of so many members; public: the digest and all keys.
#[derive(Clone, Debug)]
pub(crate) struct ThresholdEcdsa {
    signatures: usize,
    members: usize,
}

impl ThresholdEcdsa {
    /// A fresh committee, of which members at equal distances sign.
    pub(crate) fn sample(signatures: usize, members: usize) -> Sample<Self> {
        let mut rng = ChaCha20Rng::seed_from_u64(SEED);
        let digest = Fq::random(&mut rng);
        let secrets: Vec<Fq> = (0..members).map(|_| Fq::random(&mut rng)).collect();
        let keys: Vec<K256> = secrets.iter().map(|secret| K256::generator() * secret).collect();
        let witness = (0..signatures)
            .map(|signer| secrets[signer * members / signatures])
            .map(|secret| Signer::sign(secret, Fq::random(&mut rng), digest))
            .collect();
        Sample {
            relation: Self { signatures, members },
            instance: (digest, keys.clone()),
            false_instance: (digest + Fq::ONE, keys),
            witness,
        }
    }
}

impl Relation for ThresholdEcdsa {
    type Instance = (Fq, Vec<K256>);
    type Witness = Vec<Signer>;
    type Error = Error;

    fn format_instance((digest, keys): &Self::Instance) -> Result<Vec<F>, Error> {
        let keys = keys.iter().flat_map(Point::as_public_input);
        Ok(Scalar::as_public_input(digest).into_iter().chain(keys).collect())
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
        let (digest, keys) = instance.unzip();
        let digest: Scalar = scalar.assign_as_public_input(layouter, digest)?;
        let keys: Vec<Point> = curve.assign_many(layouter, &keys.transpose_vec(self.members))?;
        for key in &keys {
            curve.constrain_as_public_input(layouter, key)?;
        }

        let signers = witness.transpose_vec(self.signatures);
        let selected: Vec<Value<K256>> =
            signers.iter().map(|signer| signer.as_ref().map(|it| it.key)).collect();
        let selected = curve.k_out_of_n_points(layouter, &keys, &selected)?;

        // The sum over all i of f^i (r_i P_i + h G - s_i K_i) is zero.
        let factor: Scalar = scalar.assign_fixed(layouter, Fq::from(FACTOR))?;
        let mut factors = vec![factor.clone()];
        while factors.len() < self.signatures {
            let next = scalar.mul(layouter, &factors[factors.len() - 1], &factor, None)?;
            factors.push(next);
        }

        let mut of_nonces = Vec::with_capacity(self.signatures);
        for (signer, factor) in signers.iter().zip(&factors) {
            let negated = scalar.assign(layouter, signer.as_ref().map(|it| -it.s))?;
            of_nonces.push(scalar.mul(layouter, &negated, factor, None)?);
        }

        let mut of_keys = Vec::with_capacity(self.signatures);
        let mut nonce_points = Vec::with_capacity(self.signatures);
        for (signer, factor) in signers.iter().zip(&factors) {
            let bytes = signer.as_ref().map(|it| r_bytes(&it.nonce_point).to_vec());
            let bytes: Vec<AssignedByte<F>> =
                std_lib.assign_many(layouter, &bytes.transpose_vec(BYTES))?;
            let r: Scalar = scalar.assigned_from_le_bytes(layouter, &bytes)?;
            let x: Base = base.assigned_from_le_bytes(layouter, &bytes)?;
            of_keys.push(scalar.mul(layouter, &r, factor, None)?);
            let y = signer.as_ref().map(|it| it.nonce_point.to_affine().y());
            let y: Base = base.assign(layouter, y)?;
            nonce_points.push(curve.point_from_coordinates(layouter, &x, &y)?);
        }

        let terms: Vec<_> = factors.into_iter().map(|factor| (Fq::ONE, factor)).collect();
        let sum = scalar.linear_combination(layouter, &terms, Fq::ZERO)?;
        let of_generator = scalar.mul(layouter, &sum, &digest, None)?;

        let generator: Point = curve.assign_fixed(layouter, K256::generator())?;
        let bases = [vec![generator], selected, nonce_points].concat();
        let scalars = [vec![of_generator], of_keys, of_nonces].concat();
        let result = curve.msm(layouter, &scalars, &bases)?;
        curve.assert_zero(layouter, &result)
    }

    fn used_chips(&self) -> ZkStdLibArch {
        ZkStdLibArch { secp256k1: true, nr_pow2range_cols: 4, ..ZkStdLibArch::default() }
    }

    fn write_relation<W: std::io::Write>(&self, writer: &mut W) -> std::io::Result<()> {
        write_count(writer, self.signatures)?;
        write_count(writer, self.members)
    }

    fn read_relation<R: std::io::Read>(reader: &mut R) -> std::io::Result<Self> {
        let (signatures, members) = (read_count(reader)?, read_count(reader)?);
        Ok(Self { signatures, members })
    }
}
