//! The one contract that verifies `compact` proofs under every key, `MusterVerifier`: its code, its calls, names of keys.

#[cfg(feature = "evm")]
mod run;
#[cfg(all(test, feature = "evm"))]
mod tests;

use std::{borrow::Cow, fmt, str::FromStr};

use alloy_primitives::{hex, B256};
use alloy_sol_types::SolCall;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::encoding::{from_hex_exact, to_hex};

use crate::words::word;

#[cfg(feature = "evm")]
pub use run::Verifier;

/// In hexadecimal, as solc 0.8.19 makes it with the optimizer at 200 runs; a test compiles it anew.
const CREATION_CODE: &str = include_str!("../../bytecode/MusterVerifier.hex");

/// The functions, as the contract declares them.
#[allow(missing_docs)]
mod abi {
    alloy_sol_types::sol! {
        function register(bytes evmKey);
        function verify(bytes32 name, uint256[] inputs, bytes proof);
        struct Claim {
            bytes32 name;
            uint256[] inputs;
            bytes proof;
        }
        function verifyAll(Claim[] claims);
        function verifyProof(bytes32 name, bytes publicValues, bytes proofBytes);
    }
}

/// The code that deploys the contract. It takes no arguments.
pub fn creation_code() -> Vec<u8> {
    hex::decode(CREATION_CODE.trim()).expect("hexadecimal")
}

/// The name that contracts know a key by: the Keccak-256 of the EVM key's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyName(pub [u8; 32]);

impl FromStr for KeyName {
    type Err = Cow<'static, str>;

    /// Reads `0x` hex.
    fn from_str(text: &str) -> Result<Self, Cow<'static, str>> {
        from_hex_exact(text).map(Self)
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_hex(&self.0))
    }
}

impl KeyName {
    pub(crate) fn word(self) -> B256 {
        self.0.into()
    }
}

/// `register(bytes)`, with the bytes of an EVM key.
pub fn register(evm_key: &[u8]) -> Vec<u8> {
    abi::registerCall { evmKey: evm_key.to_vec().into() }.abi_encode()
}

/// `verify(bytes32,uint256[],bytes)`, which says whether the proof holds. Points of the proof are in the long encoding.
pub fn verify(name: KeyName, public_inputs: &[Fr], proof: &[u8]) -> Vec<u8> {
    let inputs = public_inputs.iter().map(|input| word(input).into()).collect();
    abi::verifyCall { name: name.word(), inputs, proof: proof.to_vec().into() }.abi_encode()
}

/// `verifyAll((bytes32,uint256[],bytes)[])`, which says whether all of these proofs hold, each under the key of its name and
/// for its inputs. Points are in the long encoding.
pub fn verify_all(claims: &[(KeyName, &[Fr], &[u8])]) -> Vec<u8> {
    let claim = |&(name, inputs, proof): &(KeyName, &[Fr], &[u8])| abi::Claim {
        name: name.word(),
        inputs: inputs.iter().map(|input| word(input).into()).collect(),
        proof: proof.to_vec().into(),
    };
    abi::verifyAllCall { claims: claims.iter().map(claim).collect() }.abi_encode()
}

/// `verifyProof(bytes32,bytes,bytes)`, which reverts unless the proof holds. Points of the proof are in the long encoding.
pub fn verify_proof(name: KeyName, public_inputs: &[Fr], proof: &[u8]) -> Vec<u8> {
    let words: Vec<_> = public_inputs.iter().map(word).collect();
    abi::verifyProofCall {
        name: name.word(),
        publicValues: words.concat().into(),
        proofBytes: proof.to_vec().into(),
    }
    .abi_encode()
}
