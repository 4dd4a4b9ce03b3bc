//! What the tests of this folder take for their inputs.

use muster_schemes::signature::cometbft::{
    BlockId, ChainId, Height, PartSet, Precommit, Round, Timestamp,
};

/// A precommit with these numbers, and a name of so many bytes.
pub(crate) fn precommit(height: u64, round: u64, total: u64, name: usize) -> Precommit {
    let name: String = (0..name).map(|i| char::from(b'a' + (i % 26) as u8)).collect();
    Precommit {
        height: Height::new(height).unwrap(),
        round: Round::new(round).unwrap(),
        block_id: BlockId {
            hash: std::array::from_fn(|i| 0xff - i as u8),
            parts: PartSet::new(total, std::array::from_fn(|i| 0x80 + i as u8)).unwrap(),
        },
        chain_id: ChainId::new(name).unwrap(),
    }
}

pub(crate) fn time(seconds: i64, nanos: u32) -> Timestamp {
    Timestamp::new(seconds, nanos).unwrap()
}

/// Times around the borders of the varints' lengths.
pub(crate) fn times() -> Vec<Timestamp> {
    let nanos = [0, 1, 127, 128, 16_383, 16_384, 999_999_999];
    let borders = (1..=9).flat_map(|bytes| [(1i128 << (7 * bytes)) - 1, 1 << (7 * bytes)]);
    let seconds = borders.chain([0, 1, 1_714_980_881]).flat_map(|seconds| [seconds, -seconds]);
    let seconds = seconds.filter_map(|seconds| i64::try_from(seconds).ok());
    let seconds = seconds.chain([i64::MIN, i64::MAX]);
    let by_seconds = seconds.enumerate().map(|(i, seconds)| time(seconds, nanos[i % nanos.len()]));
    by_seconds.chain(nanos.map(|nanos| time(1_714_980_881, nanos))).chain([time(0, 0)]).collect()
}

/// Precommits around the borders of what they may hold.
pub(crate) fn precommits() -> Vec<Precommit> {
    let names = (1..=50).map(|name| precommit(20_082_941, 0, 1, name));
    let largest = precommit((1 << 63) - 1, (1 << 31) - 1, u32::MAX.into(), 50);
    let totals = [1, 127, 128, 16_384, 1 << 21, 1 << 28, u32::MAX.into()];
    let totals = totals.map(|total| precommit(1, 0, total, 8));
    let rounds = [1, 255, 256, 1 << 24].map(|round| precommit(255, round, 1, 9));
    let heights = [1, 256, 1 << 32, 1 << 62].map(|height| precommit(height, 0, 1, 9));
    names.chain(totals).chain(rounds).chain(heights).chain([largest]).collect()
}
