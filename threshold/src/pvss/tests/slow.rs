//! Verification as the equations are written: one by one, without factors, sums or lanes.

use std::collections::BTreeSet;

use blstrs::pairing;
use ff::Field as _;
use group::{prime::PrimeCurveAffine, Curve, Group};

use super::support::srs;
use crate::{
    pairing_curve::{multiply_g1, multiply_g2, Fr, G1Affine, G1Projective, G2Affine, G2Projective},
    pvss::{bases, challenge::Challenger, Dealt, Equation, Field, Session, Variant},
};

fn times(point: &G1Affine, scalar: &Fr) -> G1Projective {
    multiply_g1(&point.into(), scalar)
}

fn times_g2(point: &G2Affine, scalar: &Fr) -> G2Projective {
    multiply_g2(&point.into(), scalar)
}

fn same(left: (G1Projective, G2Affine), right: &[(G1Projective, G2Projective)]) -> bool {
    let right = right.iter().map(|(p, q)| pairing(&p.to_affine(), &q.to_affine()));
    pairing(&left.0.to_affine(), &left.1) == right.sum::<blstrs::Gt>()
}

/// The challenges, in the order of the document.
struct Drawn {
    masks: Fr,
    beta: Fr,
    betas: Vec<Fr>,
    zeta: Fr,
    mus: Vec<Fr>,
    link: Fr,
}

fn challenges(session: &Session, dealt: &Dealt) -> Drawn {
    let bits = session.shape().chunk_bits() as usize;
    let compact = session.shape().variant() == Variant::Compact;
    let mut own = Challenger::new(session.digest());
    own.absorb("dealer", &(dealt.dealer() as u64).to_le_bytes());
    let absorb = |own: &mut Challenger, field: Field| {
        own.absorb(field.label(), dealt.parts().bytes_of(field))
    };
    for field in [
        Field::Secret,
        Field::Shares,
        Field::Ciphertexts,
        Field::Randomness,
        Field::Commitment,
        Field::Shifted,
    ] {
        absorb(&mut own, field);
    }
    let mut masks = Fr::ZERO;
    if !compact {
        absorb(&mut own, Field::MasksNonce);
        masks = own.scalar("masks");
        absorb(&mut own, Field::MasksResponses);
    }
    absorb(&mut own, Field::Bits);
    let beta = own.scalar("beta");
    let betas = own.scalars("betas", bits);
    absorb(&mut own, Field::Quotient);
    let zeta = own.scalar("zeta");
    absorb(&mut own, Field::Evaluations);
    if compact {
        absorb(&mut own, Field::MasksNonce);
        absorb(&mut own, Field::RandomnessNonces);
        absorb(&mut own, Field::BindingNonce);
        masks = own.scalar("link");
    }
    let mus = own.scalars("mu", bits + 2);
    let mut link = masks;
    if !compact {
        absorb(&mut own, Field::Opening);
        absorb(&mut own, Field::CiphertextNonces);
        absorb(&mut own, Field::RandomnessNonces);
        absorb(&mut own, Field::CommitmentNonce);
        absorb(&mut own, Field::ShareNonces);
        link = own.scalar("link");
    }
    Drawn { masks, beta, betas, zeta, mus, link }
}

/// All kinds of equations that do not hold.
pub(super) fn failures(session: &Session, dealt: &Dealt) -> BTreeSet<Equation> {
    let drawn = challenges(session, dealt);
    let mut failed = BTreeSet::new();
    let mut expect = |equation: Equation, holds: bool| {
        if !holds {
            failed.insert(equation);
        }
    };
    expect(Equation::LowDegree, low_degree(session, dealt));
    expect(Equation::Range, range(session, dealt, &drawn));
    expect(Equation::Opening, opening(dealt, &drawn));
    expect(Equation::Masks, masks(session, dealt, &drawn));
    randomness(session, dealt, &drawn, &mut expect);
    match session.shape().variant() {
        Variant::Compact => expect(Equation::Binding, binding(session, dealt, &drawn)),
        _ => chunks(session, dealt, &drawn, &mut expect),
    }
    if session.shape().variant() == Variant::Chunky2 {
        expect(Equation::ShareChunks, share_chunks(session, dealt, &drawn));
    } else {
        expect(Equation::Share, shares(session, dealt));
    }
    failed
}

