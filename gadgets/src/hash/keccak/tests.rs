use halo2_base::{
    halo2_proofs::{
        halo2curves::{
            bn256::Fr,
            ff::{Field, PrimeField},
        },
        plonk::Assigned,
    },
    Context, QuantumCell,
};

use crate::hash::{
    keccak,
    padding::{
        tests::{bytes, circuit, halves, up_to, Keccak256},
        Message,
    },
};
use muster_forgery::{forger::Failure, testing::TestCircuit};
use muster_gates::{
    keccak::{spread, Lane, Permuted},
    vertical, Forged, GateContext,
};
use muster_schemes::hash::keccak::{keccak256, native};

/// The gate of the vertical column.
const SUM: &str = "1 column a + b * c = out";

/// Keccak team, `ShortMsgKAT_256.txt` (length 0); Solidity documentation and go-ethereum
/// `crypto/crypto_test.go`, `TestKeccak256Hash` ("abc").
const EMPTY: &str = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
const ABC: &str = "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45";

#[test]
fn published_values() {
    for (message, expected) in [(&b""[..], EMPTY), (b"abc", ABC)] {
        let expected: [u8; 32] = hex::decode(expected).unwrap().try_into().unwrap();
        assert_eq!(keccak256(message), expected);
        let (test, digest) = up_to::<Keccak256>(message, message.len(), 16);
        assert_eq!(digest, expected);
        test.assert_satisfied();
    }
}

/// The key of "Mastering Ethereum", chapter 4, and the address of the private key 1.
const KEYS: [(&str, &str, &str); 2] = [
    (
        "6e145ccef1033dea239875dd00dfb4fee6e3348b84985c92f103444683bae07b",
        "83b5c38e5e2b0c8529d7fa3f64d46daa1ece2d9ac14cab9477d042c84c32ccd0",
        "001d3f1ef827552ae1114027bd3ecf1f086ba0f9",
    ),
    (
        "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
        "7e5f4552091a69125d5dfcb7b8c2659029395bdf",
    ),
];

#[test]
fn addresses() {
    let test = circuit::<Keccak256>(13, |ctx| {
        for (x, y, address) in KEYS {
            let [x, y] = [x, y].map(|s| <[u8; 32]>::try_from(hex::decode(s).unwrap()).unwrap());
            let expected = hex::decode(address).unwrap();
            assert_eq!(native::address(&x, &y).to_vec(), expected);
            let cells = [x, y].map(|c| ctx.assign_witnesses(halves(&c, 2)).try_into().unwrap());
            let found = keccak::address(ctx, cells[0], cells[1]);
            let mut bytes = found.value().to_repr();
            bytes.reverse();
            assert_eq!(bytes[12..], expected);
        }
    });
    test.assert_satisfied();
}

/// Another address in its cell, of a message whose length is a witness.
#[test]
fn addresses_are_bound() {
    let mut address = None;
    let mut test = circuit::<Keccak256>(13, |ctx| {
        let halves = ctx.assign_witnesses(halves(b"abc", 1));
        let length = ctx.load_witness(Fr::from(3));
        let found = keccak::keccak256_up_to(ctx, Message { halves: &halves, length, bound: 16 });
        address = Some(*found.address(ctx).value());
    });
    test.assert_satisfied();
    let value = address.expect("the circuit was built");
    let forged = test.replace(&[(value, value + Fr::ONE)]);
    assert!(!forged.is_empty());
    assert!(!test.is_satisfied_with_all(forged));
}

/// The digest of halves and of `behind` bytes behind them, in place of whose number is what `rest` makes of it.
fn with_last(
    ctx: &mut GateContext,
    (message, behind): (&[u8], usize),
    rest: impl FnOnce(Fr) -> Fr,
) -> Vec<u8> {
    let (before, last) = message.split_at(message.len() - behind);
    let before = ctx.assign_witnesses(halves(before, before.len() / 16));
    let before: Vec<_> = before.into_iter().map(QuantumCell::Existing).collect();
    let number = last.iter().fold(0, |sum, byte| sum << 8 | u128::from(*byte));
    let last = ctx.load_witness(rest(Fr::from_u128(number)));
    bytes(&keccak::keccak256_with_last(ctx, &before, (last, behind)).halves())
}

