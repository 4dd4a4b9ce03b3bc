mod lies;

use halo2_base::{
    halo2_proofs::halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
    },
    QuantumCell,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use sha3::{Digest, Keccak256};

use super::{
    schedule::{BLOCK, HALF, PERMUTATION, ROUND, SIDE},
    sparse::{self, power, spread, BASE, CHUNKS, DIGITS},
    sponge::Permuted,
    trace::{permute_but_last_constant, State},
    C, SUM, V, Y, Z,
};
use crate::{
    forgery::testing::{assert_is, layout, TestCircuit},
    vertical, Chips, Forged, Layout,
};
use muster_schemes::hash::keccak::native::ROUND_CONSTANTS;

fn circuit(lanes: usize, build: impl FnOnce(&Chips)) -> TestCircuit {
    let layout = Layout { keccak_lanes: lanes, ..layout(13, &[]) };
    TestCircuit::new(layout, |ctx| build(ctx.chips))
}

fn witnesses(words: &[u64]) -> Vec<QuantumCell<Fr>> {
    words.iter().map(|word| QuantumCell::Witness(spread(*word))).collect()
}

fn random_state(seed: u64) -> Vec<u64> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    (0..25).map(|_| rng.r#gen()).collect()
}

/// One permutation, and rows for another that nobody uses.
fn one_permutation(seed: u64) -> TestCircuit {
    circuit(1, |chips| {
        drop(chips.keccak().permute_without_last_constant(&witnesses(&random_state(seed))))
    })
}

#[test]
fn the_permutation_is_that_of_the_hash() {
    let mut state: State = [[0; 5]; 5];
    state[0][0] = 1;
    state[1][3] = 1 << 63;
    permute_but_last_constant(&mut state);
    state[0][0] ^= ROUND_CONSTANTS[23];
    let digest: Vec<u8> = (0..4).flat_map(|x| state[x][0].to_le_bytes()).collect();
    assert_eq!(digest, Keccak256::digest([]).to_vec());
}

#[test]
fn permutes() {
    for lanes in [1, 2] {
        let test = circuit(lanes, |chips| {
            let mut all = vec![[0; 25].to_vec(), [u64::MAX; 25].to_vec()];
            all.push(random_state(7));
            for words in all {
                let mut state: State = [[0; 5]; 5];
                (0..25).for_each(|i| state[i % 5][i / 5] = words[i]);
                permute_but_last_constant(&mut state);
                let permuted = chips.keccak().permute_without_last_constant(&witnesses(&words));
                for (i, word) in permuted.iter().enumerate() {
                    assert_eq!(*word.value(), spread(state[i % 5][i / 5]));
                }
            }
        });
        test.assert_satisfied();
    }
}

#[test]
fn sums_and_halves() {
    let test = circuit(2, |chips| {
        let chip = chips.keccak();
        let (a, b) = (0x0123_4567_89ab_cdef, 0xff00_ff00_1234_5678);
        for _ in 0..7 {
            let sum = spread(a) + spread(b) * Fr::from(3) + spread(7);
            let parities = chip.parities(QuantumCell::Witness(sum));
            assert_eq!(*parities.value(), spread(a ^ b ^ 7));
        }
        let half = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff;
        let spread_half = chip.spread_half(QuantumCell::Witness(Fr::from_u128(half)));
        assert_eq!(*spread_half.words()[0].value(), spread(0x7766_5544_3322_1100));
        assert_eq!(*spread_half.words()[1].value(), spread(0xffee_ddcc_bbaa_9988));
        assert_eq!(*spread_half.last().value(), spread(0xffee_ddcc));
    });
    test.assert_satisfied();
}

#[test]
fn refuses_what_is_no_half_and_no_sum() {
    let half = |value: Fr| {
        circuit(1, |chips| {
            chips.keccak().spread_half(QuantumCell::Witness(value));
        })
    };
    let bound = Fr::from_u128(u128::MAX) + Fr::ONE;
    assert!(half(bound - Fr::ONE).is_satisfied());
    for value in [bound, bound + Fr::ONE, -Fr::ONE, bound * bound.square().invert().unwrap()] {
        assert!(!half(value).is_satisfied());
    }
    let sum = |value: Fr| {
        circuit(1, |chips| {
            chips.keccak().parities(QuantumCell::Witness(value));
        })
    };
    let five = spread(u64::MAX) * Fr::from(5);
    assert!(sum(five).is_satisfied());
    for value in [five + Fr::ONE, spread(1 << 63) * Fr::from(6), power(DIGITS), -Fr::ONE] {
        assert!(!sum(value).is_satisfied());
    }
}