/// The first t + 1 of 0, x₁, … determine all others.
fn low_degree(session: &Session, dealt: &Dealt) -> bool {
    let shape = session.shape();
    let mut points = vec![Fr::ZERO];
    points.extend(&session.points.roots()[..shape.shares()]);
    let parts = dealt.parts();
    let values = [parts.g2(Field::Secret), parts.g2(Field::Shares)].concat();
    let basis = shape.threshold();
    (basis..points.len()).all(|at| {
        let mut sum = G2Projective::identity();
        for i in 0..basis {
            let mut factor = Fr::ONE;
            for j in (0..basis).filter(|j| *j != i) {
                factor *= (points[at] - points[j]) * (points[i] - points[j]).invert().unwrap();
            }
            sum += times_g2(&values[i], &factor);
        }
        sum.to_affine() == values[at]
    })
}

fn lagrange(session: &Session, zeta: &Fr) -> Vec<Fr> {
    let roots = session.parameters().transform.roots();
    let size = Fr::from(roots.len() as u64);
    let top = ff::Field::pow_vartime(zeta, [roots.len() as u64]) - Fr::ONE;
    roots.iter().map(|root| *root * top * (size * (*zeta - root)).invert().unwrap()).collect()
}

fn range(session: &Session, dealt: &Dealt, drawn: &Drawn) -> bool {
    let roots = session.parameters().transform.roots();
    let vanishing: Fr = roots[1..].iter().map(|root| drawn.zeta - root).product();
    let values = dealt.parts().scalars(Field::Evaluations);
    let mut right = drawn.beta * values[0];
    let mut power = Fr::ONE;
    for (beta, value) in drawn.betas.iter().zip(&values[2..]) {
        right -= drawn.beta * power * value;
        right += *beta * value * (*value - Fr::ONE);
        power = power.double();
    }
    values[1] * vanishing == right
}

fn opening(dealt: &Dealt, drawn: &Drawn) -> bool {
    let parts = dealt.parts();
    let values = parts.scalars(Field::Evaluations);
    let points = [parts.g1(Field::Shifted), parts.g1(Field::Quotient), parts.g1(Field::Bits)];
    let mut left = G1Projective::identity();
    for ((point, value), mu) in points.concat().iter().zip(values).zip(&drawn.mus) {
        left += times(point, mu) - multiply_g1(&G1Projective::generator(), &(*mu * value));
    }
    let two = G2Affine::generator();
    let shifted = srs().tau_g2.to_curve() - times_g2(&two, &drawn.zeta);
    let opening = parts.g1(Field::Opening);
    let right = [(opening[0].into(), shifted), (opening[1].into(), srs().xi_g2.to_curve())];
    same((left, two), &right)
}

fn masks(session: &Session, dealt: &Dealt, drawn: &Drawn) -> bool {
    let (parts, parameters) = (dealt.parts(), session.parameters());
    let answers = parts.scalars(Field::MasksResponses);
    let difference = parts.g1(Field::Shifted)[0].to_curve() - parts.g1(Field::Commitment)[0];
    let left = multiply_g1(&difference, &drawn.masks) + parts.g1(Field::MasksNonce)[0];
    let first = times(&parameters.lagrange[0], &answers[0]);
    left == first + times(&parameters.xi_g1, &answers[1])
}

