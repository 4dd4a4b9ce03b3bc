//! Verifiers whose constraints are evaluated by contracts of their own.

use alloy_primitives::keccak256;
use muster_circuits::encoding::to_hex;

use super::*;
use crate::contract::{
    assemble::assemble,
    solc::{settings, MAX_SIZE},
    write, Part,
};

/// The verifiers that have parts.
fn in_parts() -> Vec<Generated> {
    let mut all = all();
    all.retain(|generated| !generated.parts().is_empty());
    assert!(!all.is_empty());
    all
}

fn written(generated: &Generated) -> Vec<Part> {
    write(&generated.contract_key()).unwrap().parts
}

/// What a contract of this code returns.
fn run(code: &[u8], calldata: &[u8]) -> Outcome {
    let mut evm = Evm::default().without_limits();
    let part = Part { listing: String::new(), code: code.to_vec() };
    let contract = evm.deploy(&part.creation()).unwrap();
    evm.call(contract, calldata).unwrap()
}

fn assembled(lines: &[&str]) -> Option<Vec<u8>> {
    assemble(lines.iter().copied())
}

fn word(number: u64) -> [u8; WORD] {
    super::stage::number(number)
}

#[test]
fn code_does_what_its_lines_say() {
    let lines = [
        "// Calldata 5, 7, 11: the second and the third go to memory.",
        "calldatacopy(0x40, 0x20, 0x40)",
        "let r := 0x0d",
        "let a := sub(calldataload(0x00), 3)",
        "let b := mload(0x60)",
        "a := addmod(mulmod(a, b, r), mload(0x40), r) // 22 mod 13 is 9, and 7 are 16 mod 13",
        "b := sub(1000, add(a, b))",
        "mstore(0x0120, b)",
        "mstore(0x00, mload(0x120))",
        "mstore(0x20, a)",
        "return(0x00, 0x40)",
    ];
    let outcome = run(&assembled(&lines).unwrap(), &[word(5), word(7), word(11)].concat());
    assert_eq!(outcome.output, [word(1000 - (3 + 11)), word(3)].concat());
}

#[test]
fn lines_of_another_kind_have_no_code() {
    let bad = [
        "let a := keccak256(0x00, 0x20)",
        "let a := add(1)",
        "let a := add(1, 2, 3)",
        "let a := mstore(1, 2)",
        "let a := address()",
        "mload(0x00)",
        "mstore(0x00, a)",
        "a := 1",
        "let a := add(1, 2",
        "let a := 0x",
        "if a { revert(0, 0) }",
        "}",
    ];
    for line in bad {
        assert_eq!(assembled(&[line]), None, "{line}");
    }
    assert_eq!(assembled(&["let a := 1", "let a := 2"]), None);
    let long = format!("let a := 0x{}", "11".repeat(WORD + 1));
    assert_eq!(assembled(&[&long]), None);
    // Sixteen words are in reach of an instruction, and no more.
    for (count, reaches) in [(16, true), (17, false)] {
        let lines: Vec<_> = (0..count).map(|number| format!("let v{number} := {number}")).collect();
        let read = ["mstore(0x00, v0)".to_owned()];
        let lines = lines[1..].iter().chain(&read).map(String::as_str);
        assert_eq!(assemble(["let v0 := 0"].into_iter().chain(lines)).is_some(), reaches);
    }
}

#[test]
fn parts_are_those_of_the_key_and_fit() {
    for generated in in_parts() {
        let parts = written(&generated);
        assert!(parts.iter().map(Part::creation).eq(generated.parts()));
        let deployment = generated.manifest()["deployment"].clone();
        assert_eq!(deployment.as_array().unwrap().len(), parts.len() + 1);
        for (part, entry) in parts.iter().zip(deployment.as_array().unwrap()) {
            assert!(part.code.len() <= MAX_SIZE);
            assert_eq!(entry["runtime_bytes"], part.code.len());
            let hash = to_hex(&part.hash());
            assert_eq!(entry["runtime_hash"], hash);
            // Once where it is kept, once where it is called.
            assert_eq!(generated.text(&format!("{CONTRACT}.sol")).matches(&hash).count(), 2);
        }
    }
}

