//! An EVM to run generated verifiers in.

use revm::{
    context::{result::ExecutionResult, TxEnv},
    database::{CacheDB, EmptyDB},
    handler::MainnetContext,
    primitives::{address, hardfork::SpecId, Bytes, TxKind},
    Context, ExecuteCommitEvm, ExecuteEvm, MainBuilder, MainContext, MainnetEvm,
};

pub use revm::primitives::Address;
#[cfg(test)]
use revm::primitives::U256;

use crate::Error;

/// Gas limit of a transaction: more than any verifier takes, less than a block has.
const GAS_LIMIT: u64 = 16_000_000;

/// The sender of all transactions.
pub const SENDER: Address = address!("0x00000000000000000000000000004d7573746572");

/// The sender that deploys the parts of verifiers, which are the same whoever does.
const MAKER: Address = address!("0x0000000000000000000000000000004d616b6572");

/// A chain of its own, with one sender. Rules and prices are those of the Osaka fork.
#[derive(Debug)]
pub struct Evm {
    chain: u64,
    database: CacheDB<EmptyDB>,
    /// Transactions that the sender has sent.
    sent: u64,
    /// Parts that were deployed.
    made: u64,
    /// Whether code and gas have Ethereum's limits.
    is_limited: bool,
}

/// A contract that was deployed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deployed {
    /// Where it is.
    pub address: Address,
    /// Gas of the transaction.
    pub transaction_gas: u64,
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
        Self { chain, database: CacheDB::new(EmptyDB::new()), sent: 0, made: 0, is_limited: true }
    }

    /// The chain with neither the limits on the code of a contract (EIP-170, EIP-3860) nor that on the gas of a transaction
    /// (EIP-7825): what runs here cannot be deployed on Ethereum.
    #[must_use]
    pub fn without_limits(mut self) -> Self {
        self.is_limited = false;
        self
    }

    /// Deploys a contract from its creation code, including the constructor's arguments.
    ///
    /// # Errors
    ///
    /// [`Error::Contract`] if that fails.
    pub fn deploy(&mut self, creation: &[u8]) -> Result<Address, Error> {
        Ok(self.create(SENDER, creation)?.address)
    }

    /// Deploys the parts of a verifier, as another sender would, and then the verifier, from its creation code
    /// without arguments; their addresses are its arguments. The verifier is the last in the result.
    ///
    /// # Errors
    ///
    /// [`Error::Contract`] if one cannot be deployed.
    pub fn deploy_with_parts(
        &mut self,
        parts: &[Vec<u8>],
        creation: &[u8],
    ) -> Result<Vec<Deployed>, Error> {
        let parts = parts.iter().map(|part| self.create(MAKER, part));
        let mut deployed = parts.collect::<Result<Vec<_>, _>>()?;
        let addresses = deployed.iter().flat_map(|part| part.address.into_word().0);
        let creation: Vec<_> = creation.iter().copied().chain(addresses).collect();
        deployed.push(self.create(SENDER, &creation)?);
        Ok(deployed)
    }

    fn create(&mut self, sender: Address, creation: &[u8]) -> Result<Deployed, Error> {
        let mut transaction = self.transaction(TxKind::Create, creation);
        let sent = if sender == SENDER { &mut self.sent } else { &mut self.made };
        (transaction.caller, transaction.nonce) = (sender, *sent);
        *sent += 1;
        let result = self.evm().transact_commit(transaction).map_err(refused)?;
        let transaction_gas = result.tx_gas_used();
        let address = match result {
            ExecutionResult::Success { output, .. } => output.address().copied(),
            _ => None,
        };
        let address =
            address.ok_or_else(|| Error::Contract("the contract cannot be deployed".into()))?;
        Ok(Deployed { address, transaction_gas })
    }

    /// Calls a contract without changing any state.
    ///
    /// # Errors
    ///
    /// [`Error::Contract`] if the EVM does not accept the transaction.
    pub fn call(&mut self, contract: Address, calldata: &[u8]) -> Result<Outcome, Error> {
        let transaction = self.transaction(TxKind::Call(contract), calldata);
        let result = self.evm().transact(transaction).map_err(refused)?;
        Ok(outcome(result.result, calldata))
    }

    /// Calls a contract, and keeps the state changes.
    ///
    /// # Errors
    ///
    /// As [`Self::call`].
    pub fn send(&mut self, contract: Address, calldata: &[u8]) -> Result<Outcome, Error> {
        let transaction = self.transaction(TxKind::Call(contract), calldata);
        let result = self.evm().transact_commit(transaction).map_err(refused)?;
        self.sent += 1;
        Ok(outcome(result, calldata))
    }

    /// Bytes of a contract's code.
    pub(crate) fn code_length(&self, contract: Address) -> usize {
        let account = self.database.cache.accounts.get(&contract);
        let code = account.and_then(|account| account.info.code.as_ref());
        code.map_or(0, |code| code.original_byte_slice().len())
    }

    /// Puts an address into a contract's storage.
    #[cfg(test)]
    pub(super) fn store(&mut self, contract: Address, slot: u64, address: Address) {
        let (slot, word) = (U256::from(slot), U256::from_be_bytes(address.into_word().0));
        self.database.insert_account_storage(contract, slot, word).expect("no database behind it");
    }

    fn transaction(&self, kind: TxKind, data: &[u8]) -> TxEnv {
        TxEnv {
            caller: SENDER,
            chain_id: Some(self.chain),
            kind,
            data: Bytes::copy_from_slice(data),
            gas_limit: if self.is_limited { GAS_LIMIT } else { u64::from(u32::MAX) },
            gas_price: 0,
            nonce: self.sent,
            ..TxEnv::default()
        }
    }

    fn evm(&mut self) -> MainnetEvm<MainnetContext<&mut CacheDB<EmptyDB>>> {
        let context = Context::mainnet().modify_cfg_chained(|config| {
            config.spec = SpecId::OSAKA;
            config.chain_id = self.chain;
            if !self.is_limited {
                config.limit_contract_code_size = Some(usize::MAX);
                config.limit_contract_initcode_size = Some(usize::MAX);
                config.tx_gas_limit_cap = Some(u64::MAX);
            }
        });
        context.with_db(&mut self.database).build_mainnet()
    }
}

fn refused(error: impl std::fmt::Display) -> Error {
    Error::Contract(format!("EVM: {error}"))
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

/// What a transaction costs before anything runs: 21,000, and 4 or 16 per byte of calldata
/// (EIP-2028).
fn intrinsic_gas(calldata: &[u8]) -> u64 {
    let zeros = calldata.iter().filter(|byte| **byte == 0).count() as u64;
    21_000 + 4 * zeros + 16 * (calldata.len() as u64 - zeros)
}