fn randomness(
    session: &Session,
    dealt: &Dealt,
    drawn: &Drawn,
    expect: &mut impl FnMut(Equation, bool),
) {
    let (parts, shape) = (dealt.parts(), session.shape());
    let powers = shape.radix_powers();
    for slot in parts.g1(Field::Randomness).chunks_exact(powers.len()) {
        let sum: G1Projective = slot.iter().zip(&powers).map(|(r, b)| times(r, b)).sum();
        expect(Equation::Randomness, bool::from(sum.is_identity()));
    }
    for (place, answer) in parts.scalars(Field::RandomnessResponses).iter().enumerate() {
        let point = times(&parts.g1(Field::Randomness)[place], &drawn.link);
        let left = point + parts.g1(Field::RandomnessNonces)[place];
        expect(Equation::Correlation, left == times(&bases::h(), answer));
    }
}

fn binding(session: &Session, dealt: &Dealt, drawn: &Drawn) -> bool {
    let (parts, shape) = (dealt.parts(), session.shape());
    let lagrange = lagrange(session, &drawn.zeta);
    let value = parts.scalars(Field::Evaluations)[0];
    let mut left = times(&bases::g(), &value);
    let first = parts.scalars(Field::MasksResponses)[0];
    let mut right = times(&bases::g(), &(first * lagrange[0]));
    for (index, place) in session.places.iter().enumerate() {
        let at = &lagrange[index + 1];
        left -= times(&parts.g1(Field::Ciphertexts)[index], at);
        let answer = parts.scalars(Field::RandomnessResponses)[shape.randomness(place)];
        right -= times(&session.encryption_keys()[place.player], &(answer * at));
    }
    multiply_g1(&left, &drawn.link) + parts.g1(Field::BindingNonce)[0] == right
}

fn chunks(
    session: &Session,
    dealt: &Dealt,
    drawn: &Drawn,
    expect: &mut impl FnMut(Equation, bool),
) {
    let (parts, shape, parameters) = (dealt.parts(), session.shape(), session.parameters());
    let answers = parts.scalars(Field::ChunkResponses);
    let mut sum = times(&parameters.xi_g1, &parts.scalars(Field::BlinderResponse)[0]);
    for (index, place) in session.places.iter().enumerate() {
        let randomness = parts.scalars(Field::RandomnessResponses)[shape.randomness(place)];
        let ciphertext = times(&parts.g1(Field::Ciphertexts)[index], &drawn.link);
        let key = session.encryption_keys()[place.player];
        let left = ciphertext + parts.g1(Field::CiphertextNonces)[index];
        let right = times(&bases::g(), &answers[index]) + times(&key, &randomness);
        expect(Equation::Ciphertext, left == right);
        sum += times(&parameters.lagrange[index + 1], &answers[index]);
    }
    let left = times(&parts.g1(Field::Commitment)[0], &drawn.link);
    expect(Equation::Commitment, left + parts.g1(Field::CommitmentNonce)[0] == sum);
}

fn share_chunks(session: &Session, dealt: &Dealt, drawn: &Drawn) -> bool {
    let (parts, powers) = (dealt.parts(), session.shape().radix_powers());
    let answers = parts.scalars(Field::ChunkResponses).chunks_exact(powers.len());
    answers.enumerate().all(|(share, answers)| {
        let sum: Fr = answers.iter().zip(&powers).map(|(y, b)| *y * b).sum();
        let left = times_g2(&parts.g2(Field::Shares)[share], &drawn.link);
        left + parts.g2(Field::ShareNonces)[share] == times_g2(&G2Affine::generator(), &sum)
    })
}

fn shares(session: &Session, dealt: &Dealt) -> bool {
    let (parts, powers) = (dealt.parts(), session.shape().radix_powers());
    let ciphertexts = parts.g1(Field::Ciphertexts).chunks_exact(powers.len());
    ciphertexts.zip(parts.g2(Field::Shares)).all(|(chunks, share)| {
        let sum: G1Projective = chunks.iter().zip(&powers).map(|(c, b)| times(c, b)).sum();
        same((sum, G2Affine::generator()), &[(bases::g().into(), share.to_curve())])
    })
}
