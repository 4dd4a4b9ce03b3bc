//! A good proof for tests of contracts: as JSON, for Foundry, for Hardhat and viem.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::encoding::{field_to_hex, to_hex};
use serde_json::{json, Value};

use super::CONTRACT;

/// Name of the file with a proof, for any tool.
pub const FIXTURE_FILE: &str = "fixture.json";

/// Bytes of a line of hex in Solidity.
const LINE: usize = 40;

/// A proof, and the contract that takes it.
#[derive(Clone, Debug)]
pub(super) struct Fixture<'a> {
    /// Digest of the verifying key.
    pub(super) digest: [u8; 32],
    /// The contract's creation code, if it is compiled.
    pub(super) creation: Option<&'a [u8]>,
    /// Names of the public inputs.
    pub(super) names: Vec<String>,
    pub(super) inputs: &'a [Fr],
    pub(super) proof: &'a [u8],
    /// Inputs and proof as the contract takes them.
    pub(super) calldata: &'a [u8],
}

impl Fixture<'_> {
    /// The three files, by name.
    pub(super) fn files(&self) -> Vec<(String, String)> {
        vec![
            (FIXTURE_FILE.into(), self.json()),
            ("ProofFixture.sol".into(), self.solidity()),
            ("fixture.ts".into(), self.typescript()),
        ]
    }

    fn json(&self) -> String {
        pretty(&json!({
            "vk_digest": to_hex(&self.digest),
            "public_inputs": self.inputs.iter().map(field_to_hex).collect::<Vec<_>>(),
            "proof": to_hex(self.proof),
            "calldata": to_hex(self.calldata),
        }))
    }

    fn solidity(&self) -> String {
        let digest = to_hex(&self.digest);
        let names = self.names.iter().map(|name| name.to_uppercase());
        let constants: Vec<_> = names.zip(self.inputs_as_text()).collect();
        let declared = constants.iter().map(|(name, value)| match name.as_str() {
            "THRESHOLD" => format!("    uint256 internal constant {name} = {value};\n"),
            _ => format!("    uint256 internal constant {name} =\n        {value};\n"),
        });
        let declared: String = declared.collect();
        let count = constants.len();
        // One by one: a tuple of many would take more stack than there is.
        let named = constants.iter().enumerate();
        let named = named.map(|(place, (name, _))| format!("        inputs[{place}] = {name};\n"));
        let named: String = named.collect();
        let code = self.creation.map_or_else(String::new, |creation| {
            let code = literal(creation);
            format!(
                "\n    /// @dev Creation code of {CONTRACT}.\n    \
             bytes internal constant CREATION_CODE ={code};\n"
            )
        });
        format!(
            "// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title A proof that {CONTRACT} takes.
library ProofFixture {{
    bytes32 internal constant VERIFYING_KEY_DIGEST =
        {digest};
    uint256 internal constant PROOF_LENGTH = {length};
{declared}{code}
    /// @dev The public inputs in order.
    function publicInputs() internal pure returns (uint256[] memory inputs) {{
        inputs = new uint256[]({count});
{named}    }}

    bytes internal constant PROOF ={proof};
}}
",
            length = self.proof.len(),
            proof = literal(self.proof),
        )
    }

    fn typescript(&self) -> String {
        let inputs: String =
            self.inputs_as_text().iter().map(|input| format!("    {input}n,\n")).collect();
        let code =
            self.creation.map_or("null".to_owned(), |creation| format!("\"{}\"", to_hex(creation)));
        format!(
            "// A proof that {CONTRACT} takes, for Hardhat and viem.
export const fixture = {{
  verifyingKeyDigest: \"{digest}\",
  proofLength: {length}n,
  publicInputs: [
{inputs}  ],
  proof: \"{proof}\",
  creationCode: {code},
}} as const;
",
            digest = to_hex(&self.digest),
            length = self.proof.len(),
            proof = to_hex(self.proof),
        )
    }

    /// The public inputs; the threshold is a small number.
    fn inputs_as_text(&self) -> Vec<String> {
        let text = |input| {
            let text = field_to_hex(input);
            let digits = text.trim_start_matches("0x").trim_start_matches('0');
            match digits.len() {
                0..=16 => u64::from_str_radix(digits, 16).unwrap_or_default().to_string(),
                _ => text,
            }
        };
        self.inputs.iter().map(text).collect()
    }
}

/// A hex literal of Solidity, over several lines.
fn literal(bytes: &[u8]) -> String {
    bytes.chunks(LINE).map(|line| format!("\n        hex\"{}\"", hex::encode(line))).collect()
}

/// JSON for files.
pub(super) fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
