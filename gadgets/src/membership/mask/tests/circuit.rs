//! The mask in circuit, and prover's lies about it.

use ff::Field;
use halo2_base::Context;
use halo2curves::bn256::Fr;

use super::super::{assert_mask, ABSORB_DOMAIN};
use muster_forgery::{
    forger::{Failure, Place},
    testing::{layout, TestCircuit, Walk},
};
use muster_gates::{poseidon::rows_each, AssignedMember, Forged, Layout};
use muster_schemes::hash::poseidon::{domain, permute, PoseidonSpec};
use muster_schemes::membership::mask::{SignerMask, MASK_WORD_BITS};

/// The first column of the Poseidon gate, behind those of the Edwards gate.
const POSEIDON: usize = 6;
/// Elements of its states.
const WIDTH: usize = 6;

/// A member by its index and its weight.
type Member = (Fr, u64);

fn member(index: u64) -> Member {
    (Fr::from(index), 3 + index)
}

/// Room for so many members and slots: a column has about 20 cells of a member and 40 of a slot.
fn layout_for(capacity: usize, slots: usize) -> Layout {
    let k = if capacity + 2 * slots < 70 { 11 } else { 14 };
    Layout { constant_rows: 400, ..layout(k, &[WIDTH]) }
}

/// Words for the members of a set with room for so many.
#[derive(Clone, Copy)]
struct Claim<'a> {
    capacity: usize,
    words: &'a [Fr],
    members: &'a [Member],
}

/// The rows of the words, and of what members' indices exceed their slots by and their weights.
#[derive(Default)]
struct Rows {
    words: Vec<usize>,
    offsets: Vec<usize>,
    weights: Vec<usize>,
}

