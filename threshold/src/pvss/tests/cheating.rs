//! Dealers that know all their secrets and make every proof as well as they can.

use ff::Field as _;
use group::{Curve, Group};
use muster_testing::sampled;

use super::{
    slow::failures,
    support::{rng, Stage},
    tamper,
};
use crate::{
    pairing_curve::{multiply_g1, multiply_g2, Fr, G1Affine, G2Projective, Secret},
    pvss::{
        bases, deal,
        deal::prove,
        equations::{hold, Factors},
        error::Equation,
        verify,
        verify::prepare,
        witness::{Statement, Witness},
        Dealt, Error, Field, Variant,
    },
};

const DEALER: usize = 2;

fn honest(stage: &Stage) -> Witness {
    Witness::draw(&stage.session, &Fr::from(99), &mut rng(11))
}

fn finish(stage: &Stage, statement: &Statement, witness: &Witness) -> Dealt {
    let keys = &stage.keys[DEALER - 1];
    let dealt = prove(&stage.session, DEALER, keys, statement, witness, &mut rng(12)).unwrap();
    Dealt::from_bytes(&stage.session, DEALER, dealt.as_bytes()).unwrap()
}

/// The reason for which both verifiers refuse a dealing.
pub(super) fn reason(stage: &Stage, dealt: &Dealt) -> Equation {
    let error = verify(&stage.session, dealt).unwrap_err();
    let Error::Refused { dealer, equation, .. } = error else { panic!("{error}") };
    assert_eq!(dealer, DEALER);
    assert!(failures(&stage.session, dealt).contains(&equation), "{equation:?}");
    equation
}

fn check(stage: &Stage, statement: &Statement, witness: &Witness, expected: Equation) {
    assert_eq!(reason(stage, &finish(stage, statement, witness)), expected);
}

/// In the compact variant, or in the two others.
pub(super) fn by_variant(stage: &Stage, compact: Equation, published: Equation) -> Equation {
    match stage.session.shape().variant() {
        Variant::Compact => compact,
        _ => published,
    }
}

/// Every variant, with chunks of one length or the other.
fn stages() -> impl Iterator<Item = Stage> {
    let of = |variant| sampled([8, 32], 2).into_iter().map(move |bits| Stage::of(variant, bits));
    Variant::ALL.into_iter().flat_map(of)
}

#[test]
fn honest_dealings_pass_both_verifiers() {
    for stage in stages() {
        let witness = honest(&stage);
        let dealt = finish(&stage, &Statement::new(&stage.session, &witness), &witness);
        assert!(failures(&stage.session, &dealt).is_empty());
        assert!(verify(&stage.session, &dealt).is_ok());
    }
}

