//! `MusterVerifier` in an EVM.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::{creation_code, register, verify, verify_all, KeyName};
use crate::evm::{Address, Evm, EvmError, Outcome};

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
    /// [`EvmError::NotDeployed`].
    pub fn new() -> Result<Self, EvmError> {
        let mut evm = Evm::default();
        let address = evm.deploy(&creation_code())?;
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
    /// [`EvmError::Refused`] if the contract refuses it.
    pub fn register(&mut self, evm_key: &[u8]) -> Result<KeyName, EvmError> {
        let outcome = self.evm.send(self.address, &register(evm_key))?;
        let name = outcome.success.then(|| outcome.output.try_into().ok()).flatten();
        name.map(KeyName).ok_or(EvmError::Refused("the key"))
    }

    /// Calls `verify`, with a proof in its long encoding.
    ///
    /// # Errors
    ///
    /// [`EvmError::Transaction`] if the EVM does not accept the transaction.
    pub fn verify(
        &mut self,
        name: KeyName,
        inputs: &[Fr],
        proof: &[u8],
    ) -> Result<Outcome, EvmError> {
        self.evm.call(self.address, &verify(name, inputs, proof))
    }

    /// Calls `verifyAll`, with proofs in their long encoding.
    ///
    /// # Errors
    ///
    /// [`EvmError::Transaction`] if the EVM does not accept the transaction.
    pub fn verify_all(&mut self, claims: &[(KeyName, &[Fr], &[u8])]) -> Result<Outcome, EvmError> {
        self.evm.call(self.address, &verify_all(claims))
    }
}