/// Cells of every column, in every kind of rows.
#[test]
fn every_cell_is_bound() {
    let mut test = circuit(1, |chips| {
        chips.keccak().permute_without_last_constant(&witnesses(&random_state(3)));
        chips.keccak().parities(QuantumCell::Witness(spread(99)));
        chips.keccak().spread_half(QuantumCell::Witness(Fr::from(0x1234_5678_9abc)));
    });
    test.assert_satisfied();
    let halves = PERMUTATION + BLOCK;
    let in_round = |row: usize| (SIDE * BLOCK..PERMUTATION).contains(&row);
    // Heads of blocks of a round hold no word.
    let free = |column: usize, row: usize| {
        in_round(row) && row.is_multiple_of(BLOCK) && (V..V + SIDE).contains(&column)
    };
    let last = PERMUTATION - BLOCK;
    let heads = [0, ROUND, ROUND + 4 * BLOCK, PERMUTATION, halves];
    let words = [1, CHUNKS, ROUND + 1, 5 * ROUND + 31, last + CHUNKS, PERMUTATION + 7];
    let bytes = [halves + 1, halves + 4, halves + HALF - 1];
    let advice = test.advice();
    for (i, row) in heads.into_iter().chain(words).chain(bytes).enumerate() {
        // Two of the five columns of each kind, others on every row.
        let [z, y, v] = [Z, Y, V].map(|first| [first + i % SIDE, first + (i + 2) % SIDE]);
        for column in [z, y, v, [SUM, C]].concat() {
            let forged = Forged { column, row, value: advice[column][row] + Fr::ONE };
            let kept = test.is_satisfied_with(forged);
            assert_eq!(kept, free(column, row), "column {column}, row {row}");
        }
    }
}

/// A running sum with another chunk, its parities and nothing else: the rotation by theta's carry is
/// undone by what is left over, but not by another word.
#[test]
fn what_is_left_over_is_bound() {
    let mut test = one_permutation(5);
    test.assert_satisfied();
    let advice = test.advice();
    for block in 0..SIDE {
        for lane in 0..SIDE {
            let row = ROUND + BLOCK * block;
            let over = advice[Z + lane][row];
            let value = over + if lane % 2 == 0 { Fr::ONE } else { -Fr::ONE };
            let forged = Forged { column: Z + lane, row, value };
            assert!(!test.is_satisfied_with(forged), "block {block}, lane {lane}");
        }
    }
}

/// The fifth digit of the highest chunk, with all that follows in its row made consistent.
#[test]
fn the_highest_chunk_has_four_digits() {
    let mut test = one_permutation(11);
    test.assert_satisfied();
    let advice = test.advice();
    let row = ROUND + 1;
    for lane in 0..SIDE {
        for digit in [1, 2, 4] {
            let more = Fr::from(digit) * power(4);
            let mut forged =
                vec![Forged { column: Z + lane, row, value: advice[Z + lane][row] + more }];
            let odd = Fr::from(digit % 2) * power(4);
            forged.push(Forged { column: Y + lane, row, value: advice[Y + lane][row] + odd });
            // The lane without rotation lies in the plane 0: its digit 64 stands for digit 0.
            let first = forged.clone();
            assert!(!test.is_satisfied_with_all(first));
            if lane == 0 {
                forged.push(Forged {
                    column: Z,
                    row: ROUND,
                    value: advice[Z][ROUND] - Fr::from(digit),
                });
                assert!(!test.is_satisfied_with_all(forged));
            }
        }
    }
}

/// Sums and parities of columns: a false parity together with the word that it makes.
#[test]
fn columns_are_bound() {
    let mut test = one_permutation(13);
    test.assert_satisfied();
    let advice = test.advice();
    for block in 0..SIDE {
        for i in [1, 1 + block, CHUNKS] {
            let row = ROUND + BLOCK * block + i;
            let mut forged = vec![];
            for below in i..=CHUNKS {
                let row = ROUND + BLOCK * block + below;
                let more = power(5 * (below - i));
                forged.push(Forged { column: C, row, value: advice[C][row] + more });
            }
            assert!(!test.is_satisfied_with_all(forged));
            let value = advice[SUM][row] + Fr::ONE;
            assert!(!test.is_satisfied_with(Forged { column: SUM, row, value }));
        }
    }
}

