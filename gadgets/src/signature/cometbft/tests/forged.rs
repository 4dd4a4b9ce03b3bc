//! What a prover may say of precommits that is not so.

use std::ops::Range;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use prost::Message as _;

use super::{
    super::{numbers_of_hint, sizes_of_hint, NumbersHint, SharedVote, HALVES},
    circuit::{encoding, halves, layout},
    encoder::{proposal, vote, PREVOTE},
    precommit, time,
};
use muster_forgery::testing::{self, TestCircuit, Walk};
use muster_gates::{vertical, Layout};
use muster_schemes::signature::cometbft::{BlockId, ChainId, PartSet, Precommit, Timestamp};

const RANGE: [&str; 1] = ["range: limb is below 2^b"];
const COPY: [&str; 1] = ["copy"];
const SUM: [&str; 1] = ["1 column a + b * c = out"];

/// What two validators sign, in a circuit that says so: what code asks for the first time and the second may get lost one
/// without the other.
struct Claims {
    test: TestCircuit,
    /// Rows of the encoding.
    encoding: Range<usize>,
    /// Rows of the halves of each string, and of its length behind them.
    strings: Vec<Range<usize>>,
}

impl Claims {
    fn new(precommit: &Precommit, times: [&Timestamp; 2]) -> Self {
        let (mut encoded, mut strings) = (0..0, vec![]);
        let test = TestCircuit::new(layout(13, 12), |ctx| {
            let cells = encoding(ctx, &precommit.encode());
            encoded = ctx.advice.len() - HALVES..ctx.advice.len();
            let shared = SharedVote::new(ctx, &cells);
            for time in times {
                let signed = shared.signed(ctx, time);
                let message = signed.message();
                let cells = claim(&precommit.signed_bytes(time), message.halves.len());
                let first = ctx.advice.len();
                let claims = ctx.assign_witnesses(cells);
                strings.push(first..ctx.advice.len());
                let message = message.halves.iter().chain([&message.length]);
                for (cell, claim) in message.zip(&claims) {
                    vertical::assert_equal(ctx, cell, claim);
                }
                signed.text(ctx);
            }
        });
        test.assert_satisfied();
        Self { test, encoding: encoded, strings }
    }

    /// What refuses that one of them, or the other, signs this string.
    fn refusing(&mut self, string: &[u8]) -> Vec<String> {
        let [first, second] = [0, 1].map(|validator| {
            let rows = self.strings[validator].clone();
            let cells = rows.clone().zip(claim(string, rows.len() - 1));
            let forged = cells.map(|(row, value)| self.test.in_row(row, value)).collect();
            self.test.failing(forged)
        });
        assert_eq!(first, second);
        first
    }

    /// Rows of what is given.
    fn given(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.encoding.clone().chain(self.strings.iter().cloned().flatten())
    }
}

/// So many halves of a string, and its length.
fn claim(string: &[u8], count: usize) -> Vec<Fr> {
    let mut cells = halves(string);
    cells.resize(count, Fr::ZERO);
    cells.push(Fr::from(string.len() as u64));
    cells
}

/// What refuses an encoding.
fn refusing(encoded: &[u8]) -> Vec<String> {
    let mut test = TestCircuit::new(layout(13, 12), |ctx| {
        let encoded = encoding(ctx, encoded);
        SharedVote::new(ctx, &encoded);
    });
    test.failing(vec![])
}

#[test]
fn nothing_but_the_precommit_is_signed() {
    let shared = precommit(20_082_941, 0, 1, 24);
    let now = time(1_714_980_881, 870_738_786);
    let honest = shared.signed_bytes(&now);
    let mut signed = Claims::new(&shared, [&now; 2]);
    let other = |change: &dyn Fn(&mut Precommit)| {
        let mut other = shared.clone();
        change(&mut other);
        other.signed_bytes(&now)
    };
    let changed = |hash: &[u8; 32], place: usize| {
        let mut hash = *hash;
        hash[place] ^= 1;
        hash
    };
    let BlockId { hash, parts } = shared.block_id;
    let mut claims = vec![
        other(&|other| other.height = precommit(20_082_942, 0, 1, 1).height),
        other(&|other| other.round = precommit(1, 1, 1, 1).round),
        other(&|other| other.block_id.hash = changed(&hash, 0)),
        other(&|other| other.block_id.hash = changed(&hash, 31)),
        other(&|other| other.block_id.parts.hash = changed(&parts.hash, 0)),
        other(&|other| other.block_id.parts.hash = changed(&parts.hash, 31)),
        other(&|other| other.block_id.parts = PartSet::new(2, parts.hash).unwrap()),
        other(&|other| other.chain_id = ChainId::new("bcdefghijklmnopqrstuvwxy").unwrap()),
        shared.signed_bytes(&time(1_714_980_881, 870_738_787)),
        shared.signed_bytes(&time(1_714_980_882, 870_738_786)),
        shared.signed_bytes(&time(1_714_980_881, 0)),
    ];
    // A prevote, a vote for no block, and the proposal of the block.
    let mut prevote = vote(&shared, &now);
    prevote.kind = PREVOTE;
    claims.push(prevote.encode_length_delimited_to_vec());
    let mut nil = vote(&shared, &now);
    nil.block_id = None;
    claims.push(nil.encode_length_delimited_to_vec());
    claims.push(proposal(vote(&shared, &now)).encode_length_delimited_to_vec());
    // A byte more and a byte less; another length in front.
    claims.push(honest[..honest.len() - 1].to_vec());
    claims.push([&honest[..], b"y"].concat());
    let mut long = honest.clone();
    long[0] += 1;
    claims.push(long);
    for claimed in claims {
        assert_ne!(claimed, honest);
        assert_eq!(signed.refusing(&claimed), COPY, "{}", hex::encode(&claimed));
    }
}

