//! Ed25519 as the library's own example `cardano_signature` has it: the equation without the cofactor,
//! canonical encodings, points of the prime-order subgroup. That is what Muster calls `strict`. All signatures
//! are on one message; keys and message are public, byte by byte.

use group::Group;
use midnight_circuits::instructions::{
    ArithInstructions, AssertionInstructions, AssignmentInstructions, CanonicityInstructions,
    DecompositionInstructions, EccInstructions, FieldInstructions, PublicInputInstructions,
};
use midnight_circuits::types::{AssignedByte, Instantiable};
use midnight_curves::curve25519::{CompressedEdwardsY, Curve25519Subgroup};
use midnight_proofs::circuit::{Layouter, Value};
use midnight_proofs::plonk::Error;
use midnight_zk_stdlib::{Relation, ZkStdLib, ZkStdLibArch};
use muster_schemes::signature::ed25519::{native::sign, SecretKey};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::{read_count, write_count, Sample, F};
use crate::sample::{ED25519_MESSAGE_BYTES, SEED};

/// A key, the nonce R, or s.
type Encoded = [u8; 32];
/// What all signers sign.
type Message = [u8; ED25519_MESSAGE_BYTES];

/// This many signatures; public: the keys and the message. Private: R and s of each.
#[derive(Clone, Debug)]
pub(crate) struct Ed25519(usize);

impl Ed25519 {
    /// Fresh keys and a message.
    pub(crate) fn sample(signatures: usize) -> Sample<Self> {
        let mut rng = ChaCha20Rng::seed_from_u64(SEED);
        let mut message = [0; ED25519_MESSAGE_BYTES];
        rng.fill_bytes(&mut message);
        let mut signed = || {
            let mut seed = Encoded::default();
            rng.fill_bytes(&mut seed);
            let key = SecretKey::from_seed(&seed);
            let signature = sign(&key, &message);
            (key.public_key().to_bytes(), (*signature.nonce().bytes(), signature.s()))
        };
        let (keys, witness): (Vec<_>, Vec<_>) = (0..signatures).map(|_| signed()).unzip();
        let mut other = message;
        other[0] ^= 1;
        Sample {
            relation: Self(signatures),
            instance: (keys.clone(), message),
            false_instance: (keys, other),
            witness,
        }
    }
}

/// The point of an encoding; in a true statement it is one of the subgroup.
fn decompress(encoded: Encoded) -> Curve25519Subgroup {
    let point = CompressedEdwardsY(encoded).decompress();
    let point = point.and_then(Curve25519Subgroup::from_edwards);
    point.unwrap_or_else(Curve25519Subgroup::identity)
}

impl Relation for Ed25519 {
    type Instance = (Vec<Encoded>, Message);
    type Witness = Vec<(Encoded, Encoded)>;
    type Error = Error;

    fn format_instance((keys, message): &Self::Instance) -> Result<Vec<F>, Error> {
        let bytes = message.iter().chain(keys.iter().flatten());
        Ok(bytes.flat_map(AssignedByte::<F>::as_public_input).collect())
    }

    fn circuit(
        &self,
        std_lib: &ZkStdLib,
        layouter: &mut impl Layouter<F>,
        instance: Value<Self::Instance>,
        witness: Value<Self::Witness>,
    ) -> Result<(), Error> {
        let curve = std_lib.curve25519();
        let scalar = curve.scalar_field_chip();
        let (keys, message) = instance.unzip();
        let message: Vec<AssignedByte<F>> =
            std_lib.assign_many(layouter, &message.transpose_array())?;
        for byte in &message {
            std_lib.constrain_as_public_input(layouter, byte)?;
        }
        let generator = curve.assign_fixed(layouter, Curve25519Subgroup::generator())?;
        let assign = |layouter: &mut _, bytes: Value<Encoded>| {
            let bytes: Vec<AssignedByte<F>> =
                std_lib.assign_many(layouter, &bytes.transpose_array())?;
            <[AssignedByte<F>; 32]>::try_from(bytes)
                .map_err(|_| Error::Synthesis("32 bytes".into()))
        };
        let signatures = witness.transpose_vec(self.0);
        for (key, signature) in keys.transpose_vec(self.0).into_iter().zip(signatures) {
            let (nonce, s) = signature.unzip();
            let key_bytes = assign(layouter, key)?;
            for byte in &key_bytes {
                std_lib.constrain_as_public_input(layouter, byte)?;
            }
            let [key, nonce_bytes] = [(key, key_bytes.clone()), (nonce, assign(layouter, nonce)?)]
                .map(|(value, bytes)| (value.map(decompress), bytes));
            let s_bytes = assign(layouter, s)?;
            let mut bits = vec![];
            for byte in s_bytes {
                bits.extend(std_lib.assigned_to_le_bits(layouter, &byte.into(), Some(8), false)?);
            }
            let is_canonical = scalar.le_bits_lower_than(layouter, &bits, scalar.order())?;
            std_lib.assert_true(layouter, &is_canonical)?;
            let s = scalar.assigned_from_le_bits(layouter, &bits)?;

            let hashed: Vec<_> =
                nonce_bytes.1.iter().chain(&key_bytes).chain(&message).cloned().collect();
            let challenge = std_lib.sha2_512(layouter, &hashed)?;
            let challenge = scalar.assigned_from_le_bytes(layouter, &challenge)?;
            let key = curve.from_canonical_compressed_bytes(layouter, &key.1, key.0)?;
            let nonce =
                curve.from_canonical_compressed_bytes(layouter, &nonce_bytes.1, nonce_bytes.0)?;
            let challenge = scalar.neg(layouter, &challenge)?;
            // The library does not export the type of its points.
            let bases = [Clone::clone(&generator), key];
            let sum = curve.msm(layouter, &[s, challenge], &bases)?;
            curve.assert_equal(layouter, &nonce, &sum)?;
        }
        Ok(())
    }

    fn used_chips(&self) -> ZkStdLibArch {
        // As many range-check columns as in the example.
        ZkStdLibArch {
            curve25519: true,
            sha2_512: true,
            nr_pow2range_cols: 4,
            ..ZkStdLibArch::default()
        }
    }

    fn write_relation<W: std::io::Write>(&self, writer: &mut W) -> std::io::Result<()> {
        write_count(writer, self.0)
    }

    fn read_relation<R: std::io::Read>(reader: &mut R) -> std::io::Result<Self> {
        read_count(reader).map(Self)
    }
}
