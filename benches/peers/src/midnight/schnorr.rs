//! Schnorr on Jubjub, the embedded curve of BLS12-381: sG + eP = R with e = Poseidon(P, R, m).

use ff::Field;
use group::Group;
use midnight_circuits::hash::poseidon::PoseidonChip;
use midnight_circuits::instructions::hash::HashCPU;
use midnight_circuits::instructions::{
    AssertionInstructions, AssignmentInstructions, ConversionInstructions, EccInstructions,
    PublicInputInstructions,
};
use midnight_circuits::types::{AssignedNative, AssignedNativePoint, Instantiable};
use midnight_curves::{Fr as JubjubScalar, JubjubAffine, JubjubExtended, JubjubSubgroup};
use midnight_proofs::circuit::{Layouter, Value};
use midnight_proofs::plonk::Error;
use midnight_zk_stdlib::{Relation, ZkStdLib, ZkStdLibArch};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::{read_count, write_count, Sample, F};
use crate::sample::SEED;

/// A point of the circuit.
pub(super) type AssignedPoint = AssignedNativePoint<JubjubExtended>;

/// A signature as a point and a scalar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signature {
    nonce_point: JubjubSubgroup,
    s: JubjubScalar,
}

/// A secret key and its public key.
pub(super) struct KeyPair {
    secret: JubjubScalar,
    /// The point that others know.
    pub(super) public: JubjubSubgroup,
}

impl KeyPair {
    pub(super) fn random(rng: &mut ChaCha20Rng) -> Self {
        let secret = JubjubScalar::random(rng);
        Self { secret, public: JubjubSubgroup::generator() * secret }
    }

    pub(super) fn sign(&self, message: F, rng: &mut ChaCha20Rng) -> Signature {
        let nonce = JubjubScalar::random(rng);
        let nonce_point = JubjubSubgroup::generator() * nonce;
        let s = nonce - challenge(&self.public, &nonce_point, message) * self.secret;
        Signature { nonce_point, s }
    }
}

/// Affine coordinates of a point.
pub(super) fn coordinates(point: &JubjubSubgroup) -> [F; 2] {
    let point = JubjubAffine::from(JubjubExtended::from(*point));
    [point.get_u(), point.get_v()]
}

/// e = Poseidon(P, R, m), reduced from the native field to the scalars.
fn challenge(public: &JubjubSubgroup, nonce_point: &JubjubSubgroup, message: F) -> JubjubScalar {
    let [key_u, key_v] = coordinates(public);
    let [nonce_u, nonce_v] = coordinates(nonce_point);
    let digest =
        <PoseidonChip<F> as HashCPU<F, F>>::hash(&[key_u, key_v, nonce_u, nonce_v, message]);
    let mut wide = [0; 64];
    wide[..32].copy_from_slice(&digest.to_bytes_le());
    JubjubScalar::from_bytes_wide(&wide)
}

/// Constrains one signature; `key` is on the curve and in the subgroup already.
///
/// R is only checked to be on the curve: it has to equal a sum of two subgroup points.
pub(super) fn assert_signature(
    std_lib: &ZkStdLib,
    layouter: &mut impl Layouter<F>,
    message: &AssignedNative<F>,
    key: &AssignedPoint,
    signature: Value<Signature>,
) -> Result<(), Error> {
    let jubjub = std_lib.jubjub();
    let generator: AssignedPoint = jubjub.assign_fixed(layouter, JubjubSubgroup::generator())?;
    let nonce_point =
        jubjub.assign_without_subgroup_check(layouter, signature.map(|it| it.nonce_point))?;
    let s = jubjub.assign(layouter, signature.map(|it| it.s))?;

    let mut transcript = Vec::with_capacity(5);
    for point in [key, &nonce_point] {
        transcript.push(jubjub.x(layouter, point)?);
        transcript.push(jubjub.y(layouter, point)?);
    }
    transcript.push(message.clone());
    let digest = std_lib.poseidon(layouter, &transcript)?;
    let e = jubjub.convert(layouter, &digest)?;

    let sum = jubjub.msm(layouter, &[s, e], &[generator, key.clone()])?;
    jubjub.assert_equal(layouter, &sum, &nonce_point)
}

/// This many independent signatures on one message; public: the keys and the message.
#[derive(Clone, Debug)]
pub(crate) struct SchnorrJubjub(usize);

impl SchnorrJubjub {
    /// Fresh keys that all sign one message.
    pub(crate) fn sample(signatures: usize) -> Sample<Self> {
        let mut rng = ChaCha20Rng::seed_from_u64(SEED);
        let message = F::random(&mut rng);
        let (keys, witness): (Vec<_>, Vec<_>) = (0..signatures)
            .map(|_| {
                let pair = KeyPair::random(&mut rng);
                (pair.public, pair.sign(message, &mut rng))
            })
            .unzip();
        Sample {
            relation: Self(signatures),
            instance: (keys.clone(), message),
            false_instance: (keys, message + F::ONE),
            witness,
        }
    }
}

impl Relation for SchnorrJubjub {
    type Instance = (Vec<JubjubSubgroup>, F);
    type Witness = Vec<Signature>;
    type Error = Error;

    fn format_instance((keys, message): &Self::Instance) -> Result<Vec<F>, Error> {
        let mut inputs = vec![*message];
        inputs.extend(keys.iter().flat_map(AssignedPoint::as_public_input));
        Ok(inputs)
    }

    fn circuit(
        &self,
        std_lib: &ZkStdLib,
        layouter: &mut impl Layouter<F>,
        instance: Value<Self::Instance>,
        witness: Value<Self::Witness>,
    ) -> Result<(), Error> {
        let (keys, message) = instance.unzip();
        let message = std_lib.assign_as_public_input(layouter, message)?;
        let signatures = witness.transpose_vec(self.0);
        for (key, signature) in keys.transpose_vec(self.0).into_iter().zip(signatures) {
            let key = std_lib.jubjub().assign_as_public_input(layouter, key)?;
            assert_signature(std_lib, layouter, &message, &key, signature)?;
        }
        Ok(())
    }

    fn used_chips(&self) -> ZkStdLibArch {
        ZkStdLibArch { jubjub: true, poseidon: true, ..ZkStdLibArch::default() }
    }

    fn write_relation<W: std::io::Write>(&self, writer: &mut W) -> std::io::Result<()> {
        write_count(writer, self.0)
    }

    fn read_relation<R: std::io::Read>(reader: &mut R) -> std::io::Result<Self> {
        read_count(reader).map(Self)
    }
}