/// Whatever is taken in is bound by a copy alone: with another word, another sum or other bytes everything that
/// follows holds, to the end of a permutation.
#[test]
fn chains_start_with_what_was_given() {
    let mut words = random_state(17);
    let (sum, half) = (words.len(), words.len() + 1);
    words.extend([5, 0x0123_4567_89ab_cdef]);
    let other = |place: usize| words[place] ^ 1 << (2 * place);
    let build = |chips: &Chips, changed: Option<usize>| {
        let mut words = words.clone();
        if let Some(place) = changed {
            words[place] = other(place);
        }
        let chip = chips.keccak();
        let cells: Vec<_> = words.iter().map(|word| QuantumCell::Constant(spread(*word))).collect();
        chip.permute_without_last_constant(&cells[..sum]);
        chip.parities(cells[sum]);
        chip.spread_half(QuantumCell::Constant(Fr::from(words[half])));
    };
    let mut test = circuit(1, |chips| build(chips, None));
    test.assert_satisfied();
    // Lanes of each plane and of each sheet.
    for place in (0..sum).step_by(4).chain([sum, half]) {
        let forged = test.written_by(|ctx| build(ctx.chips, Some(place)));
        assert!(forged.len() > if place < sum { 10_000 } else { 5 }, "{place}");
        let start = if place == half { Fr::from(other(place)) } else { spread(other(place)) };
        test.assert_only_a_copy_refuses(&place.to_string(), forged, start);
    }
}

#[test]
fn tables() {
    let parities: Vec<_> = sparse::parities().collect();
    assert_eq!(parities.len(), 6usize.pow(5) + 256);
    assert!(parities.contains(&[Fr::ZERO; 3]));
    let chis: Vec<_> = sparse::chis().collect();
    assert_eq!(chis.len(), 5usize.pow(5));
    assert!(chis.contains(&[Fr::ZERO; 2]));
    for bits in 0..8u64 {
        let [a, b, c] = [bits & 1, bits >> 1 & 1, bits >> 2];
        let sum = Fr::from(2 * a + b) - Fr::from(c);
        let out = Fr::from(a ^ ((1 - b) & c));
        assert_eq!(chis.iter().filter(|entry| entry[0] == sum).collect::<Vec<_>>(), [&[sum, out]]);
    }
}

/// The bounds that the README argues with.
#[test]
fn bounds() {
    // All terms of a relation of a round are below the modulus: five of up to `BASE^69`.
    let bits = |exponent: u32| f64::from(exponent) * (BASE as f64).log2();
    assert!(bits(69) + 3.0 < 253.0);
}

#[test]
fn rows_and_cells() {
    let test = circuit(1, |chips| {
        let chip = chips.keccak();
        chip.permute_without_last_constant(&witnesses(&[0; 25]));
        assert_eq!((chip.rows(), chip.total_cells()), (1_750, 29_750));
    });
    assert_eq!(test.gates().usage().keccak_rows, 1_750);
}

#[test]
fn a_layout_without_the_gate_is_as_before() {
    let json = serde_json::to_string(&layout(9, &[])).unwrap();
    assert!(!json.contains("keccak"));
    let with = Layout { keccak_lanes: 2, ..layout(9, &[]) };
    let json = serde_json::to_string(&with).unwrap();
    assert_eq!(serde_json::from_str::<Layout>(&json).unwrap(), with);
}

/// Where another lane of the chosen state is asked for, each step refuses alone: every state is chosen, so all of them count.
#[test]
fn each_state_that_is_chosen_from_is_bound() {
    // As many as the circuits of other tests have.
    const STATES: u64 = 13;
    const LANES: usize = 4;
    let circuit = |lie: Option<usize>| {
        TestCircuit::new(layout(9, &[]), |ctx| {
            let mut constant = |number: u64| vertical::load_constant(ctx, Fr::from(number));
            let states: Vec<_> = (1..=STATES)
                .map(|state| {
                    Permuted((1..=LANES as u64).map(|i| constant(100 * state + i)).collect())
                })
                .collect();
            let ends = states.iter().map(|_| QuantumCell::Existing(constant(1)));
            let ends: Vec<_> = ends.collect();
            let Permuted(chosen) = Permuted::choose(ctx, &states, &ends);
            for (lane, cell) in chosen.iter().enumerate() {
                let more = Fr::from(u64::from(lie == Some(lane)));
                assert_is(ctx, cell, cell.value() + more);
            }
        })
    };
    circuit(None).assert_satisfied();
    for lane in 0..LANES {
        let walk = circuit(Some(lane)).walk([]);
        assert!(walk.sums.min(walk.copies) as u64 >= STATES, "{walk:?}");
    }
}
