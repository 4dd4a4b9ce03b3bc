//! The chain with the client, by the RPC of a node.

use alloy_primitives::Address;
use alloy_sol_types::SolCall;
use serde_json::{json, Value};

use crate::{config::Config, fault::Fault, source::http};

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
