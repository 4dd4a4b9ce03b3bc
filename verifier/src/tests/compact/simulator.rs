//! Proofs of anything, from whoever knows `τ`. They hold the verifier to sections 10, 12 and 13 by formulas that share
//! nothing with it.

use ark_bn254::G1Affine;
use ark_ff::Field;

use crate::{
    domain::{Domain, DELTA},
    scalar_to_bytes,
    tests::sample::{compressed, multiple, numbers, point_bytes, TAU},
    Key, Round, Scalar, Transcript,
};

/// A proof while it is written.
struct Writer {
    transcript: Transcript,
    item: Vec<u8>,
    proof: Vec<u8>,
    long: bool,
}

impl Writer {
    fn point(&mut self, log: Scalar) -> Scalar {
        let point: G1Affine = multiple(log);
        self.item.extend(point_bytes(&point));
        if self.long {
            self.proof.extend(point_bytes(&point));
        } else {
            self.proof.extend(compressed(&point));
        }
        log
    }

    fn scalar(&mut self, scalar: Scalar) -> Scalar {
        self.item.extend(scalar_to_bytes(&scalar));
        self.proof.extend(scalar_to_bytes(&scalar));
        scalar
    }

    fn end<const N: usize>(&mut self) -> [Scalar; N] {
        self.transcript.absorb(&std::mem::take(&mut self.item));
        [(); N].map(|()| self.transcript.squeeze())
    }
}

/// What the left points of both proofs have too much.
#[derive(Clone, Copy, Default)]
pub(crate) struct Errors {
    pub(crate) packs: Scalar,
    pub(crate) decider: Scalar,
}

/// The logarithms of a key's commitments to packs, and that of `K₂`.
fn logarithms(key: &Key) -> (Vec<Scalar>, Scalar) {
    let packing = key.as_compact().expect("it is compact").packing();
    let mut next = numbers(std::str::from_utf8(key.description()).expect("it is a text"));
    let packs = (0..packing.count(Round::Key)).map(|_| next()).collect();
    (packs, next())
}

/// A proof in the long encoding or the short one. It is accepted for these inputs if there are no errors.
pub(crate) fn simulate(
    key: &Key,
    inputs: &[Scalar],
    seed: &str,
    long: bool,
    errors: Errors,
) -> Vec<u8> {
    let compact = key.as_compact().expect("it is compact");
    let packing = compact.packing();
    let tau = Scalar::from(TAU);
    let mut random = numbers(seed);
    let (mut packs, _) = logarithms(key);

    let mut transcript = Transcript::compact();
    transcript.absorb(&compact.evm_key().name());
    transcript.absorb(&inputs.iter().flat_map(scalar_to_bytes).collect::<Vec<_>>());
    let mut writer = Writer { transcript, item: vec![], proof: vec![], long };
    packs.extend((0..packing.count(Round::First)).map(|_| writer.point(random())));
    let [theta, beta_lookup, beta, gamma] = writer.end();
    packs.extend((0..packing.count(Round::Second)).map(|_| writer.point(random())));
    let [y] = writer.end();
    let quotient = writer.point(random());
    let [x] = writer.end();
    let values = writer.point(random());
    let [alpha] = writer.end();
    let w = writer.point(random());
    let [u] = writer.end();

    let weights: Vec<Scalar> = packs.iter().map(|_| random()).collect();
    let remainder = random();
    let left: Scalar = packs.iter().zip(&weights).map(|(pack, weight)| *pack * weight).sum();
    let left = left + alpha.pow([packs.len() as u64]) / (u - x) * quotient - remainder - w;
    writer.point((left - errors.packs) / (tau - u));
    for &scalar in weights.iter().chain([&remainder]) {
        writer.scalar(scalar);
    }
    let given = [theta, beta_lookup, beta, gamma, y, x, alpha, u];
    let public = [inputs, &given, &weights, &[remainder]].concat();
    decide(key, writer, random, &public, values, u - x, errors.decider)
}

/// Ends a proof with that of the decider, for these public inputs and with this logarithm of `E`. The distance is
/// `u − x` of the circuit.
fn decide(
    key: &Key,
    mut writer: Writer,
    mut random: impl FnMut() -> Scalar,
    public: &[Scalar],
    values: Scalar,
    distance: Scalar,
    error: Scalar,
) -> Vec<u8> {
    let wires = writer.point(random());
    let [beta, gamma] = writer.end();
    let product = writer.point(random());
    let [y] = writer.end();
    let quotient = writer.point(random());
    let [x] = writer.end();
    let evaluations = [(); 17].map(|()| writer.scalar(random()));
    let [alpha] = writer.end();
    let w = writer.point(random());
    let [u] = writer.end();

    let k = key.as_compact().expect("it is compact").decider_k();
    let (domain, n) = (Domain::new(k), 1_u64 << k);
    let vanishing = x.pow([n]) - Scalar::from(1);
    let lagrange = |row: usize| {
        let name = domain.power(row as i32);
        name * vanishing / (Scalar::from(n) * (x - name))
    };
    let [q_m, q_a, q_b, q_c, q_e, q_0, s_a, s_b, s_c, s_d, e, a, b, c, d, z, z_next] = evaluations;
    let shown: Scalar = public.iter().enumerate().map(|(row, it)| *it * lagrange(row)).sum();
    let row = q_m * a * b + q_a * a + q_b * b + q_c * c + q_e * e + q_0 + shown - d;
    let factors = |names: [Scalar; 4]| -> Scalar {
        [a, b, c, d].into_iter().zip(names).map(|(v, name)| v + beta * name + gamma).product()
    };
    let own = [0, 1, 2, 3].map(|wire| DELTA.pow([wire]) * x);
    let copies = z_next * factors([s_a, s_b, s_c, s_d]) - z * factors(own);
    let begins = lagrange(0) * (z - Scalar::from(1));
    let constraints = row + y * begins + y.square() * copies;

    let place = u.pow([10]);
    let next = domain.power(1) * x;
    let joined = |values: &[Scalar]| -> Scalar {
        values.iter().zip(0..).map(|(value, power)| *value * u.pow([power])).sum()
    };
    let line = z * (place - next) / (x - next) + z_next * (place - x) / (next - x);
    let opened = [
        (logarithms(key).1, joined(&evaluations[..10]), place - x),
        (values, e, place - x),
        (wires, joined(&[a, b, c, d]), place - x),
        (product, line, (place - x) * (place - next)),
        (quotient, constraints / vanishing, u - x),
    ];
    let mut left = -w;
    for ((log, value, vanishing), power) in opened.into_iter().zip(0..) {
        left += alpha.pow([power]) / vanishing * (log - value);
    }
    writer.point((left - error) / (Scalar::from(TAU) - u));
    if writer.long {
        let rows =
            (0..public.len()).map(|row| (x - domain.power(row as i32)) / domain.power(row as i32));
        let opened = (place - x) * (place - next) * (u - x) * (x - next);
        let divisor = vanishing * distance * opened * rows.product::<Scalar>();
        writer.scalar(Scalar::ONE / divisor);
    }
    writer.proof
}

/// A proof that is accepted, in the long encoding.
pub(crate) fn accepted(key: &Key, inputs: &[Scalar], seed: &str) -> Vec<u8> {
    simulate(key, inputs, seed, true, Errors::default())
}