#[test]
fn one_element_changed_and_everything_after_it_made_anew() {
    use Equation as E;
    let last = usize::MAX;
    for stage in stages() {
        let link = by_variant(&stage, E::Binding, E::Ciphertext);
        let mut cases = vec![
            (Field::Secret, 0, E::LowDegree),
            (Field::Shares, 0, E::LowDegree),
            (Field::Shares, last, E::LowDegree),
            (Field::Ciphertexts, 0, link),
            (Field::Ciphertexts, last, link),
            (Field::Randomness, 0, E::Randomness),
            (Field::Randomness, last, E::Randomness),
            (Field::Commitment, 0, E::Masks),
            (Field::Shifted, 0, E::Masks),
            (Field::MasksNonce, 0, E::Masks),
            (Field::MasksResponses, 0, E::Masks),
            (Field::MasksResponses, 1, E::Masks),
            (Field::Quotient, 0, E::Opening),
            (Field::Opening, 0, E::Opening),
            (Field::Opening, 1, E::Opening),
            (Field::RandomnessNonces, 0, E::Correlation),
            (Field::RandomnessNonces, last, E::Correlation),
            (Field::RandomnessResponses, 0, E::Correlation),
            (Field::RandomnessResponses, last, E::Correlation),
        ];
        // Every bit where there are few of them, the first and the last where there are many.
        let bits = stage.session.shape().chunk_bits() as usize;
        let step = if bits > 8 { bits - 1 } else { 1 };
        cases.extend((0..bits).step_by(step).map(|bit| (Field::Bits, bit, E::Opening)));
        let values = (0..bits + 2).step_by(step);
        cases.extend(values.map(|place| (Field::Evaluations, place, E::Range)));
        match stage.session.shape().variant() {
            Variant::Compact => cases.push((Field::BindingNonce, 0, E::Binding)),
            _ => cases.extend([
                (Field::CiphertextNonces, 0, E::Ciphertext),
                (Field::CiphertextNonces, last, E::Ciphertext),
                (Field::ChunkResponses, 0, E::Ciphertext),
                (Field::ChunkResponses, last, E::Ciphertext),
                (Field::CommitmentNonce, 0, E::Commitment),
                (Field::BlinderResponse, 0, E::Commitment),
            ]),
        }
        if stage.session.shape().variant() == Variant::Chunky2 {
            cases.extend([(Field::ShareNonces, 0, E::ShareChunks)]);
            cases.extend([(Field::ShareNonces, last, E::ShareChunks)]);
        }
        let witness = honest(&stage);
        let statement = Statement::new(&stage.session, &witness);
        for (field, place, expected) in sampled(cases, 6) {
            let count = stage.session.layout.part(field).elements.len();
            let place = if place == last { count - 1 } else { place };
            let dealt = tamper::with(field, place, || finish(&stage, &statement, &witness));
            assert_eq!(reason(&stage, &dealt), expected, "{field} {place}");
        }
    }
}

#[test]
fn a_share_off_the_polynomial() {
    for stage in stages() {
        let mut shares = Secret::new(honest(&stage).shares.to_vec());
        shares[1] += Fr::ONE;
        let witness = Witness::new(&stage.session, &Fr::from(99), shares, &mut rng(13));
        let statement = Statement::new(&stage.session, &witness);
        check(&stage, &statement, &witness, Equation::LowDegree);
    }
}

#[test]
fn commitments_to_another_polynomial() {
    for stage in stages() {
        let witness = honest(&stage);
        let mut statement = Statement::new(&stage.session, &witness);
        // All are moved by the same constant: still on a polynomial of the same degree.
        let generator = G2Projective::generator();
        statement.secret = (generator + statement.secret).to_affine();
        statement.shares.iter_mut().for_each(|share| *share = (generator + *share).to_affine());
        let second = stage.session.shape().variant() == Variant::Chunky2;
        let expected = if second { Equation::ShareChunks } else { Equation::Share };
        check(&stage, &statement, &witness, expected);
    }
}

/// The third share with a radix moved from its second chunk to its first, and the place of that.
fn with_carry(stage: &Stage) -> (Witness, usize) {
    let chunks = stage.session.shape().chunks();
    let mut witness = honest(stage);
    let place = 2 * chunks;
    // The chunks stay those of the share: B less in one, one more in the other.
    assert!(witness.chunks[place + 1] > 0);
    (witness.chunks[place + 1], witness.chunks[place]) =
        (witness.chunks[place + 1] - 1, witness.chunks[place]);
    witness.values[place + 1] -= Fr::ONE;
    witness.values[place] += Fr::from(1u64 << stage.session.shape().chunk_bits());
    (witness, place)
}

pub(super) fn encrypted(stage: &Stage, statement: &mut Statement, witness: &Witness, place: usize) {
    let at = stage.session.places[place];
    let random = witness.randomness[stage.session.shape().randomness(&at)];
    let key = stage.session.encryption_keys()[at.player];
    let point =
        multiply_g1(&bases::g().into(), &witness.values[place]) + multiply_g1(&key.into(), &random);
    statement.ciphertexts[place] = point.to_affine();
}

