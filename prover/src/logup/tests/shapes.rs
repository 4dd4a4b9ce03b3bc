//! Proofs of the shipped circuits.

use muster_circuits::{Request, Scheme};

use crate::{plonk::tests::case::Case, prove, ProofKind, VerifyError};

/// One of each family of gates: all columns are in the protocol, so halo2's key is that of the same commitments.
#[test]
fn each_family_of_circuits_has_proofs() {
    for (scheme, signing, signers) in
        [(Scheme::Schnorr, 1, 2), (Scheme::EcdsaSecp256k1, 1, 2), (Scheme::Ed25519, 1, 1)]
    {
        let case = Case::of(&Request::new(scheme, signers, signing));
        let proof = prove(&case.srs, &case.keys, &case.witness, ProofKind::Fast).unwrap();
        let key = case.keys.verifier();
        assert_eq!(proof.bytes().len(), key.key().protocol().arrangement().proof_bytes());
        let mut other = case.statement.clone();
        other.threshold += 1;
        assert_eq!(key.verify(&other, &proof), Err(VerifyError::Invalid));
        eprintln!("{scheme}: {} bytes", proof.bytes().len());
    }
}
