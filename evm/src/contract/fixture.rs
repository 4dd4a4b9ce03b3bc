//! A good proof for tests of contracts: as JSON, for Foundry, for Hardhat and viem.

use muster_circuits::{
    encoding::{field_to_hex, to_hex},
    MESSAGE,
};
use serde_json::json;

use super::{
    export::{pretty, Accepted, Export, FIXTURE_FILE},
    CONTRACT,
};
use crate::bridge::Calldata;

/// Bytes of a line of hex in Solidity.
const LINE: usize = 40;

/// The three files, by name.
pub(super) fn files(export: &Export<'_>, proof: &Accepted) -> Vec<(String, String)> {
    vec![
        (FIXTURE_FILE.into(), json(export, proof)),
        ("ProofFixture.sol".into(), solidity(export, proof)),
        ("fixture.ts".into(), typescript(export, proof)),
    ]
}

fn json(export: &Export<'_>, proof: &Accepted) -> String {
    pretty(&json!({
        "vk_digest": to_hex(&export.key().digest),
        "public_inputs": proof.inputs.iter().map(field_to_hex).collect::<Vec<_>>(),
        "proof": to_hex(&proof.bytes),
        "calldata": to_hex(&Calldata::of(&proof.inputs, &proof.bytes).verifier()),
    }))
}

fn solidity(export: &Export<'_>, proof: &Accepted) -> String {
    let digest = to_hex(&export.key().digest);
    let constants = ["KEY_SET_ROOT", "THRESHOLD"].iter().chain(message_names(proof)).copied();
    let constants: Vec<_> = constants.zip(inputs(proof)).collect();
    let declared = constants.iter().map(|(name, value)| match *name {
        "THRESHOLD" => format!("    uint256 internal constant {name} = {value};\n"),
        _ => format!("    uint256 internal constant {name} =\n        {value};\n"),
    });
    let declared: String = declared.collect();
    let count = constants.len();
    let places: Vec<_> = (0..count).map(|place| format!("inputs[{place}]")).collect();
    let names: Vec<_> = constants.iter().map(|(name, _)| *name).collect();
    let code = export.bytecode().map_or_else(String::new, |bytecode| {
        let code = literal(&bytecode.creation);
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
        ({places}) = ({names});
    }}

    bytes internal constant PROOF ={proof};
}}
",
        length = proof.bytes.len(),
        places = places.join(", "),
        names = names.join(", "),
        proof = literal(&proof.bytes),
    )
}

fn typescript(export: &Export<'_>, proof: &Accepted) -> String {
    let inputs: String = inputs(proof).iter().map(|input| format!("    {input}n,\n")).collect();
    let code = export
        .bytecode()
        .map_or("null".to_owned(), |bytecode| format!("\"{}\"", to_hex(&bytecode.creation)));
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
        digest = to_hex(&export.key().digest),
        length = proof.bytes.len(),
        proof = to_hex(&proof.bytes),
    )
}

/// Names of the message's public inputs.
fn message_names(proof: &Accepted) -> &'static [&'static str] {
    match proof.inputs.len() == MESSAGE + 1 {
        true => &["MESSAGE"],
        false => &["MESSAGE_HIGH", "MESSAGE_LOW"],
    }
}

/// Key-set root, threshold and message; the threshold is a small number.
fn inputs(proof: &Accepted) -> Vec<String> {
    let text = |input| {
        let text = field_to_hex(input);
        let digits = text.trim_start_matches("0x").trim_start_matches('0');
        match digits.len() {
            0..=16 => u64::from_str_radix(digits, 16).unwrap_or_default().to_string(),
            _ => text,
        }
    };
    proof.inputs.iter().map(text).collect()
}

/// A hex literal of Solidity, over several lines.
fn literal(bytes: &[u8]) -> String {
    bytes.chunks(LINE).map(|line| format!("\n        hex\"{}\"", hex::encode(line))).collect()
}