/// A time written in more bytes than it takes, lengths that disagree, and nanoseconds of a second.
#[test]
fn times_are_canonical() {
    let shared = precommit(20_082_941, 0, 1, 9);
    let now = time(5, 3);
    let honest = shared.signed_bytes(&now);
    let mut signed = Claims::new(&shared, [&now; 2]);
    let place = honest.windows(4).position(|bytes| bytes == [0x2a, 4, 8, 5]).unwrap();
    let field: [&[u8]; 7] = [
        // 85 00 for 5; 00 for nothing; nanoseconds first; a length that is another's; eleven bytes; 1,000,000,000.
        &[0x2a, 5, 8, 0x85, 0, 0x10, 3],
        &[0x2a, 4, 8, 0, 0x10, 3],
        &[0x2a, 4, 0x10, 3, 8, 5],
        &[0x2a, 5, 8, 5, 0x10, 3],
        &[0x2a, 14, 8, 0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0x10, 3],
        &[0x2a, 8, 8, 5, 0x10, 0x80, 0x94, 0xeb, 0xdc, 3],
        &[0x2a, 2, 8, 5],
    ];
    for field in field {
        let content = [&honest[1..place], field, &honest[place + 6..]].concat();
        let claimed = [vec![content.len() as u8], content].concat();
        assert_eq!(signed.refusing(&claimed), COPY, "{field:x?}");
    }
}

/// The name of another chain ends with a whole field for the name of this one: what is signed there would end as it does
/// here, if the time could take the rest.
#[test]
fn a_name_swallows_no_part_of_a_time() {
    let shared = precommit(20_082_941, 0, 1, 4);
    let ours = shared.chain_id.as_str();
    let inner = format!("xy\u{32}\u{4}{ours}");
    let mut other = shared.clone();
    other.chain_id = ChainId::new(inner).unwrap();
    let claimed = other.signed_bytes(&time(300, 5));
    assert!(claimed.ends_with(&[&[0x32, 4], ours.as_bytes()].concat()));
    // All times for which the strings have the same length.
    let all = [time(300, 1 << 28), time(1 << 35, 5), time(1 << 14, 1 << 21), time(5, 5)];
    let mut same = 0;
    for [first, second] in [[0, 1], [2, 3]].map(|pair| pair.map(|i| &all[i])) {
        same += usize::from(shared.signed_bytes(first).len() == claimed.len());
        same += usize::from(shared.signed_bytes(second).len() == claimed.len());
        assert_eq!(Claims::new(&shared, [first, second]).refusing(&claimed), COPY);
    }
    assert_eq!(same, 3);
}

#[test]
fn what_is_no_encoding_is_refused() {
    let honest = precommit(5, 3, 7, 9).encode();
    assert!(refusing(&honest).is_empty());
    let with = |place: usize, bytes: &[u8]| {
        let mut changed = honest;
        changed[place..place + bytes.len()].copy_from_slice(bytes);
        refusing(&changed)
    };
    // Heights of 0 and 2^63, rounds of 2^31 and more.
    assert_eq!(with(0, &[0; 8]), COPY);
    assert_eq!(with(7, &[0x80]), RANGE);
    assert_eq!(with(11, &[0x80]), RANGE);
    assert_eq!(with(12, &[1]), SUM);
    // Another tag; no parts; a name of no bytes, and more bytes than it says.
    assert_eq!(with(80, b"P"), SUM);
    assert_eq!(with(91, &[0; 4]), COPY);
    assert_eq!(with(95, &[8]), COPY);
    assert_eq!(with(105, &[1]), COPY);
    let mut nameless = honest;
    nameless[95..].fill(0);
    assert_eq!(refusing(&nameless), COPY);
    let mut long = honest;
    long[95] = 51;
    long[96..147].fill(b'a');
    assert_eq!(refusing(&long), COPY);
}

