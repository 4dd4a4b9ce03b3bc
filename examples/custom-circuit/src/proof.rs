//! Keys and proofs, in the format `fast`.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_gates::Placement;
use muster_params::Srs;
use muster_prover::{keys::CircuitKeys, Error};
use muster_verifier::{Key, VerifyError};

use crate::{circuit, Claim, Opening, PUBLIC_INPUTS};

/// What the public inputs mean. It goes into the key, and so into its digest.
const DESCRIPTION: &[u8] = b"first and last 16 bytes of a digest that a key signed by ECDSA over secp256k1; Poseidon of the key's name and a salt";

/// What proofs are made with.
#[derive(Debug)]
pub struct Keys {
    keys: CircuitKeys,
    placement: Placement,
}

impl Keys {
    /// Makes the keys. They do not depend on the claim.
    ///
    /// # Errors
    ///
    /// Those of [`CircuitKeys::make`].
    pub fn new(srs: &Srs, claim: &Claim, opening: &Opening) -> Result<Self, Error> {
        let circuit = circuit(claim, opening, false);
        let keys = CircuitKeys::make(srs, &circuit, PUBLIC_INPUTS, DESCRIPTION.to_vec())?;
        Ok(Self { keys, placement: circuit.gates.placement().unwrap_or_default() })
    }

    /// What verifiers load.
    pub fn verifier(&self) -> &Key {
        self.keys.verifier()
    }

    /// Proves a claim.
    ///
    /// # Errors
    ///
    /// Those of [`CircuitKeys::prove`].
    pub fn prove(&self, srs: &Srs, claim: &Claim, opening: &Opening) -> Result<Vec<u8>, Error> {
        let mut circuit = circuit(claim, opening, true);
        circuit.gates.set_placement(self.placement.clone());
        self.keys.prove(srs, circuit, &claim.public_inputs())
    }
}

/// Checks that `proof` proves `claim`, which is what the verifier expects.
///
/// # Errors
///
/// Why it does not.
pub fn verify(key: &Key, claim: &Claim, proof: &[u8]) -> Result<(), VerifyError> {
    let word = |input: &Fr| {
        let mut bytes = input.to_bytes();
        bytes.reverse();
        bytes
    };
    let inputs: Vec<_> = claim.public_inputs().iter().map(word).collect();
    key.verify(&inputs, proof)
}