/// Lengths around halves, lanes and blocks, with rests that begin with a zero and with a byte of ones.
#[test]
fn rests_behind_halves_are_hashed() {
    let test = circuit::<Keccak256>(15, |ctx| {
        let lengths = [(0, 1), (0, 15), (1, 4), (1, 8), (7, 15), (8, 8), (8, 15), (15, 15)];
        for ((halves, behind), first) in lengths.into_iter().zip([0xff, 0].into_iter().cycle()) {
            let mut message: Vec<u8> = (1..=255).take(16 * halves + behind).collect();
            message[16 * halves] = first;
            let digest = with_last(ctx, (&message, behind), |rest| rest);
            assert_eq!(digest, keccak256(&message), "{halves} {behind}");
        }
    });
    test.assert_satisfied();
}

/// A rest of which the circuit makes the half of a longer message: the digest is this message's, and nothing but the range of the rest
/// refuses it.
#[test]
fn a_rest_has_no_more_bytes() {
    let message: Vec<u8> = (1..=21).collect();
    let power = |bytes: u64| Fr::from(2).pow([8 * bytes]);
    let build = |more: Fr| {
        let mut digest = vec![];
        let test = circuit::<Keccak256>(13, |ctx| {
            digest = with_last(ctx, (&message[..20], 4), |rest| rest + more);
        });
        (test, digest)
    };
    // A byte and the first one of padding behind it, in place of that padding alone.
    let longer = Fr::from(u64::from(message[20])) * power(11) + power(10) - power(11);
    let place = power(12).invert().expect("no power of two is zero");
    let (mut test, digest) = build(longer * place);
    assert_eq!(digest, keccak256(&message));
    assert_eq!(test.failing(vec![]), ["range: limb is below 2^b"]);
    // A bit above the bytes, with which the half is none.
    assert!(!build(power(4)).0.is_satisfied());
}

/// Cells of the vertical gate: all are bound, but those that another gate computes or takes.
#[test]
fn rests_are_determined() {
    let message: Vec<u8> = (1..=20).collect();
    let test = circuit::<Keccak256>(13, |ctx| {
        for _ in 0..2 {
            with_last(ctx, (&message, 4), |rest| rest);
        }
    });
    test.assert_satisfied();
    assert_eq!(test.open_values().0, []);
}

/// The padding ends before the half does.
#[test]
#[should_panic(expected = "room behind the last half")]
fn no_rest_goes_past_its_block() {
    circuit::<Keccak256>(13, |ctx| {
        with_last(ctx, (&[1; 16 * 8 + 7], 7), |rest| rest);
    });
}

/// The half ends where the block does.
#[test]
#[should_panic(expected = "room behind the last half")]
fn no_rest_fills_its_block() {
    circuit::<Keccak256>(13, |ctx| {
        with_last(ctx, (&[1; 16 * 16 + 1], 1), |rest| rest);
    });
}

/// The lanes of a digest make one half each: another one is refused by copies alone.
#[test]
fn halves_of_a_digest_are_its_lanes() {
    let build = |change: Fr| {
        circuit::<Keccak256>(13, |ctx| {
            let digest = keccak::keccak256(ctx, &[]);
            for half in [digest.high, digest.low] {
                let hint = *half.half().value() + change;
                keccak::half_of_hint(ctx, half.words(), hint);
            }
        })
    };
    build(Fr::ZERO).assert_satisfied();
    // In the second lane, and in the first.
    for place in [0, 64] {
        let mut test = build(Fr::from(2).pow([place]));
        assert_eq!(test.failing(vec![]), ["copy"], "{place}");
    }
}

/// The upper bytes of an address are bytes 12 to 15 of the digest, and nothing stands above them; the first address of a
/// circuit, and one behind another.
#[test]
fn upper_bytes_of_an_address() {
    let build = |change: u128, is_second: bool| {
        let mut product = (0, Fr::ZERO);
        let test = circuit::<Keccak256>(13, |ctx| {
            let digest = keccak::keccak256(ctx, &[]);
            if is_second {
                digest.address(ctx);
            }
            let half = digest.high.half().value().to_repr();
            let upper = u32::from_le_bytes(half[..4].try_into().expect("4 bytes"));
            let upper = u128::from(upper) + change;
            // The last of four cells.
            product = (ctx.advice.len() + 3, spread((upper as u64).swap_bytes()));
            digest.address_of_hint(ctx, Fr::from_u128(upper));
        });
        (test, product)
    };
    for is_second in [false, true] {
        build(0, is_second).0.assert_satisfied();
        // In bytes 12 to 15, in the lane with them, and in the lane above.
        for place in [0, 32, 64] {
            let (mut test, (row, moved)) = build(1 << place, is_second);
            assert_eq!(test.failing(vec![]), ["copy"], "{place}");
            if place < 64 {
                // The lane of the digest, moved, as the lie has it: the gate of the product.
                let forged = vec![test.in_row(row, moved)];
                assert_eq!(test.failing(forged), [SUM], "{place}");
            }
        }
    }
}