#[test]
fn a_radix_moved_to_the_chunk_before() {
    for stage in stages() {
        let witness = honest(&stage);
        let statement = Statement::new(&stage.session, &witness);
        let (carried, place) = with_carry(&stage);
        let mut moved = statement.clone();
        encrypted(&stage, &mut moved, &carried, place);
        encrypted(&stage, &mut moved, &carried, place + 1);
        // The range proof is about the chunks as they were, the Σ-protocol about those or these.
        let link = by_variant(&stage, Equation::Binding, Equation::Ciphertext);
        check(&stage, &moved, &witness, link);
        let mut answering = honest(&stage);
        answering.values = carried.values.clone();
        let link = by_variant(&stage, Equation::Binding, Equation::Commitment);
        check(&stage, &moved, &answering, link);
    }
}

#[test]
fn a_chunk_of_the_radix_or_minus_one() {
    for variant in Variant::ALL {
        let stage = Stage::of(variant, 16);
        let (mut carried, place) = with_carry(&stage);
        let statement = {
            let mut statement = Statement::new(&stage.session, &honest(&stage));
            encrypted(&stage, &mut statement, &carried, place);
            encrypted(&stage, &mut statement, &carried, place + 1);
            statement
        };
        // The range proof too is about the chunk that is too large; its bits are all that it has.
        carried.chunks[place] += 1 << 16;
        check(&stage, &statement, &carried, Equation::Range);
        // −1: the chunk whose bits are all set has the same bits.
        let mut witness = honest(&stage);
        let chunks = stage.session.shape().chunks();
        witness.values[0] = -Fr::ONE;
        witness.chunks[0] = (1 << 16) - 1;
        let share: Fr = (witness.values[..chunks].iter())
            .zip(stage.session.shape().radix_powers())
            .map(|(value, power)| *value * power)
            .sum();
        let mut statement = Statement::new(&stage.session, &honest(&stage));
        encrypted(&stage, &mut statement, &witness, 0);
        statement.shares[0] = multiply_g2(&G2Projective::generator(), &share).to_affine();
        let dealt = finish(&stage, &statement, &witness);
        let failed = failures(&stage.session, &dealt);
        let link = by_variant(&stage, Equation::Binding, Equation::Commitment);
        assert!(failed.contains(&link), "{failed:?}");
        assert!(verify(&stage.session, &dealt).is_err());
    }
}

#[test]
fn randomness_that_does_not_add_up() {
    for stage in stages() {
        let mut witness = honest(&stage);
        witness.randomness[0] += Fr::ONE;
        let statement = Statement::new(&stage.session, &witness);
        check(&stage, &statement, &witness, Equation::Randomness);
    }
}

/// With a player's help, ρ = Σ Bᵏ⁻¹ rⱼₖ is made up for in the share's commitment.
#[test]
fn uncorrelated_randomness_with_a_colluding_player() {
    let stage = Stage::of(Variant::Compact, 32);
    let mut witness = honest(&stage);
    witness.randomness[0] += Fr::ONE;
    let statement = Statement::new(&stage.session, &witness);
    let dealt = finish(&stage, &statement, &witness);
    let failed = failures(&stage.session, &dealt);
    // Only the pairing check and the sum of R see it: the first one the player could meet.
    assert_eq!(failed.into_iter().collect::<Vec<_>>(), [Equation::Randomness, Equation::Share]);
    assert_eq!(reason(&stage, &dealt), Equation::Randomness);
}

fn encrypted_with(stage: &Stage, key: G1Affine, slot: usize) -> (Statement, Witness) {
    let witness = honest(stage);
    let mut statement = Statement::new(&stage.session, &witness);
    for place in 0..stage.session.shape().chunks() {
        let random = witness.randomness[slot * stage.session.shape().chunks() + place];
        let point = multiply_g1(&bases::g().into(), &witness.values[place])
            + multiply_g1(&key.into(), &random);
        statement.ciphertexts[place] = point.to_affine();
    }
    (statement, witness)
}

#[test]
fn ciphertexts_under_another_key_or_for_another_slot() {
    for stage in stages() {
        let keys = stage.session.encryption_keys();
        let link = by_variant(&stage, Equation::Binding, Equation::Ciphertext);
        let (statement, witness) = encrypted_with(&stage, keys[1], 0);
        check(&stage, &statement, &witness, link);
        let (statement, witness) = encrypted_with(&stage, keys[0], 1);
        check(&stage, &statement, &witness, link);
        let (statement, witness) = encrypted_with(&stage, keys[0], 0);
        assert!(verify(&stage.session, &finish(&stage, &statement, &witness)).is_ok());
    }
}

