//! Commitments of the key and the table of openings: words that a contract finds in memory when it
//! starts.
//!
//! If they are few, they lie in the contract's own code. Many would leave no room for it (EIP-170),
//! so they become the code of a second contract, which the constructor makes. The first one finds it
//! by its own address and checks its hash: the code of the first one, whose hash wrappers compare,
//! stands for both.

use alloy_primitives::keccak256;

use super::{
    super::{
        code::{hex as place_of, Code},
        part::{creation, Part},
        protocol::WORD,
    },
    parts::hash,
    size::CONTRACT,
};

/// More bytes than this become a contract of their own.
const INLINE: usize = 8_192;
/// The first byte of the data's contract: calls to it stop.
const STOP: u8 = 0;

/// Consecutive words.
struct Run {
    name: &'static str,
    remark: &'static str,
    place: usize,
    bytes: Vec<u8>,
}

/// What a contract finds in memory when it starts.
#[derive(Default)]
pub(super) struct Data(Vec<Run>);

impl Data {
    /// Adds whole words that belong at a place, with room for one word before them.
    pub(super) fn add(
        &mut self,
        name: &'static str,
        remark: &'static str,
        place: usize,
        bytes: Vec<u8>,
    ) {
        self.0.push(Run { name, remark, place, bytes });
    }

    fn is_apart(&self) -> bool {
        self.0.iter().map(|run| run.bytes.len()).sum::<usize>() > INLINE
    }

    /// Whether a contract has room for them.
    pub(super) fn fits(&self) -> bool {
        !self.is_apart() || self.code().len() <= CONTRACT
    }

    /// The code of the second contract.
    fn code(&self) -> Vec<u8> {
        let bytes = self.0.iter().flat_map(|run| run.bytes.iter().copied());
        [STOP].into_iter().chain(bytes).collect()
    }

    /// The constructor; `None` if the data lie in the contract itself and there are no parts.
    pub(super) fn constructor(&self, parts: &[Part]) -> Option<String> {
        if !self.is_apart() && parts.is_empty() {
            return None;
        }
        let mut code = Code::at(1);
        if !parts.is_empty() {
            code.remark("Takes the contracts that evaluate constraints, in order.");
        }
        if self.is_apart() {
            code.remark(
                "The data become the code of a contract of their own, the first that this makes.",
            );
        }
        let operand = match parts.len() {
            0 => String::new(),
            count => format!("address[{count}] memory parts"),
        };
        code.block(&format!("constructor({operand})"), |code| {
            if !parts.is_empty() {
                code.block("assembly", |code| keep(parts, code));
            }
            if self.is_apart() {
                self.create(code);
            }
        });
        Some(code.text())
    }

    /// Creates the second contract.
    fn create(&self, code: &mut Code) {
        code.line("bytes memory data =");
        words(&creation(&self.code()), code);
        code.block("assembly", |code| {
            code.line("if iszero(create(0, add(data, 0x20), mload(data))) { revert(0, 0) }");
        });
    }

    /// Brings the data to their places.
    pub(super) fn load(&self, code: &mut Code) {
        if self.is_apart() {
            code.block("assembly", |code| {
                self.find(code);
                let mut from = 1;
                self.each(code, |run, code| {
                    let [to, start, length] = [run.place, from, run.bytes.len()].map(place_of);
                    code.line(format!("extcodecopy(data, {to}, {start}, {length})"));
                    from += run.bytes.len();
                });
            })
        } else {
            self.each(code, Run::load)
        }
    }

    /// Loads one run after the other, with a remark before those that share it.
    fn each(&self, code: &mut Code, mut load: impl FnMut(&Run, &mut Code)) {
        let mut before = "";
        for run in &self.0 {
            if run.remark != before {
                code.remark(run.remark);
                before = run.remark;
            }
            load(run, code);
        }
    }

    /// Finds the second contract by CREATE's address rule, and checks its code.
    fn find(&self, code: &mut Code) {
        code.remark(
            "The first contract that this one made: the hash of a list, address and nonce 1.",
        );
        let list = format!("0xd694{:040}01{:018}", 0, 0);
        code.store(0, format!("or(shl(80, address()), {list})"));
        code.line("let data := shr(96, shl(96, keccak256(0x00, 0x17)))");
        let hash = keccak256(self.code());
        code.line(format!("if iszero(eq(extcodehash(data), {hash})) {{ revert(0, 0) }}"));
    }
}

impl Run {
    /// Writes words into memory. A literal is copied to where free memory begins, after its length.
    fn load(&self, code: &mut Code) {
        let place = place_of(self.place - WORD);
        code.block("", |code| {
            code.line(format!("assembly {{ mstore(0x40, {place}) }}"));
            code.line(format!("bytes memory {} =", self.name));
            words(&self.bytes, code);
            code.line(format!("{};", self.name));
        });
    }
}

/// Stores the addresses of the parts, whose code must be as expected.
fn keep(parts: &[Part], code: &mut Code) {
    code.block("function keep(slot, part, hash)", |code| {
        code.line("if iszero(eq(extcodehash(part), hash)) { revert(0, 0) }");
        code.line("sstore(slot, part)");
    });
    for (slot, part) in parts.iter().enumerate() {
        let place = place_of(WORD * slot);
        code.line(format!("keep({slot}, mload(add(parts, {place})), {})", hash(part)));
    }
}

/// A literal, word by word.
fn words(bytes: &[u8], code: &mut Code) {
    let words = bytes.chunks(WORD);
    let last = words.len() - 1;
    for (count, word) in words.enumerate() {
        let end = if count == last { ";" } else { "" };
        code.line(format!("    hex\"{}\"{end}", hex::encode(word)));
    }
}
