//! The one contract that verifies `compact` proofs under every key, `contracts/compact/src/MusterVerifier.sol`, and an EVM to
//! run it in.

use alloy_primitives::{Bytes, B256, U256};
use alloy_sol_types::SolCall;

use crate::{
    contract::evm::{Address, Evm, Outcome},
    Error,
};

#[cfg(test)]
mod tests;

/// The creation code in hexadecimal, as solc 0.8.19 makes it with [`contract_settings`](crate::contract::solc::contract_settings). It
/// takes no arguments.
pub const CREATION_CODE: &str = include_str!("../../bytecode/MusterVerifier.hex");

#[allow(missing_docs)]
mod abi {
    alloy_sol_types::sol! {
        function register(bytes evmKey) returns (bytes32 name);
        function verify(bytes32 name, uint256[] inputs, bytes proof) returns (bool);
    }
}

/// The contract on a chain of its own, whose rules and prices are those of the Osaka fork.
#[derive(Debug)]
pub struct Verifier {
    evm: Evm,
    address: Address,
}

impl Verifier {
    /// Deploys the contract, without any key.
    ///
    /// # Errors
    ///
    /// [`Error::Contract`] if the EVM refuses it.
    pub fn new() -> Result<Self, Error> {
        let code = hex::decode(CREATION_CODE.trim());
        let code = code.map_err(|error| Error::Contract(format!("bytecode: {error}")))?;
        let mut evm = Evm::default();
        let address = evm.deploy(&code)?;
        Ok(Self { evm, address })
    }

    /// Stores an EVM key; what is returned is its name.
    ///
    /// # Errors
    ///
    /// [`Error::Contract`] if the EVM does not accept the transaction.
    pub fn register(&mut self, evm_key: &[u8]) -> Result<Outcome, Error> {
        let call = abi::registerCall { evmKey: Bytes::copy_from_slice(evm_key) };
        self.evm.send(self.address, &call.abi_encode())
    }

    /// Calls `verify`. Public inputs are 32 bytes each, as is everything on a chain; the proof is in its long encoding.
    ///
    /// # Errors
    ///
    /// [`Error::Contract`] if the EVM does not accept the transaction.
    pub fn verify(
        &mut self,
        name: [u8; 32],
        inputs: &[B256],
        proof: &[u8],
    ) -> Result<Outcome, Error> {
        let inputs = inputs.iter().map(|input| U256::from_be_bytes(input.0)).collect();
        let proof = Bytes::copy_from_slice(proof);
        let call = abi::verifyCall { name: name.into(), inputs, proof };
        self.evm.call(self.address, &call.abi_encode())
    }
}
