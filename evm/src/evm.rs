//! An EVM to run contracts in.

use revm::{
    context::{result::ExecutionResult, BlockEnv, TxEnv},
    database::{CacheDB, EmptyDB},
    handler::MainnetContext,
    primitives::{address, hardfork::SpecId, Bytes, TxKind, U256},
    Context, ExecuteCommitEvm, ExecuteEvm, MainBuilder, MainContext, MainnetEvm,
};

pub use revm::primitives::Address;

/// Gas limit of a transaction: less than EIP-7825 allows.
const GAS_LIMIT: u64 = 16_000_000;

/// The sender of all transactions.
pub const SENDER: Address = address!("0x00000000000000000000000000004d7573746572");

/// Why something did not happen on a chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EvmError {
    /// The EVM does not take a transaction.
    #[error("EVM: {0}")]
    Transaction(String),
    /// A contract could not be deployed.
    #[error("the contract cannot be deployed")]
    NotDeployed,
    /// A contract refuses what it must take.
    #[error("the contract refuses {0}")]
    Refused(&'static str),
}

/// A chain of its own, with one sender. Rules and prices are those of the Osaka fork.
#[derive(Debug)]
pub struct Evm {
    chain: u64,
    time: u64,
    database: CacheDB<EmptyDB>,
    /// Transactions that the sender has sent.
    sent: u64,
}

/// What a call did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it returned without reverting.
    pub success: bool,
    /// What it returned.
    pub output: Vec<u8>,
    /// Gas for running the contract, without that for the transaction and its calldata.
    pub execution_gas: u64,
    /// Gas of the transaction, calldata included.
    pub transaction_gas: u64,
}

impl Outcome {
    /// Whether the contract returned what a verifier returns for a good proof.
    pub fn accepted(&self) -> bool {
        let mut one = [0; 32];
        one[31] = 1;
        self.success && self.output == one
    }
}

impl Default for Evm {
    /// A chain with Ethereum's chain id.
    fn default() -> Self {
        Self::new(1)
    }
}

impl Evm {
    /// A new chain with this id.
    pub fn new(chain: u64) -> Self {
        Self { chain, time: 1, database: CacheDB::new(EmptyDB::new()), sent: 0 }
    }

    /// What the chain's clock shows from now on, in seconds of Unix time.
    pub fn set_time(&mut self, seconds: u64) {
        self.time = seconds;
    }

    /// Deploys a contract from its creation code, including the constructor's arguments.
    ///
    /// # Errors
    ///
    /// [`EvmError::NotDeployed`], and [`EvmError::Transaction`] if the EVM does not accept the transaction.
    pub fn deploy(&mut self, creation: &[u8]) -> Result<Address, EvmError> {
        let transaction = self.transaction(TxKind::Create, creation);
        let result = self.evm().transact_commit(transaction).map_err(refused)?;
        self.sent += 1;
        match result {
            ExecutionResult::Success { output, .. } => output.address().copied(),
            _ => None,
        }
        .ok_or(EvmError::NotDeployed)
    }

    /// Calls a contract without changing any state.
    ///
    /// # Errors
    ///
    /// [`EvmError::Transaction`].
    pub fn call(&mut self, contract: Address, calldata: &[u8]) -> Result<Outcome, EvmError> {
        let transaction = self.transaction(TxKind::Call(contract), calldata);
        let result = self.evm().transact(transaction).map_err(refused)?;
        Ok(outcome(result.result, calldata))
    }

    /// Calls a contract, and keeps the state changes.
    ///
    /// # Errors
    ///
    /// As [`Self::call`].
    pub fn send(&mut self, contract: Address, calldata: &[u8]) -> Result<Outcome, EvmError> {
        let transaction = self.transaction(TxKind::Call(contract), calldata);
        let result = self.evm().transact_commit(transaction).map_err(refused)?;
        self.sent += 1;
        Ok(outcome(result, calldata))
    }

    /// Bytes of a contract's code.
    pub fn code_length(&self, contract: Address) -> usize {
        let account = self.database.cache.accounts.get(&contract);
        let code = account.and_then(|account| account.info.code.as_ref());
        code.map_or(0, |code| code.original_byte_slice().len())
    }

    fn transaction(&self, kind: TxKind, data: &[u8]) -> TxEnv {
        TxEnv {
            caller: SENDER,
            chain_id: Some(self.chain),
            kind,
            data: Bytes::copy_from_slice(data),
            gas_limit: GAS_LIMIT,
            gas_price: 0,
            nonce: self.sent,
            ..TxEnv::default()
        }
    }

    fn evm(&mut self) -> MainnetEvm<MainnetContext<&mut CacheDB<EmptyDB>>> {
        let block = BlockEnv { timestamp: U256::from(self.time), ..BlockEnv::default() };
        let context = Context::mainnet().with_block(block).modify_cfg_chained(|config| {
            config.spec = SpecId::OSAKA;
            config.chain_id = self.chain;
        });
        context.with_db(&mut self.database).build_mainnet()
    }
}

fn refused(error: impl std::fmt::Display) -> EvmError {
    EvmError::Transaction(error.to_string())
}

fn outcome(result: ExecutionResult, calldata: &[u8]) -> Outcome {
    // Before the floor of EIP-7623, which raises what a transaction with much calldata pays.
    let spent = result.gas().total_gas_spent();
    Outcome {
        success: result.is_success(),
        output: result.output().map(|output| output.to_vec()).unwrap_or_default(),
        execution_gas: spent.saturating_sub(intrinsic_gas(calldata)),
        transaction_gas: result.tx_gas_used(),
    }
}

/// What a transaction costs before anything runs: 21,000, and 4 or 16 per byte of calldata (EIP-2028).
fn intrinsic_gas(calldata: &[u8]) -> u64 {
    let zeros = calldata.iter().filter(|byte| **byte == 0).count() as u64;
    21_000 + 4 * zeros + 16 * (calldata.len() as u64 - zeros)
}