/// Cells of two addresses: all are bound, each alone and with its copies, but those that another gate computes or takes.
#[test]
fn addresses_are_determined() {
    let test = circuit::<Keccak256>(13, |ctx| {
        let digest = keccak::keccak256(ctx, &[]);
        for _ in 0..2 {
            digest.address(ctx);
        }
    });
    test.assert_satisfied();
    let cells = test.open_values();
    assert_eq!((cells, test.open_classes_given([])), ((vec![], 2), (vec![], 8)));
}

/// A block, and a state before it, of which a lane is another one for the permutation: copies alone refuse it.
#[test]
fn every_lane_is_absorbed() {
    // Of a block, and of the state.
    const LANES: [usize; 2] = [17, 25];
    let build = |lie: Option<(usize, usize)>| {
        circuit::<Keccak256>(13, |ctx| {
            let lanes = |ctx: &mut Context<Fr>, which: usize| {
                let mut lanes = ctx.assign_witnesses((0..LANES[which]).map(|_| Fr::ONE));
                if let Some((_, lane)) = lie.filter(|(lying, _)| *lying == which) {
                    lanes[lane].value = Assigned::Trivial(Fr::ZERO);
                }
                lanes
            };
            let [block, state] = [0, 1].map(|which| lanes(ctx, which));
            let block: Vec<_> = block.into_iter().map(Lane::lying).collect();
            ctx.chips.keccak().absorb(ctx, Some(&Permuted::lying(&state)), &block);
        })
    };
    build(None).assert_satisfied();
    for (which, lane) in [(0, 0), (0, 1), (0, 16), (1, 0), (1, 1), (1, 16), (1, 17), (1, 24)] {
        let failing = build(Some((which, lane))).failing(vec![]);
        assert_eq!(failing, ["copy"], "{which} {lane}");
    }
}

/// A state that is another one for the permutation alone: each lane of it is bound by a copy, and nothing else
/// refuses it.
#[test]
fn every_lane_that_is_permuted_is_bound() {
    const BLOCKS: usize = 2;
    const LANES: usize = 25;
    let build = |ctx: &mut GateContext, word: Fr| {
        for _ in 0..BLOCKS {
            let block = ctx.assign_witnesses([word; 17]).into_iter().map(Lane::lying);
            let block: Vec<_> = block.collect();
            let state = Permuted::lying(&ctx.assign_witnesses([word; LANES]));
            ctx.chips.keccak().absorb(ctx, Some(&state), &block);
        }
    };
    let mut test = circuit::<Keccak256>(13, |ctx| build(ctx, Fr::ONE));
    test.assert_satisfied();
    let mut forged = test.written_by(|ctx| build(ctx, Fr::ZERO));
    // The vertical gate has the last column.
    let vertical = test.advice().len() - 1;
    forged.retain(|cell| cell.column != vertical);
    assert_eq!(test.failing(forged.clone()), ["copy"]);
    // Each copy has two ends.
    assert_eq!(test.broken_copies(forged).len(), 2 * LANES * BLOCKS);
}

/// A first lane of a digest that is another one for its parities alone: a copy refuses it.
#[test]
fn the_first_lane_of_a_digest_is_bound() {
    const DIGESTS: usize = 2;
    let build = |ctx: &mut GateContext, word: Fr| {
        for _ in 0..DIGESTS {
            let state = Permuted::lying(&ctx.assign_witnesses([word; 4]));
            ctx.chips.keccak().squeeze(ctx, &state);
        }
    };
    let mut test = circuit::<Keccak256>(13, |ctx| build(ctx, Fr::ONE));
    test.assert_satisfied();
    let all = test.written_by(|ctx| build(ctx, Fr::ZERO));
    let vertical = test.advice().len() - 1;
    let forged: Vec<_> = all.iter().filter(|cell| cell.column != vertical).copied().collect();
    assert_eq!(test.failing(forged.clone()), ["copy"]);
    assert_eq!(test.broken_copies(forged).len(), 2 * DIGESTS);
    // With the sums that the parities are of: their gates refuse it.
    assert_eq!(false_sums(&mut test, all), DIGESTS);
}

