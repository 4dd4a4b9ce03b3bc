//! An EVM to run generated verifiers in.

use revm::{
    context::{result::ExecutionResult, TxEnv},
    database::{CacheDB, EmptyDB},
    primitives::{hardfork::SpecId, Address, Bytes, TxKind},
    state::AccountInfo,
    Context, ExecuteCommitEvm, ExecuteEvm, MainBuilder, MainContext,
};

use crate::Error;

/// Gas of a transaction: more than any verifier takes, less than a block has.
const GAS_LIMIT: u64 = 16_000_000;

/// A chain of its own for one contract.
#[derive(Debug)]
pub struct Evm {
    database: CacheDB<EmptyDB>,
    contract: Address,
}

/// What a call did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it came back without reverting.
    pub success: bool,
    /// What it returned.
    pub output: Vec<u8>,
    /// Gas for running the contract, without that of the transaction and its calldata.
    pub execution_gas: u64,
    /// Gas of the transaction, calldata included.
    pub transaction_gas: u64,
}

impl Outcome {
    /// Whether the contract said what it says to a good proof.
    pub fn accepted(&self) -> bool {
        let mut one = [0; 32];
        one[31] = 1;
        self.success && self.output == one
    }
}

impl Evm {
    /// Deploys a contract by its creation code, as of the Osaka fork.
    ///
    /// # Errors
    ///
    /// [`Error::Contract`] if that fails.
    pub fn deploy(creation: &[u8]) -> Result<Self, Error> {
        let mut evm = Self { database: CacheDB::new(EmptyDB::new()), contract: Address::ZERO };
        evm.database.insert_account_info(Address::ZERO, AccountInfo::default());
        let result = evm.transact(TxKind::Create, creation)?;
        evm.contract = match result {
            ExecutionResult::Success { output, .. } => output.address().copied(),
            _ => None,
        }
        .ok_or_else(|| Error::Contract("the contract cannot be deployed".into()))?;
        Ok(evm)
    }

    /// Calls the contract.
    ///
    /// # Errors
    ///
    /// [`Error::Contract`] if the EVM takes no such transaction.
    pub fn call(&mut self, calldata: &[u8]) -> Result<Outcome, Error> {
        let result = self.transact(TxKind::Call(self.contract), calldata)?;
        let transaction_gas = result.tx_gas_used();
        // Before the floor of EIP-7623, which raises what a transaction with much calldata pays.
        let spent = result.gas().total_gas_spent();
        let execution_gas = spent.saturating_sub(intrinsic_gas(calldata));
        let success = result.is_success();
        let output = result.output().map(|output| output.to_vec()).unwrap_or_default();
        Ok(Outcome { success, output, execution_gas, transaction_gas })
    }

    fn transact(&mut self, kind: TxKind, data: &[u8]) -> Result<ExecutionResult, Error> {
        let context = Context::mainnet().modify_cfg_chained(|config| config.spec = SpecId::OSAKA);
        let mut evm = context.with_db(&mut self.database).build_mainnet();
        let mut transaction = TxEnv { gas_limit: GAS_LIMIT, gas_price: 0, ..TxEnv::default() };
        transaction.kind = kind;
        transaction.data = Bytes::copy_from_slice(data);
        // The sender is its own account's first and only one.
        transaction.nonce = 0;
        let outcome = match kind {
            TxKind::Create => evm.transact_commit(transaction),
            TxKind::Call(_) => {
                transaction.nonce = 1;
                evm.transact(transaction).map(|outcome| outcome.result)
            }
        };
        outcome.map_err(|error| Error::Contract(format!("EVM: {error}")))
    }
}

/// What a transaction costs before anything runs: 21,000, and 4 or 16 a byte of calldata
/// (EIP-2028).
fn intrinsic_gas(calldata: &[u8]) -> u64 {
    let zeros = calldata.iter().filter(|byte| **byte == 0).count() as u64;
    21_000 + 4 * zeros + 16 * (calldata.len() as u64 - zeros)
}