#[test]
fn a_range_commitment_to_other_chunks() {
    for stage in stages() {
        let mut witness = honest(&stage);
        let statement = Statement::new(&stage.session, &witness);
        witness.chunks[5] ^= 1;
        let link = by_variant(&stage, Equation::Binding, Equation::Commitment);
        check(&stage, &statement, &witness, link);
    }
}

/// For each merged equation a dealing that all the others accept: without it, it would be taken.
#[test]
fn every_equation_is_the_only_one_that_refuses_something() {
    use Equation as E;
    for stage in stages() {
        let variant = stage.session.shape().variant();
        let witness = honest(&stage);
        let statement = Statement::new(&stage.session, &witness);
        let tampered = |field| tamper::with(field, 0, || finish(&stage, &statement, &witness));
        let mut cases = vec![
            (E::LowDegree, tampered(Field::Secret)),
            (E::Masks, tampered(Field::MasksNonce)),
            (E::Opening, tampered(Field::Opening)),
            (E::Correlation, tampered(Field::RandomnessNonces)),
        ];
        match variant {
            Variant::Compact => cases.push((E::Binding, tampered(Field::BindingNonce))),
            _ => cases.extend([
                (E::Ciphertext, tampered(Field::CiphertextNonces)),
                (E::Commitment, tampered(Field::CommitmentNonce)),
            ]),
        }
        if variant == Variant::Chunky2 {
            cases.push((E::ShareChunks, tampered(Field::ShareNonces)));
            // Elsewhere the pairing check sees the sum of the randomness too.
            let mut uncorrelated = honest(&stage);
            uncorrelated.randomness[0] += Fr::ONE;
            let statement = Statement::new(&stage.session, &uncorrelated);
            cases.push((E::Randomness, finish(&stage, &statement, &uncorrelated)));
        } else {
            let mut moved = statement.clone();
            let generator = G2Projective::generator();
            moved.secret = (generator + moved.secret).to_affine();
            moved.shares.iter_mut().for_each(|share| *share = (generator + *share).to_affine());
            cases.push((E::Share, finish(&stage, &moved, &witness)));
        }
        for (equation, dealt) in cases {
            let prepared = prepare(&stage.session, &dealt).unwrap();
            let holds = |factors: &Factors| hold(&stage.session, &[(&prepared, factors.clone())]);
            assert!(!holds(&prepared.factors), "{variant} {equation:?}");
            assert!(holds(&prepared.factors.without(equation)), "{variant} {equation:?}");
        }
    }
}

#[test]
fn a_refusal_names_the_place() {
    let stage = Stage::of(Variant::Chunky, 32);
    let witness = honest(&stage);
    let statement = Statement::new(&stage.session, &witness);
    // The second chunk of the last player's second share: 3 shares and 8 chunks before it.
    let place = 4 * 8 + 1;
    let dealt =
        tamper::with(Field::CiphertextNonces, place, || finish(&stage, &statement, &witness));
    let error = verify(&stage.session, &dealt).unwrap_err();
    let text = "dealer 2: player 4: share 2: chunk 2: the proof of the ciphertext's chunk is bad";
    assert_eq!(error.to_string(), text);
}

#[test]
fn only_the_player_deals_and_never_zero() {
    let stage = Stage::of(Variant::Compact, 32);
    let other = deal(&stage.session, 1, &stage.keys[1], &Fr::ONE, &mut rng(1));
    assert!(matches!(other, Err(Error::OtherKey { player: 1, .. })));
    let zero = deal(&stage.session, 2, &stage.keys[1], &Fr::ZERO, &mut rng(1));
    assert_eq!(zero, Err(Error::BadSecret));
    let unknown = deal(&stage.session, 5, &stage.keys[1], &Fr::ONE, &mut rng(1));
    assert!(matches!(unknown, Err(Error::UnknownPlayer { player: 5, players: 4 })));
}
