//! The chain with the client, by the RPC of a node.

use std::fmt;

use alloy_primitives::{Address, B256};
use alloy_sol_types::{SolCall, SolEvent};
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};

use crate::{config::Config, fault::Fault, source::http};

/// A price, in wei for each gas (EIP-1559).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Fee {
    /// At most, together with the base fee.
    pub(crate) max: u64,
    /// For whoever makes the block.
    pub(crate) tip: u64,
}

impl Fee {
    /// The price of what takes the place of a transaction for this one: an eighth more, since nodes want a tenth, and at least
    /// what one pays now.
    pub(crate) fn raised(&self, now: &Self) -> Self {
        let more = |old: u64, now: u64| old.saturating_add(old / 8).saturating_add(1).max(now);
        Self { max: more(self.max, now.max), tip: more(self.tip, now.tip) }
    }
}

impl fmt::Display for Fee {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} wei for each gas", self.max)
    }
}

/// A node of the chain.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    url: String,
    from: Address,
}

impl Chain {
    pub(crate) fn new(config: &Config) -> Self {
        Self { url: config.chain.clone(), from: config.from }
    }

    /// What a contract answers.
    pub(crate) fn read<C: SolCall>(&self, to: Address, call: &C) -> Result<C::Return, Fault> {
        let answer = self.call(to, &call.abi_encode())?;
        let odd = |reason: &dyn std::fmt::Display| {
            Fault::Chain(format!("{}: {to} answered: {reason}", C::SIGNATURE))
        };
        let answer = hex::decode(answer.trim_start_matches("0x")).map_err(|error| odd(&error))?;
        C::abi_decode_returns(&answer).map_err(|error| odd(&error))
    }

    /// Calls without sending; [`Fault::Refused`] if the contract reverts.
    pub(crate) fn call(&self, to: Address, calldata: &[u8]) -> Result<String, Fault> {
        let data = format!("0x{}", hex::encode(calldata));
        let call = json!({ "from": self.from.to_string(), "to": to.to_string(), "data": data });
        let answer = self.rpc("eth_call", &json!([call, "latest"]))?;
        answer.as_str().map(Into::into).ok_or_else(|| Fault::Chain(format!("eth_call: {answer}")))
    }

    /// How many transactions the sender has sent: those in blocks, or with those that wait.
    pub(crate) fn sent(&self, block: &str) -> Result<u64, Fault> {
        let count = self.rpc("eth_getTransactionCount", &json!([self.from.to_string(), block]))?;
        let number = hex_number(&count);
        number.ok_or_else(|| Fault::Chain(format!("eth_getTransactionCount: {count}")))
    }

    /// The number of the newest block.
    pub(crate) fn height(&self) -> Result<u64, Fault> {
        let number = self.rpc("eth_blockNumber", &json!([]))?;
        hex_number(&number).ok_or_else(|| Fault::Chain(format!("eth_blockNumber: {number}")))
    }

    /// What one pays now: twice the base fee, which six full blocks bring about, and the tip that the node proposes. Nothing on a
    /// chain without a base fee.
    pub(crate) fn fee(&self) -> Result<Option<Fee>, Fault> {
        let block = self.rpc("eth_getBlockByNumber", &json!(["latest", false]))?;
        let Some(base) = hex_number(&block["baseFeePerGas"]) else { return Ok(None) };
        let tip = self.rpc("eth_maxPriorityFeePerGas", &json!([]))?;
        let odd = || Fault::Chain(format!("eth_maxPriorityFeePerGas: {tip}"));
        let tip = hex_number(&tip).ok_or_else(odd)?;
        Ok(Some(Fee { max: base.saturating_mul(2).saturating_add(tip), tip }))
    }

    /// The receipt of a transaction; null if it is in no block.
    pub(crate) fn receipt(&self, hash: B256) -> Result<Value, Fault> {
        self.rpc("eth_getTransactionReceipt", &json!([hash.to_string()]))
    }

    /// All events of this kind that a contract logged from this block on, oldest first.
    pub(crate) fn logs<E: SolEvent>(&self, of: Address, since: u64) -> Result<Vec<E>, Fault> {
        let filter = json!({
            "address": of.to_string(), "fromBlock": format!("0x{since:x}"), "toBlock": "latest",
            "topics": [E::SIGNATURE_HASH.to_string()],
        });
        let answer = self.rpc("eth_getLogs", &json!([filter]))?;
        let read = |log: &Value| {
            let bytes = |value: &Value| hex::decode(value.as_str()?.trim_start_matches("0x")).ok();
            let topics: Option<Vec<B256>> = log["topics"]
                .as_array()?
                .iter()
                .map(|topic| topic.as_str()?.parse().ok())
                .collect();
            E::decode_raw_log(topics?, &bytes(&log["data"])?).ok()
        };
        let logs = answer.as_array().and_then(|logs| logs.iter().map(read).collect());
        logs.ok_or_else(|| Fault::Chain(format!("eth_getLogs: {answer}")))
    }

    fn rpc(&self, method: &str, params: &Value) -> Result<Value, Fault> {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let answer = http(&self.url, Some(&request.to_string()))
            .map_err(|reason| Fault::Chain(format!("{}: {reason}", self.url)))?;
        let mut answer: Value = serde_json::from_str(&answer)
            .map_err(|error| Fault::Chain(format!("{method}: {error}")))?;
        match answer.get("error") {
            None => Ok(answer["result"].take()),
            Some(error) => Err(fault(method, error)),
        }
    }
}

/// What a node's error says: that a contract reverts, and with what, or something about the node.
fn fault(method: &str, error: &Value) -> Fault {
    let message = error["message"].as_str().unwrap_or_default();
    match error.get("data").and_then(Value::as_str) {
        Some(data) => Fault::Refused(format!("{method}: reverts with {data}")),
        None if message.contains("revert") => Fault::Refused(format!("{method}: {message}")),
        None => Fault::Chain(format!("{method}: {error}")),
    }
}

/// A number as nodes write them.
pub(crate) fn hex_number(value: &Value) -> Option<u64> {
    u64::from_str_radix(value.as_str()?.strip_prefix("0x")?, 16).ok()
}