/// One mask after the other.
fn claims(claims: &[Claim<'_>]) -> (TestCircuit, Rows) {
    let mut rows = Rows::default();
    let capacity = claims.iter().map(|claim| claim.capacity).sum();
    let slots = claims.iter().map(|claim| claim.members.len()).sum();
    let test = TestCircuit::new(layout_for(capacity, slots), |ctx| {
        let load = |ctx: &mut Context<Fr>, rows: &mut Vec<usize>, value: Fr| {
            rows.push(ctx.advice.len());
            ctx.load_witness(value)
        };
        for Claim { capacity, words, members } in claims {
            let words: Vec<_> =
                words.iter().map(|word| load(ctx, &mut rows.words, *word)).collect();
            let member = |(slot, (index, weight)): (u64, &Member)| {
                let offset = load(ctx, &mut rows.offsets, *index - Fr::from(slot));
                let weight = load(ctx, &mut rows.weights, Fr::from(*weight));
                AssignedMember::assume_found(slot, offset, weight)
            };
            let members: Vec<_> = (0..).zip(*members).map(member).collect();
            assert_mask(ctx, (&words, *capacity), &members);
        }
    });
    (test, rows)
}

fn circuit(capacity: usize, words: &[Fr], members: &[Member]) -> TestCircuit {
    claims(&[Claim { capacity, words, members }]).0
}

fn words(capacity: usize, signers: &[u64]) -> Vec<Fr> {
    let signers = signers.iter().map(|signer| *signer as usize);
    SignerMask::new(capacity, signers).expect("members").words()
}

/// Members 0, 2 and 5 of six, and a slot that is not used, which points to member 4.
fn three_of_six() -> [Member; 4] {
    [member(0), member(2), member(5), (Fr::from(4), 0)]
}

#[test]
fn those_who_have_a_weight_are_named() {
    for (capacity, signers) in [
        (1, &[0][..]),
        (4, &[0, 1, 2, 3]),
        (6, &[]),
        (6, &[4]),
        (MASK_WORD_BITS, &[0, 247]),
        (MASK_WORD_BITS + 1, &[247, 248]),
        (500, &[3, 250, 496, 499]),
    ] {
        for unused in [0, 1, 30] {
            let mut members: Vec<_> = signers.iter().map(|signer| member(*signer)).collect();
            members.extend((0..unused).map(|i| (Fr::from(capacity as u64 + i), 0)));
            if !members.is_empty() {
                circuit(capacity, &words(capacity, signers), &members).assert_satisfied();
            }
        }
    }
}

/// A slot that is not used counts for nothing, wherever it points; the order of slots does not matter.
#[test]
fn slots_without_a_weight_name_nobody() {
    let own = words(6, &[0, 2, 5]);
    for index in [Fr::ZERO, Fr::ONE, Fr::from(5), Fr::from(1 << 40), -Fr::ONE] {
        let mut members = three_of_six();
        members[3].0 = index;
        circuit(6, &own, &members).assert_satisfied();
        members.swap(3, 1);
        circuit(6, &own, &members).assert_satisfied();
    }
}

/// A bit too many or too few, moved, of a slot that is not used, above the room of the set: all words but one.
#[test]
fn all_other_words_are_refused() {
    let own = words(6, &[0, 2, 5])[0];
    for word in (0..256).map(Fr::from) {
        assert_eq!(circuit(6, &[word], &three_of_six()).is_satisfied(), word == own, "{word:?}");
    }
    let two = Fr::from(2);
    for more in [MASK_WORD_BITS, 252, 253].map(|bit| two.pow_vartime([bit as u64])) {
        assert!(!circuit(6, &[own + more], &three_of_six()).is_satisfied(), "{more:?}");
    }
    assert!(!circuit(6, &[-Fr::ONE], &three_of_six()).is_satisfied());
    // The bit of a member in the other word.
    let members = [member(1), member(249)];
    assert!(circuit(300, &words(300, &[1, 249]), &members).is_satisfied());
    for other in [[two, Fr::ZERO], [two + two, Fr::ZERO], [Fr::ZERO, two], [two + two, two]] {
        assert!(!circuit(300, &other, &members).is_satisfied(), "{other:?}");
    }
}

/// A member that the set has no room for, or that is there twice, is named by no words.
#[test]
fn members_beyond_the_room_or_twice() {
    for index in [6, 7, 255, 256].map(Fr::from) {
        for word in (0..64).map(Fr::from) {
            assert!(!circuit(6, &[word], &[member(1), (index, 1)]).is_satisfied(), "{index:?}");
        }
    }
    for word in (0..64).map(Fr::from) {
        assert!(!circuit(6, &[word], &[member(1), member(1)]).is_satisfied());
    }
    let below = circuit(6, &[Fr::from(2)], &[member(1), (-Fr::ONE, 1)]);
    assert!(below.is_satisfied(), "declared: whoever finds members bounds their indices");
}

/// The one member who signed is not `i`, whose bit is made to be the fraction that has the same factor.
#[test]
fn bits_are_no_fractions() {
    let truths = [Claim { capacity: 6, words: &words(6, &[3]), members: &[member(3)] }];
    for (i, before) in (0..6).flat_map(|i| [0, 1].map(|count| (i, &truths[..count]))) {
        let other = (i + 1) % 6;
        let own = words(6, &[other]);
        let claim = Claim { words: &own, members: &[member(other)], capacity: 6 };
        let (mut test, rows) = claims(&[before, &[claim]].concat());
        test.assert_satisfied();
        let forger = test.forger();
        let column = test.advice().len() - 1;
        let bits = rows_of_bits(&test.advice()[column], 6, 1 << other);
        let [number, others] = [i + 1, other + 1].map(Fr::from);
        let bit = others * number.invert().expect("not 0");
        let word = bit * Fr::from(1 << i);
        let word = (*rows.words.last().expect("a word"), word);
        let lie = [word, (bits[i as usize], bit), (bits[other as usize], Fr::ZERO)];
        let starts = lie.into_iter().flat_map(|(row, value)| {
            let bound = forger.bound_to((column, row)).into_iter();
            bound.map(move |place| (place, value))
        });
        let forged = forger.rewrite(&starts.collect::<Vec<_>>());
        let failures = test.failures_with(forged.clone());
        let [Failure::Gate(_, gate)] = failures[..] else { panic!("{i}: {failures:?}") };
        // `0 + b·b = b` holds once one of its cells is another.
        let cells = [bit - bit.square(), Fr::ONE, Fr::ONE, bit.square()];
        for (row, value) in (gate..).zip(cells) {
            let mut forged = forged.clone();
            forged.retain(|cell| (cell.column, cell.row) != (column, row));
            forged.push(Forged { column, row, value });
            assert_eq!(test.failing(forged), ["copy"], "{i}: {row}");
        }
    }
}

/// The powers of two that bits count as, with the word that another factor would make.
#[test]
fn bits_count_as_powers_of_two() {
    let members: Vec<_> = (0..14).map(member).collect();
    let own = words(14, &(0..14).collect::<Vec<_>>());
    let claim = Claim { capacity: 14, words: &own, members: &members };
    for before in [&[][..], &[claim]] {
        let (mut test, rows) = claims(&[before, &[claim]].concat());
        let forger = test.forger();
        let column = test.advice().len() - 1;
        let word = (column, *rows.words.last().expect("a word"));
        for bit in &rows_of_bits(&test.advice()[column], 14, (1 << 14) - 1)[1..] {
            let more = |place: Place| (place, forger.value(place) + Fr::ONE);
            let mut starts: Vec<_> = forger.bound_to(word).into_iter().map(more).collect();
            starts.push(more((column, bit + 1)));
            test.assert_only_copies_refuse(&forger, &format!("row {bit}"), &starts);
        }
    }
}

/// Where the last word's bits stand: `b₀, b₁, 2, sum, b₂, 4, sum, …`.
fn rows_of_bits(cells: &[Fr], capacity: usize, word: u64) -> Vec<usize> {
    let mut sums = vec![word & 1];
    for i in 1..capacity {
        sums.extend([word >> i & 1, 1 << i, word & ((2 << i) - 1)]);
    }
    let sums: Vec<_> = sums.into_iter().map(Fr::from).collect();
    let first = cells.windows(sums.len()).rposition(|cells| cells == sums);
    let first = first.expect("the word is cut into bits");
    (0..capacity).map(|i| if i == 0 { first } else { first + 3 * i - 2 }).collect()
}

/// Two numbers that are packed as those of members 1 and 2 are, and with the challenge of that make up for the
/// product of members 0 and 5. Only their ranges tell.
#[test]
fn numbers_are_in_their_range() {
    // A lookup has eight bits.
    let stride = Fr::from(256);
    let packed = Fr::from(2) + Fr::from(3) * stride;
    let lie = words(6, &[0, 5]);
    let challenge = squeezed(&lie, packed);
    // Of `a + stride·b = packed` and `(1 + challenge·a)·(1 + challenge·b) = (1 + challenge)·(1 + 6·challenge)`.
    let square = -stride * challenge.square();
    let linear = challenge * (challenge * packed + Fr::ONE - stride);
    let constant = challenge * (packed - Fr::from(7) - Fr::from(6) * challenge);
    let root = (linear.square() - Fr::from(4) * square * constant).sqrt().into_option();
    let root = root.expect("these members have one");
    let b = (root - linear) * square.double().invert().expect("not 0");
    let [a, b] = [packed - stride * b, b].map(|number| (number - Fr::ONE, 1));
    let mut test = circuit(6, &lie, &[a, b]);
    assert!(test.fails_range_checks_alone(vec![]), "{:?}", test.failing(vec![]));
    assert!(circuit(6, &words(6, &[1, 2]), &[member(1), member(2)]).is_satisfied());
}

/// Of each slot it is the number that is in its range: another one that is, with all that follows in the columns of range checks, is
/// refused by the copy of the number.
#[test]
fn ranges_are_those_of_the_numbers() {
    let members: Vec<_> = (0..3).map(member).collect();
    let own = words(6, &[0, 1, 2]);
    let (mut test, _) = claims(&[Claim { capacity: 6, words: &own, members: &members }]);
    test.assert_satisfied();
    let forger = test.forger();
    // In front of the vertical column.
    let column = test.advice().len() - 2;
    let copied = (0..test.advice()[column].len()).map(|row| (column, row));
    let copied: Vec<_> = copied.filter(|place| forger.bound_to(*place).len() > 1).collect();
    assert_eq!(copied.len(), members.len());
    for place in copied {
        let start = (place, forger.value(place) + Fr::ONE);
        test.assert_only_copies_refuse(&forger, &format!("{place:?}"), &[start]);
    }
}

/// The challenge of one word and of numbers in one element.
fn squeezed(words: &[Fr], packed: Fr) -> Fr {
    let mut state = vec![domain(ABSORB_DOMAIN)];
    state.extend(words.iter().copied().chain([packed]));
    state.resize(WIDTH, Fr::ZERO);
    permute(PoseidonSpec::get(WIDTH), &mut state);
    state[1]
}

/// Whatever is absorbed: the label, the words, the numbers, and what fills up the state. Both products follow the
/// challenge, so that copies alone bind it.
#[test]
fn what_the_challenge_depends_on_is_bound() {
    let (own, two) = (words(6, &[1, 3]), [member(1), member(3)]);
    // As many elements of 31 numbers each as make six with the word, and eleven: five are absorbed at a time.
    let [many, most] = [130, 310].map(|count| {
        let mut members = two.to_vec();
        members.resize(count, (Fr::ONE, 0));
        members
    });
    let [few, many, most] =
        [&two[..], &many, &most].map(|members| Claim { capacity: 6, words: &own, members });
    for (masks, permutations) in
        [(&[few][..], 1), (&[many], 2), (&[most], 3), (&[few, few], 2), (&[many, many], 4)]
    {
        let (mut test, _) = claims(masks);
        test.assert_satisfied();
        let forger = test.forger();
        let rows = rows_each(WIDTH, 3).expect("it can be laid out");
        for (permutation, lane) in (0..permutations).flat_map(|p| (0..WIDTH).map(move |l| (p, l))) {
            let place: Place = (POSEIDON + lane % 3, permutation * rows + lane / 3);
            let value = forger.value(place) + Fr::ONE;
            let what = format!("permutation {permutation}, lane {lane}");
            test.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
        }
    }
}

/// An element that is absorbed is packed from the numbers: the challenge of another one would do as well.
#[test]
fn numbers_are_packed() {
    let (numbers, members): (Vec<_>, Vec<_>) = (0..14).map(|i| (i, member(i))).unzip();
    for count in [2, 14] {
        let (own, members) = (words(14, &numbers[..count]), &members[..count]);
        let claim = Claim { capacity: 14, words: &own, members };
        for before in [&[][..], &[claim]] {
            let (mut test, _) = claims(&[before, &[claim]].concat());
            let forger = test.forger();
            let rows = rows_each(WIDTH, 3).expect("it can be laid out");
            // Behind the label and the word.
            let place: Place = (POSEIDON + 2, before.len() * rows);
            let value = forger.value(place) + Fr::ONE;
            let mut forged = forger.rewrite(&[(place, value)]);
            let bound = forger.bound_to(place).into_iter().filter(|bound| *bound != place);
            forged.extend(bound.map(|(column, row)| Forged { column, row, value }));
            let failures = test.failures_with(forged);
            assert!(matches!(failures[..], [Failure::Gate(..)]), "{count}: {failures:?}");
        }
    }
}

/// Two masks, of members who all have a weight: the inverse of a weight that is 0 is free.
#[test]
fn a_mask_is_determined() {
    let members: Vec<_> = (0..14).map(member).collect();
    let own = words(14, &(0..14).collect::<Vec<_>>());
    let claim = Claim { capacity: 14, words: &own, members: &members };
    let (test, rows) = claims(&[claim, claim]);
    test.assert_satisfied();
    let given = || [&rows.words[..], &rows.offsets, &rows.weights].concat();
    assert_eq!(test.open_values_given(given()), (vec![], 0));
    assert_eq!(test.open_classes_given(given()).0, vec![]);
    let Walk { sums, copies } = test.walk_from_everywhere(rows.weights);
    assert!(sums > 80 && copies > 150, "{sums} {copies}");
}

/// False statements of each kind, behind a true one.
#[test]
fn lies_are_refused_by_single_constraints() {
    let (own, members) = (words(14, &[0, 2, 5]), three_of_six());
    let truth = Claim { capacity: 14, words: &own, members: &members };
    for word in [0b10_0100, 0b10_1101, 0b11_0101, 0b10_0111, 0b10_0101 | 1 << 13].map(Fr::from) {
        for before in [&[][..], &[truth]] {
            let (test, rows) = claims(&[before, &[Claim { words: &[word], ..truth }]].concat());
            let given = [&rows.words[..], &rows.offsets, &rows.weights].concat();
            let Walk { sums, copies } = test.walk(given);
            assert!(sums > 10 && copies > 10, "{word:?}: {sums} {copies}");
        }
    }
}