/// Height and round taken apart otherwise.
#[test]
fn numbers_are_taken_apart_in_one_way() {
    let half = halves(&precommit(0x0102_0304, 5, 1, 1).encode()[..16])[0];
    let honest = NumbersHint::new(&half);
    let with = |change: &dyn Fn(&mut NumbersHint)| {
        let mut hint = honest;
        change(&mut hint);
        let layout = Layout { range_bits: 12, ..testing::layout(13, &[]) };
        let mut test = TestCircuit::new(layout, |ctx| {
            let half = ctx.load_witness(half);
            numbers_of_hint(ctx, half, &hint);
        });
        test.failing(vec![])
    };
    let [seven, three] = [7, 3].map(|bytes| Fr::from(256).pow_vartime([bytes]));
    assert!(with(&|_| {}).is_empty());
    let byte = Fr::from(256);
    assert_eq!(
        with(&|hint| {
            hint.height[0] -= Fr::ONE;
            hint.height[1] += byte;
        }),
        RANGE
    );
    assert_eq!(
        with(&|hint| {
            hint.height[0] += Fr::ONE;
            hint.height[1] -= byte;
        }),
        RANGE
    );
    assert_eq!(
        with(&|hint| {
            hint.round[0] -= Fr::ONE;
            hint.round[1] += byte;
        }),
        RANGE
    );
    // The height less 1, and a round of 2^64 more.
    assert_eq!(
        with(&|hint| {
            hint.height[1] += Fr::ONE;
            hint.round[0] -= three;
        }),
        RANGE
    );
    // The height as a fraction, with the rest of it in its first bytes.
    assert_eq!(
        with(&|hint| {
            hint.height[0] -= byte.invert().unwrap();
            hint.height[1] += Fr::ONE;
        }),
        RANGE
    );
    assert_eq!(with(&|hint| hint.height[0] += seven), SUM);
}

/// A number of parts and a length with the same sum.
#[test]
fn sizes_are_taken_apart_in_one_way() {
    let half = halves(&precommit(1, 0, 300, 9).encode()[80..96])[0];
    let with = |total: u64, length: Fr| {
        let mut test = TestCircuit::new(testing::layout(11, &[]), |ctx| {
            let half = ctx.load_witness(half);
            sizes_of_hint(ctx, half, (total, length));
        });
        test.failing(vec![])
    };
    assert!(with(300, Fr::from(9)).is_empty());
    assert_eq!(with(301, Fr::from(9)), SUM);
    assert_eq!(with(300, Fr::from(10)), SUM);
    // 256 more in the length is refused where it is taken for one: see hash/padding.
    assert!(with(299, Fr::from(9 + 256)).is_empty());
}

/// Every cell is rewritten with all that follows from it, alone and with its copies, where the encoding and the string are
/// given: SHA-256 alone takes what is left open.
#[test]
fn strings_are_determined() {
    let first = time(1_714_980_881, 870_738_786);
    for (shared, second, passed_on) in [
        (precommit(20_082_941, 0, 1, 9), time(5, 300), [4, 16]),
        (precommit(1 << 62, 3, 300, 50), time(-1, 0), [4, 16]),
    ] {
        let signed = Claims::new(&shared, [&first, &second]);
        // 0 has no inverse, so whatever stands in its place.
        let free = if shared.round.get() == 0 { vec![Fr::ONE] } else { vec![] };
        let (cells, single) = signed.test.open_values_given(signed.given());
        let (classes, together) = signed.test.open_classes_given(signed.given());
        assert_eq!((cells, classes), (free, vec![]));
        assert_eq!([single, together], passed_on);
    }
}

/// Walks from every cell of what all signers share, and of what two of them sign.
#[test]
fn everything_that_refuses_is_needed() {
    let shared = precommit(1 << 62, 3, 300, 50);
    let signed = Claims::new(&shared, [&time(1_714_980_881, 870_738_786), &time(5, 300)]);
    let Walk { sums, copies } = signed.test.walk_from_everywhere(signed.given());
    assert!(sums >= 2 && copies >= 2, "{sums}, {copies}");
}

/// The same of the numbers of the first half, and of the sizes.
#[test]
fn everything_that_takes_numbers_apart_is_needed() {
    let encoded = precommit(0x0102_0304, 5, 300, 9).encode();
    let [first, sixth] = [0, 5].map(|half| halves(&encoded)[half]);
    let mut given = vec![];
    let test = TestCircuit::new(testing::layout(11, &[]), |ctx| {
        let halves = ctx.assign_witnesses([first, sixth]);
        numbers_of_hint(ctx, halves[0], &NumbersHint::new(&first));
        let (_, length) = sizes_of_hint(ctx, halves[1], (300, Fr::from(9)));
        // The length is a choice until it is taken for one.
        let length = length.cell.expect("it has a place").offset;
        given.extend([0, 1, length]);
    });
    let Walk { sums, copies } = test.walk_from_everywhere(given);
    assert!(sums >= 2 && copies >= 2, "{sums}, {copies}");
}
