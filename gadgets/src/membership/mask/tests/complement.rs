//! The mask of all but those in the slots, and prover's lies about it.

use ff::Field;
use halo2_base::Context;
use halo2curves::bn256::Fr;
use muster_testing::sampled;

use super::super::{assert_mask, complement_of_hint};
use muster_forgery::{
    forger::{Failure, Place},
    testing::{layout, TestCircuit, Walk},
};
use muster_gates::AssignedMember;
use muster_schemes::membership::mask::{SignerMask, MASK_WORD_BITS};

/// What is said of a set with so much room, and of so many members: who signed, by words, and who is in the slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<'a> {
    pub(super) capacity: usize,
    pub(super) members: u64,
    pub(super) words: &'a [Fr],
    pub(super) absent: &'a [u64],
    /// Slots of weight 0 behind those of the absent.
    pub(super) unused: usize,
}

/// The rows of what claims are about.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) words: Vec<usize>,
    pub(super) members: Vec<usize>,
    slots: Vec<usize>,
}

impl Rows {
    pub(super) fn all(&self) -> Vec<usize> {
        [&self.words[..], &self.members, &self.slots].concat()
    }
}

/// One claim after the other.
fn claims(claims: &[Claim<'_>]) -> (TestCircuit, Rows) {
    let full = |claim: &Claim| {
        (claim.members as usize / MASK_WORD_BITS).min(claim.capacity / MASK_WORD_BITS)
    };
    filled(&claims.iter().map(|claim| (*claim, full(claim))).collect::<Vec<_>>())
}

/// The same, with how many words are said to be full.
fn filled(claims: &[(Claim<'_>, usize)]) -> (TestCircuit, Rows) {
    let mut rows = Rows::default();
    let size: usize = claims.iter().map(|(claim, _)| claim.capacity + 4 * claim.absent.len()).sum();
    let k = if size < 50 { 11 } else { 15 };
    let layout = muster_gates::Layout { constant_rows: 400, ..layout(k, &[6]) };
    let test = TestCircuit::new(layout, |ctx| {
        let load = |ctx: &mut Context<Fr>, rows: &mut Vec<usize>, value: Fr| {
            rows.push(ctx.advice.len());
            ctx.load_witness(value)
        };
        for (Claim { capacity, members, words, absent, unused }, full) in claims {
            let words: Vec<_> =
                words.iter().map(|word| load(ctx, &mut rows.words, *word)).collect();
            let members = load(ctx, &mut rows.members, Fr::from(*members));
            let slots = absent.iter().map(|index| (*index, 1));
            let slots = slots.chain(vec![(*capacity as u64, 0); *unused]);
            let slot = |(index, weight): (u64, u64)| {
                let offset = load(ctx, &mut rows.slots, Fr::from(index));
                let weight = load(ctx, &mut rows.slots, Fr::from(weight));
                AssignedMember::assume_found(0, offset, weight)
            };
            let slots: Vec<_> = slots.map(slot).collect();
            let others = complement_of_hint(ctx, (&words, *capacity), members, *full);
            assert_mask(ctx, (&others, *capacity), &slots);
        }
    });
    (test, rows)
}

fn holds(claim: Claim<'_>) -> bool {
    claims(&[claim]).0.is_satisfied()
}

fn words(capacity: usize, signers: impl IntoIterator<Item = u64>) -> Vec<Fr> {
    let signers = signers.into_iter().map(|signer| signer as usize);
    SignerMask::new(capacity, signers).expect("members").words()
}

/// All of the first members but some.
pub(super) fn all_but(capacity: usize, members: u64, absent: &[u64]) -> Vec<Fr> {
    words(capacity, (0..members).filter(|member| !absent.contains(member)))
}

/// Five members in a set with room for six, of whom 1 and 3 are absent.
const SIX: Claim<'_> = Claim { capacity: 6, members: 5, words: &[], absent: &[1, 3], unused: 1 };

#[test]
fn all_others_are_named() {
    for (capacity, members, absent) in [
        (1, 1, &[][..]),
        (1, 1, &[0]),
        (6, 5, &[1, 3]),
        (6, 6, &[]),
        (MASK_WORD_BITS - 1, 247, &[246]),
        (MASK_WORD_BITS, 248, &[0, 247]),
        (MASK_WORD_BITS + 1, 247, &[0, 200]),
        (MASK_WORD_BITS + 1, 248, &[0, 247]),
        (MASK_WORD_BITS + 1, 249, &[247, 248]),
        (2 * MASK_WORD_BITS, 496, &[3, 495]),
        (500, 100, &[99]),
        (500, 496, &[]),
        (500, 500, &[3, 250, 496, 499]),
    ] {
        let own = all_but(capacity, members, absent);
        let claim = Claim { capacity, members, words: &own, absent, unused: 1 };
        claims(&[claim]).0.assert_satisfied();
        for members in [members - 1, members + 1] {
            assert!(!holds(Claim { members, ..claim }), "{capacity}, {members}");
        }
    }
}

/// A member who is absent, a place of the tree without a member, and whoever signed and is not said to have: of all words and all
/// numbers of members, those are accepted that say who they are. More members than there is room for have none.
#[test]
fn all_other_words_are_refused() {
    for members in 0..9 {
        let ones = (1u64 << members) - 1;
        let own = (4..=6).contains(&members).then(|| ones - 0b1010);
        for word in sampled(0..256, 8).into_iter().chain(own) {
            let claim = Claim { members, words: &[Fr::from(word)], ..SIX };
            assert_eq!(holds(claim), own == Some(word), "{members}, {word:b}");
        }
    }
    for members in [64, 247, 248, 249, 255, 256, 1 << 20, u64::MAX] {
        let all = (0..64.min(members)).map(|bit| Fr::from(2).pow([bit])).sum::<Fr>();
        let claim = Claim { members, words: &[all - Fr::from(0b1010)], ..SIX };
        assert!(!holds(claim), "{members}");
    }
}

/// Places behind the members have nobody who could be absent. A root that says otherwise is of no set, and leaves words that
/// are no mask: the others are fewer than none.
#[test]
fn absent_places_without_a_member_leave_no_mask() {
    for (capacity, members, absent, place) in
        [(6, 5, 5, 0), (500, 100, 101, 0), (500, 100, 250, 1), (500, 248, 248, 1)]
    {
        let mut own = all_but(capacity, members, &[]);
        own[place] -= Fr::from(2).pow([absent % MASK_WORD_BITS as u64]);
        let claim = Claim { capacity, members, words: &own, absent: &[absent], unused: 0 };
        assert!(holds(claim), "{claim:?}");
        assert!(SignerMask::from_words(capacity, &own).is_err(), "{claim:?}");
    }
}

/// Another number of full words: the others are members of the last one, as many as a word has bits for or more, or fewer than
/// none.
#[test]
fn words_are_full_before_others_have_members() {
    let two = Fr::from(2);
    let ones = |bits: u64| two.pow([bits]) - Fr::ONE;
    for (members, full) in [(248, 0), (250, 0), (496, 1), (499, 1)] {
        let rest = members - (full * MASK_WORD_BITS) as u64;
        let mut own = vec![ones(248), Fr::ZERO, Fr::ZERO];
        own[full] = ones(rest);
        let claim = Claim { capacity: 500, members, words: &own, absent: &[], unused: 1 };
        let (mut test, _) = filled(&[(claim, full)]);
        assert!(test.fails_range_checks_alone(vec![]), "{members}: {:?}", test.failing(vec![]));
    }
    for (members, full) in [(100, 1), (100, 2), (250, 2)] {
        // The lowest bits of what is less than 0 are those of the element.
        let rest = Fr::from(members) - Fr::from((full * MASK_WORD_BITS) as u64);
        let low = u64::from(ff::PrimeField::to_repr(&rest)[0]);
        let mut own = vec![ones(248), if full == 2 { ones(248) } else { ones(low) }, Fr::ZERO];
        own[full] = ones(low);
        let claim = Claim { capacity: 500, members, words: &own, absent: &[], unused: 1 };
        let failing = filled(&[(claim, full)]).0.failing(vec![]);
        assert!(failing.contains(&"copy".to_owned()), "{members}: {failing:?}");
    }
}

/// Members that the set has no room for, with the words that say that they signed.
#[test]
fn a_set_has_no_more_members_than_room() {
    for (capacity, members) in [(6, 7), (6, 200), (248, 249), (250, 251), (500, 501)] {
        let own = all_but(capacity + 300, members, &[]);
        let own = &own[..SignerMask::words_of(capacity)];
        let claim = Claim { capacity, members, words: own, absent: &[], unused: 1 };
        let (mut test, _) = claims(&[claim]);
        assert!(test.fails_range_checks_alone(vec![]), "{capacity}: {:?}", test.failing(vec![]));
    }
}

/// The bits of the number of members in the last word: one of them is made to be all of it, and the words follow.
#[test]
fn bits_are_no_fractions() {
    let own = all_but(6, 5, SIX.absent);
    let claim = Claim { words: &own, ..SIX };
    for before in [&[][..], &[claim]] {
        let (mut test, rows) = claims(&[before, &[claim]].concat());
        test.assert_satisfied();
        let forger = test.forger();
        let column = test.advice().len() - 1;
        let bits = rows_of_bits(&test.advice()[column], 5);
        for (i, row) in bits.iter().enumerate() {
            let bit = Fr::from(5) * Fr::from(1 << i).invert().expect("not 0");
            let ones = bit * (Fr::from(2).pow([1 << i]) - Fr::ONE);
            let word = (*rows.words.last().expect("a word"), ones - Fr::from(0b1010));
            let others = bits.iter().filter(|other| *other != row).map(|row| (*row, Fr::ZERO));
            let lie = [word, (*row, bit)].into_iter().chain(others);
            let starts = lie.flat_map(|(row, value)| {
                let bound = forger.bound_to((column, row)).into_iter();
                bound.map(move |place| (place, value))
            });
            let forged = forger.rewrite(&starts.collect::<Vec<_>>());
            let failures = test.failures_with(forged);
            assert!(matches!(failures[..], [Failure::Gate(..)]), "{i}: {failures:?}");
        }
    }
}

/// The powers of two that the bits count as.
#[test]
fn bits_count_as_powers_of_two() {
    let own = all_but(6, 5, SIX.absent);
    let claim = Claim { words: &own, ..SIX };
    for before in [&[][..], &[claim]] {
        let (mut test, rows) = claims(&[before, &[claim]].concat());
        let forger = test.forger();
        let column = test.advice().len() - 1;
        let given = rows.all().into_iter().map(|row| (column, row)).collect::<Vec<_>>();
        let bits = rows_of_bits(&test.advice()[column], 5);
        for row in &bits[1..] {
            let place: Place = (column, row + 1);
            assert!(!given.contains(&place));
            let forged = forger.rewrite(&[(place, forger.value(place) + Fr::ONE)]);
            assert!(test.failing(forged).contains(&"copy".to_owned()), "row {row}");
        }
    }
}

/// Where the last eight bits of a number stand: `b₀, b₁, 2, sum, b₂, 4, sum, …`.
fn rows_of_bits(cells: &[Fr], number: u64) -> Vec<usize> {
    let mut sums = vec![number & 1];
    for i in 1..8 {
        sums.extend([number >> i & 1, 1 << i, number & ((2 << i) - 1)]);
    }
    let sums: Vec<_> = sums.into_iter().map(Fr::from).collect();
    let first = cells.windows(sums.len()).rposition(|cells| cells == sums);
    let first = first.expect("the number is cut into bits");
    (0..8).map(|i| if i == 0 { first } else { first + 3 * i - 2 }).collect()
}

/// Two masks, without a slot of weight 0, whose inverse is free.
#[test]
fn a_mask_is_determined() {
    let own = all_but(6, 5, SIX.absent);
    let claim = Claim { words: &own, unused: 0, ..SIX };
    let (test, rows) = claims(&[claim, claim]);
    test.assert_satisfied();
    assert_eq!(test.open_values_given(rows.all()), (vec![], 0));
    assert_eq!(test.open_classes_given(rows.all()).0, vec![]);
    let Walk { sums, copies } = test.walk_from_everywhere(rows.all());
    assert!(sums > 10 && copies > 15, "{sums} {copies}");
}

/// False statements of each kind, behind a true one: absent members are said to have signed, a signer is not, and members are said to
/// be more, and fewer.
#[test]
fn lies_are_refused_by_single_constraints() {
    let own = all_but(6, 5, SIX.absent);
    let truth = Claim { words: &own, ..SIX };
    for (members, word) in [(5, 0b1_1111), (5, 0b1_0100), (6, 0b1_0101), (4, 0b0_0001)] {
        let lie = Claim { members, words: &[Fr::from(word)], ..SIX };
        for before in [&[][..], &[truth]] {
            let (test, rows) = claims(&[before, &[lie]].concat());
            let Walk { sums, copies } = test.walk(rows.all());
            assert!(sums > 10 && copies > 10, "{members}, {word:b}: {sums} {copies}");
        }
    }
}