/// Our code for a part and the compiler's return the same words.
#[test]
fn a_part_does_what_the_compiler_makes_of_its_listing() {
    let Some(solc) = compiler() else { return };
    for generated in in_parts() {
        for (number, part) in written(&generated).iter().enumerate() {
            let text = format!(
                "pragma solidity 0.8.19; contract P {{ fallback() external {{ assembly {{
                {}
                }} }} }}",
                part.listing
            );
            let (compiled, _) =
                solc.build(&[("P.sol", &text)], ("P.sol", "P"), settings()).unwrap();
            for seed in 0..4 {
                // Any words: those of a proof, and challenges and values behind it.
                let words = generated.protocol.calldata() / WORD + 100;
                let seeded =
                    |word: usize| keccak256([number as u8, seed, word as u8, (word >> 8) as u8]);
                let calldata: Vec<_> = (0..words).flat_map(|word| seeded(word).0).collect();
                let (ours, theirs) =
                    (run(&part.code, &calldata), run(&compiled.runtime, &calldata));
                assert!(ours.success && ours.output.len() == 2 * WORD);
                assert_eq!(ours.output, theirs.output);
                assert!(ours.output.iter().any(|byte| *byte != 0));
            }
        }
    }
}

/// The constructor takes the parts in their order, and nothing else in their place.
#[test]
fn other_parts_are_not_deployed_with() {
    for generated in in_parts() {
        let (parts, creation) = (generated.parts(), generated.code("bin"));
        let deploys =
            |parts: &[Vec<u8>]| Evm::default().deploy_with_parts(parts, &creation).is_ok();
        assert!(deploys(&parts));
        assert!(!deploys(&parts[1..]), "one missing");
        let mut swapped = parts.clone();
        swapped.swap(0, 1);
        assert!(!deploys(&swapped), "out of order");
        for number in 0..parts.len() {
            // The first byte of the code behind what makes it, one in the middle, the last.
            for place in [10, parts[number].len() / 2, parts[number].len() - 1] {
                let mut other = parts.clone();
                other[number][place] ^= 1;
                assert!(!deploys(&other), "part {number}, byte {place}");
            }
            let mut other = parts.clone();
            // Returns no code.
            other[number] = vec![];
            assert!(!deploys(&other), "part {number}, no code");
        }
    }
}

/// The contract of the data, which the constructor makes, is held to its hash as well.
#[test]
fn other_data_are_not_read() {
    for generated in in_parts() {
        let (parts, good) = (generated.parts(), generated.calldata());
        let (creation, runtime) = (generated.code("bin"), generated.code("runtime.bin"));
        let behind = creation.windows(runtime.len()).position(|window| window == runtime);
        let data = behind.unwrap() + runtime.len()..creation.len();
        // Behind the creation code of the second contract.
        assert!(data.len() > 8_192);
        for place in [data.start + 100, (data.start + data.end) / 2, data.end - 1] {
            let mut other = creation.clone();
            other[place] ^= 1;
            let mut evm = Evm::default();
            let deployed = evm.deploy_with_parts(&parts, &other).unwrap();
            let own = deployed.last().unwrap().address;
            assert!(!evm.call(own, &good).unwrap().accepted(), "{place}");
        }
    }
}

/// Wherever a verifier is told that its parts are, it calls nothing but its parts.
#[test]
fn other_parts_are_not_called() {
    for generated in in_parts() {
        let mut evm = Evm::default();
        let (parts, creation) = (generated.parts(), generated.code("bin"));
        let mut deployed = evm.deploy_with_parts(&parts, &creation).unwrap();
        let own = deployed.pop().unwrap().address;
        let good = generated.calldata();
        for (slot, part) in written(&generated).into_iter().enumerate() {
            // Does the same, with a byte behind it that is never reached.
            let code = [&part.code[..], &[0]].concat();
            let same = Part { code, ..part };
            let place = deployed[slot].address;
            let copy = evm.deploy(&parts[slot]).unwrap();
            let similar = evm.deploy(&same.creation()).unwrap();
            let other = deployed[(slot + 1) % deployed.len()].address;
            let nobody = Address::repeat_byte(7);
            let mut accepts = |part: Address| {
                evm.store(own, slot as u64, part);
                evm.call(own, &good).unwrap().accepted()
            };
            for wrong in [similar, other, nobody, SENDER, own, Address::ZERO, identity()] {
                assert!(!accepts(wrong), "part {slot} at {wrong}");
            }
            assert!(accepts(copy), "the same code elsewhere");
            assert!(accepts(place));
        }
    }
}

/// A precompile without code that returns what it is given.
fn identity() -> Address {
    Address::with_last_byte(4)
}