/// The exclusive or of two lanes, of which either is another one for the parities alone: a copy refuses it, and with the sum that
/// they are of the gate of that sum. So does another result.
#[test]
fn the_exclusive_or_of_lanes_is_bound() {
    const PAIRS: usize = 2;
    const LANES: [u64; 2] = [0x0123_4567_89ab_cdef, 0xff00_ff00_f0f0_aaaa];
    let build = |ctx: &mut GateContext, pairs: [[u64; 2]; PAIRS]| {
        for lanes in pairs {
            let cells = ctx.assign_witnesses(lanes.map(spread));
            ctx.chips.keccak().xor(ctx, [0, 1].map(|which| Lane::lying(cells[which])));
        }
    };
    let mut test = circuit::<Keccak256>(13, |ctx| build(ctx, [LANES; PAIRS]));
    test.assert_satisfied();
    for other in [[LANES[0] ^ 1, LANES[1]], [LANES[0], LANES[1] ^ 1 << 63]] {
        for pairs in [[other, LANES], [LANES, other]] {
            let all = test.written_by(|ctx| build(ctx, pairs));
            let vertical = test.advice().len() - 1;
            let forged = all.iter().filter(|cell| cell.column != vertical).copied().collect();
            assert_eq!(test.failing(forged), ["copy"]);
            let forged = elsewhere(&test, all);
            assert_cells_refuse(&mut test, &forged);
        }
    }
    let result = LANES[0] ^ LANES[1];
    let forged = test.replace(&[(spread(result), spread(result ^ 2))]);
    assert_eq!(forged.len(), PAIRS);
    assert_eq!(test.failing(forged), ["keccak: words"]);
}

/// What was written elsewhere: of the vertical column no cells but those that copies bind to others.
fn elsewhere(test: &TestCircuit, mut forged: Vec<Forged>) -> Vec<Forged> {
    let (forger, vertical) = (test.forger(), test.advice().len() - 1);
    let is_copied = |cell: &Forged| {
        let bound = forger.bound_to((cell.column, cell.row));
        bound.iter().any(|(column, _)| *column != vertical)
    };
    forged.retain(is_copied);
    forged
}

/// Where one gate of the vertical column refuses what is forged, each cell that it reads can make it hold, and a copy refuses that.
fn assert_cells_refuse(test: &mut TestCircuit, forged: &[Forged]) {
    let column = test.advice().len() - 1;
    let failures = test.failures_with(forged.to_vec());
    let [Failure::Gate(name, row)] = &failures[..] else { panic!("{failures:?}") };
    assert_eq!(name, SUM);
    let cells = test.advice()[column].clone();
    let out = forged.iter().find(|cell| (cell.column, cell.row) == (column, row + 3));
    let out = out.expect("the sum is another").value;
    let [a, b, c] = [0, 1, 2].map(|i| cells[row + i]);
    let rest = out - a;
    let values = [out - b * c, rest * c.invert().unwrap(), rest * b.invert().unwrap()];
    for (i, value) in values.into_iter().enumerate() {
        let cell = Forged { column, row: row + i, value };
        assert_eq!(test.failing([forged, &[cell]].concat()), ["copy"], "{i}");
    }
}

/// How many gates of the vertical column refuse what was written elsewhere, and nothing else does.
fn false_sums(test: &mut TestCircuit, forged: Vec<Forged>) -> usize {
    let forged = elsewhere(test, forged);
    let failures = test.failures_with(forged);
    let is_sum = |failure: &Failure| matches!(failure, Failure::Gate(name, _) if name == SUM);
    assert!(failures.iter().all(is_sum), "{failures:?}");
    failures.len()
}

/// A block that is another one for the permutation and in the sums that it permutes: the gates of these refuse it.
#[test]
fn sums_that_are_permuted_are_bound() {
    const BLOCKS: usize = 2;
    let build = |ctx: &mut GateContext, word: Fr| {
        for _ in 0..BLOCKS {
            let block = ctx.assign_witnesses([word; 17]).into_iter().map(Lane::lying);
            let block: Vec<_> = block.collect();
            let state = Permuted::lying(&ctx.assign_witnesses([Fr::ONE; 25]));
            ctx.chips.keccak().absorb(ctx, Some(&state), &block);
        }
    };
    let mut test = circuit::<Keccak256>(13, |ctx| build(ctx, Fr::ONE));
    test.assert_satisfied();
    let forged = test.written_by(|ctx| build(ctx, Fr::ZERO));
    assert_eq!(false_sums(&mut test, forged), 17 * BLOCKS);
}

