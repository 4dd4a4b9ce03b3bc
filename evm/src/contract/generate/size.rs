//! What is written as straight-line code, and what as loops: a contract may not be long.

use super::super::{
    protocol::Protocol,
    yul::{Leaf, CALL},
};

/// More rotations than these are looped over.
const ROTATIONS: usize = 32;
/// More commitments than these are looped over.
const COMMITMENTS: usize = 48;

/// Whether a protocol has more rotations than straight-line code has room for.
pub(super) fn is_long(protocol: &Protocol) -> bool {
    protocol.rotations().len() > ROTATIONS
}

/// Whether a protocol has more commitments than straight-line code has room for.
pub(super) fn has_many(protocol: &Protocol) -> bool {
    protocol.sets.iter().map(|set| set.polys.len()).sum::<usize>() > COMMITMENTS
}

/// Greatest size of a contract (EIP-170).
pub(super) const CONTRACT: usize = 24_576;

/// Most bytes of a verifier in one contract by [`estimate`]: what the compiler makes is 2% to 6% less.
pub(crate) const WHOLE: usize = 25_000;

/// Bytes of a loop besides what it repeats.
const LOOP: usize = 12;

/// Roughly the bytes that the compiler makes of a text, rather too many than too few.
pub(crate) fn estimate(text: &str) -> usize {
    text.lines().map(|line| line_estimate(line.split("//").next().unwrap_or_default())).sum()
}

fn line_estimate(line: &str) -> usize {
    if let Some((_, literal)) = line.split_once("hex\"") {
        return literal.trim_end_matches([';', '"']).len() / 2;
    }
    let words = line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    // An assignment swaps and pops.
    2 * line.matches(":=").count() + words.map(word_estimate).sum::<usize>()
}

fn word_estimate(word: &str) -> usize {
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    match word {
        "for" => LOOP,
        _ if is_number(word) => Leaf::Number(word.to_owned()).size(),
        // A function for repeated shapes.
        _ if word.strip_prefix('f').is_some_and(is_number) => CALL,
        _ => 1,
    }
}
