//! Messages of the example's application, which an application on the other chain takes one by one. A header has the root
//! of all messages before its block; each comes with its path to that root. Any other application has its own proofs, of IBC
//! for example, and the same place to begin at: a header that the client believes.

use std::collections::BTreeSet;

use alloy_primitives::{Address, Bytes, B256};
use alloy_sol_types::SolCall;
use base64::{engine::general_purpose::STANDARD, Engine};
use serde_json::Value;

use super::{
    abi::{isDoneCall, takeCall},
    block::Block,
};
use crate::{chain::Chain, fault::Fault, source::Node, step::Step};

/// Where messages come from, and who takes them.
#[derive(Debug)]
pub(super) struct Messages {
    chain: Chain,
    to: Address,
    node: Node,
    /// All below this one are done.
    first: u64,
}

impl Messages {
    pub(super) fn new(chain: &Chain, to: Address, source: &str) -> Self {
        Self { chain: chain.clone(), to, node: Node::new(source), first: 0 }
    }

    /// The first message that is in the state of this header, was not taken, and is none of these.
    pub(super) fn next(
        &mut self,
        block: &Block,
        refused: &BTreeSet<Bytes>,
    ) -> Result<Option<Step>, Fault> {
        for sequence in self.first.. {
            if self.chain.read(self.to, &isDoneCall { sequence })? {
                self.first += u64::from(self.first == sequence);
                continue;
            }
            let Some(step) = self.ask(block.height(), sequence)? else { break };
            if !refused.contains(&step.calldata) {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// What the node says of a message in the state before this height; nothing if there is none.
    fn ask(&self, height: u64, sequence: u64) -> Result<Option<Step>, Fault> {
        let before = height.saturating_sub(1);
        let about = format!("path=\"/message\"&data=0x{sequence:016x}&height={before}&prove=true");
        let about = about.replace('"', "%22");
        let answer = self.node.get(&format!("abci_query?{about}"))?;
        let odd = |reason: &str| Fault::Source(format!("message {sequence}: {reason}"));
        let answer: Value =
            serde_json::from_str(&answer).map_err(|error| odd(&error.to_string()))?;
        let response = &answer["result"]["response"];
        if response["value"].is_null() {
            let is_answer = response["code"].is_u64();
            return if is_answer { Ok(None) } else { Err(odd("no answer")) };
        }
        let bytes = |value: &Value| STANDARD.decode(value.as_str()?).ok();
        let payload = bytes(&response["value"]).ok_or_else(|| odd("no payload"))?;
        let path = bytes(&response["proofOps"]["ops"][0]["data"]).ok_or_else(|| odd("no path"))?;
        let path = path.chunks(32).map(B256::try_from).collect::<Result<_, _>>();
        let path = path.map_err(|_| odd("its path is not one of hashes"))?;
        let calldata = takeCall { height, sequence, payload: payload.into(), path }.abi_encode();
        let what = format!("message {sequence} is delivered");
        Ok(Some(Step { what, to: self.to, calldata: calldata.into() }))
    }
}
