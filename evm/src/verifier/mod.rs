//! The one contract that verifies `compact` proofs under every key, `contracts/compact/src/MusterVerifier.sol`, and an EVM to
//! run it in.

use alloy_primitives::{Bytes, U256};
use alloy_sol_types::SolCall;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use crate::{
    bridge::word,
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

    /// Bytes of the contract's code.
    pub fn code_length(&self) -> usize {
        self.evm.code_length(self.address)
    }

    /// Stores an EVM key; returns its name.
    ///
    /// # Errors
    ///
    /// [`Error::Contract`] if the contract refuses it.
    pub fn register(&mut self, evm_key: &[u8]) -> Result<[u8; 32], Error> {
        let call = abi::registerCall { evmKey: Bytes::copy_from_slice(evm_key) };
        let outcome = self.evm.send(self.address, &call.abi_encode())?;
        let name = outcome.success.then(|| outcome.output.try_into().ok()).flatten();
        name.ok_or_else(|| Error::Contract("MusterVerifier refuses the key".into()))
    }

    /// Calls `verify`, with a proof in its long encoding.
    ///
    /// # Errors
    ///
    /// [`Error::Contract`] if the EVM does not accept the transaction.
    pub fn verify(
        &mut self,
        name: [u8; 32],
        inputs: &[Fr],
        proof: &[u8],
    ) -> Result<Outcome, Error> {
        let inputs = inputs.iter().map(|input| U256::from_be_bytes(word(input).0)).collect();
        let proof = Bytes::copy_from_slice(proof);
        let call = abi::verifyCall { name: name.into(), inputs, proof };
        self.evm.call(self.address, &call.abi_encode())
    }
}