/// The half with which a message ends and its padding begins is that of the message, in the first of two hashes and in the second:
/// each cell of the sum refuses another one.
#[test]
fn a_half_that_is_hashed_is_that_of_the_message() {
    const OWN: u64 = 0x0102_0304;
    let build = |ctx: &mut GateContext, lasts: [u64; 2]| {
        for last in lasts {
            let last = ctx.load_witness(Fr::from(last));
            let first = QuantumCell::Constant(Fr::from(7));
            keccak::keccak256_with_last(ctx, &[first], (last, 4));
        }
    };
    let mut test = circuit::<Keccak256>(13, |ctx| build(ctx, [OWN; 2]));
    test.assert_satisfied();
    let (forger, vertical) = (test.forger(), test.advice().len() - 1);
    let cells = test.advice()[vertical].clone();
    let other = OWN + 1;
    for lasts in [[other, OWN], [OWN, other]] {
        let mut forged = test.written_by(|ctx| build(ctx, lasts));
        // The message is that of the circuit: what is checked, and its bytes.
        let of_message = |cell: &Forged| {
            let bound = forger.bound_to((cell.column, cell.row));
            bound.iter().any(|(column, row)| *column == vertical && cells[*row] == Fr::from(OWN))
        };
        forged.retain(|cell| !of_message(cell));
        assert_cells_refuse(&mut test, &forged);
    }
}

/// The state that is chosen, which nothing takes: no cell can be rewritten.
#[test]
fn the_chosen_state_is_determined() {
    let test = circuit::<Keccak256>(13, |ctx| {
        keccak::keccak256(ctx, &[]);
        // Constants, which nobody rewrites.
        let mut cell = |value: u64| vertical::load_constant(ctx, Fr::from(value));
        let states = [1, 2, 3].map(|i| Permuted::lying(&[(); 4].map(|()| cell(i))));
        let ends = [0, 1, 0].map(|end| QuantumCell::Existing(cell(end)));
        Permuted::choose(ctx, &states, &ends);
    });
    test.assert_satisfied();
    assert_eq!(test.free_values(), []);
}

/// Constants that are others for the permutation alone, of every lane: what binds each refuses it, and nothing else.
#[test]
fn every_constant_that_is_permuted_is_bound() {
    const BLOCKS: u64 = 2;
    const LANES: u64 = 25;
    let build = |ctx: &mut GateContext, more: u64| {
        for block in 0..BLOCKS {
            let lanes = (0..LANES).map(|lane| Lane::constant(100 * (block + 1) + lane + more));
            let lanes: Vec<_> = lanes.collect();
            ctx.chips.keccak().absorb(ctx, None, &lanes);
        }
    };
    let mut test = circuit::<Keccak256>(13, |ctx| build(ctx, 0));
    test.assert_satisfied();
    let forged = test.written_by(|ctx| build(ctx, 1 << 20));
    assert_eq!(test.failing(forged.clone()), ["copy"]);
    // Each copy has two ends.
    assert_eq!(test.broken_copies(forged).len() as u64, 2 * LANES * BLOCKS);
}

/// Cells of the vertical gate: all are bound, but those that another gate computes or takes.
#[test]
fn sums_of_lanes_are_determined() {
    let test = circuit::<Keccak256>(14, |ctx| {
        let message = ctx.assign_witnesses(halves(&[5; 300], 19));
        let cells: Vec<_> = message.iter().copied().map(QuantumCell::Existing).collect();
        keccak::keccak256(ctx, &cells);
        let length = ctx.load_witness(Fr::from(300));
        keccak::keccak256_up_to(ctx, Message { halves: &message, length, bound: 304 });
        for _ in 0..2 {
            let state = [(); 25].map(|()| vertical::load_constant(ctx, Fr::ONE));
            let block = [Lane::constant(7)];
            ctx.chips.keccak().absorb(ctx, Some(&Permuted::lying(&state)), &block);
        }
    });
    test.assert_satisfied();
    assert_eq!(test.open_values(), (vec![], 40));
}
