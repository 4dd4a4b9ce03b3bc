//! All group equations of a dealing as one: two sums and a product of pairings.
//!
//! Equation e is a sum X_e in G1, a sum Y_e in G2 and, for the opening, two more pairings; it holds
//! if e(X_e, g₂) e(−P_e, [τ]₂) e(−Q_e, [ξ]₂) e(−G, Y_e) = 1. Each is raised to a factor of its own,
//! 128 bits from a hash of everything (except the opening's, which is one), and all are multiplied.
//! If one does not hold, the product is 1 for at most one value of its factor; if only the opening
//! does not hold, the product is not 1. A single equation is checked by the same code with all
//! other factors zero.

use ff::Field as _;
use group::{prime::PrimeCurveAffine, Curve};

use super::{
    bases, challenge::Challenger, error::Equation, field::Field, low_degree, range::AtPoint,
    rounds::Challenges, session::Session, transcript::Parts, Place, Variant,
};
use crate::pairing_curve::{
    prepared_pairings_cancel, sum_g1, sum_g2, Fr, G1Affine, G2Affine, G2Prepared,
};

/// A factor for every equation.
#[derive(Clone)]
pub(super) struct Factors(pub(super) Vec<Vec<Fr>>);

/// How many equations of a kind there are. For the low-degree test, it is the number of
/// coefficients of q.
fn count(session: &Session, equation: Equation) -> usize {
    let shape = session.shape();
    let (published, second) =
        (shape.variant() != Variant::Compact, shape.variant() == Variant::Chunky2);
    match equation {
        Equation::LowDegree => low_degree::coefficients(shape),
        Equation::Randomness => shape.slots(),
        Equation::Masks | Equation::Opening => 1,
        Equation::Correlation => shape.slots() * shape.chunks(),
        Equation::Binding => usize::from(!published),
        Equation::Ciphertext => usize::from(published) * shape.total_chunks(),
        Equation::Commitment => usize::from(published),
        Equation::ShareChunks => usize::from(second) * shape.shares(),
        Equation::Share => usize::from(!second) * shape.shares(),
        Equation::Range => 0,
    }
}

impl Factors {
    /// Factors from a hash of what is verified. All but the opening's, which is one, are random: an
    /// opening that does not hold is offset by at most one value of another equation's factor, and
    /// by none if it fails alone.
    pub(super) fn draw(session: &Session, mut challenger: Challenger) -> Self {
        let draw = |equation| match equation {
            Equation::Opening => vec![Fr::ONE],
            _ => challenger.factors("factors", count(session, equation)),
        };
        Self(Equation::MERGED.into_iter().map(draw).collect())
    }

    /// All factors times one more.
    pub(super) fn scaled(&self, factor: &Fr) -> Self {
        let scale = |factors: &Vec<Fr>| factors.iter().map(|own| *own * factor).collect();
        Self(self.0.iter().map(scale).collect())
    }

    /// The factors of one kind of equation, and zero for all others.
    fn only(&self, kind: usize, range: std::ops::Range<usize>) -> Self {
        let mut all: Vec<Vec<Fr>> = self.0.iter().map(|own| vec![Fr::ZERO; own.len()]).collect();
        all[kind][range.clone()].copy_from_slice(&self.0[kind][range]);
        Self(all)
    }

    pub(super) fn of(&self, equation: Equation) -> &[Fr] {
        let kind = Equation::MERGED.iter().position(|other| *other == equation);
        kind.map_or(&[], |kind| &self.0[kind])
    }
}

/// A dealing whose scalars were checked.
pub(super) struct Prepared<'a> {
    pub(super) parts: &'a Parts,
    pub(super) challenges: Challenges,
    pub(super) at: AtPoint,
    pub(super) factors: Factors,
}

/// Sums over some dealings: points that they have in common occur once.
struct Sums<'a> {
    session: &'a Session,
    g1: Vec<(G1Affine, Fr)>,
    g2: Vec<(G2Affine, Fr)>,
    keys: Vec<Fr>,
    lagrange: Vec<Fr>,
    g: Fr,
    h: Fr,
    one: Fr,
    xi: Fr,
    two: Fr,
    openings: Vec<([G1Affine; 2], Fr)>,
}

/// Whether all equations hold that have a factor other than zero.
pub(super) fn hold(session: &Session, dealings: &[(&Prepared<'_>, Factors)]) -> bool {
    let mut sums = Sums {
        session,
        g1: vec![],
        g2: vec![],
        keys: vec![Fr::ZERO; session.shape().players()],
        lagrange: vec![Fr::ZERO; session.parameters().domain()],
        g: Fr::ZERO,
        h: Fr::ZERO,
        one: Fr::ZERO,
        xi: Fr::ZERO,
        two: Fr::ZERO,
        openings: vec![],
    };
    for (prepared, factors) in dealings {
        sums.add(prepared, factors);
    }
    sums.hold()
}

impl Sums<'_> {
    fn add(&mut self, prepared: &Prepared<'_>, factors: &Factors) {
        let parts = prepared.parts;
        let mut own = Own {
            parts,
            g1: vec![Fr::ZERO; parts.all_g1().len()],
            g2: vec![Fr::ZERO; parts.all_g2().len()],
        };
        self.masks(&mut own, prepared, factors);
        self.opening(&mut own, prepared, factors);
        self.randomness(&mut own, prepared, factors);
        self.shares(&mut own, factors);
        match self.session.shape().variant() {
            Variant::Compact => self.binding(&mut own, prepared, factors),
            _ => self.chunks(&mut own, prepared, factors),
        }
        self.g1.extend(parts.all_g1().iter().copied().zip(own.g1));
        self.g2.extend(parts.all_g2().iter().copied().zip(own.g2));
    }

    /// A₁ + e (Ĉ − C) = y_r [L₀(τ)]₁ + y_Δ [ξ]₁.
    fn masks(&mut self, own: &mut Own<'_>, prepared: &Prepared<'_>, factors: &Factors) {
        let factor = factors.of(Equation::Masks)[0];
        let challenge = factor * prepared.challenges.masks;
        let responses = own.parts.scalars(Field::MasksResponses);
        own.g1(Field::MasksNonce)[0] += factor;
        own.g1(Field::Shifted)[0] += challenge;
        own.g1(Field::Commitment)[0] -= challenge;
        self.lagrange[0] -= factor * responses[0];
        self.xi -= factor * responses[1];
    }

    /// e(U − u + ζ π₁, g₂) = e(π₁, [τ]₂) e(π₂, [ξ]₂), with U = μĈ + μ_h D + Σ μⱼ Cⱼ.
    fn opening(&mut self, own: &mut Own<'_>, prepared: &Prepared<'_>, factors: &Factors) {
        let factor = factors.of(Equation::Opening)[0];
        let (mus, zeta) = (&prepared.challenges.mus, prepared.challenges.zeta);
        own.g1(Field::Shifted)[0] += factor * mus[0];
        own.g1(Field::Quotient)[0] += factor * mus[1];
        for (scalar, mu) in own.g1(Field::Bits).iter_mut().zip(&mus[2..]) {
            *scalar += factor * mu;
        }
        let values = mus.iter().zip(own.parts.scalars(Field::Evaluations));
        self.one -= factor * values.map(|(mu, value)| *mu * value).sum::<Fr>();
        own.g1(Field::Opening)[0] += factor * zeta;
        let opening = own.parts.g1(Field::Opening);
        self.openings.push(([opening[0], opening[1]], factor));
    }

    /// Aⱼₖ + e Rⱼₖ = yⱼₖ·H, and Σₖ Bᵏ⁻¹ Rⱼₖ = 0.
    fn randomness(&mut self, own: &mut Own<'_>, prepared: &Prepared<'_>, factors: &Factors) {
        let link = prepared.challenges.link;
        let correlations = factors.of(Equation::Correlation);
        for (scalar, factor) in own.g1(Field::RandomnessNonces).iter_mut().zip(correlations) {
            *scalar += factor;
        }
        let powers = self.session.shape().radix_powers();
        let sums = factors.of(Equation::Randomness);
        let slots = own.g1(Field::Randomness).chunks_exact_mut(powers.len());
        for ((slot, sum), correlations) in slots.zip(sums).zip(correlations.chunks(powers.len())) {
            for ((scalar, power), factor) in slot.iter_mut().zip(&powers).zip(correlations) {
                *scalar += *sum * power + *factor * link;
            }
        }
        let responses = own.parts.scalars(Field::RandomnessResponses);
        self.h -= responses.iter().zip(correlations).map(|(y, factor)| *y * factor).sum::<Fr>();
    }

    /// e(Σ βᵢⱼ Bᵏ⁻¹ Cᵢⱼₖ, g₂) = e(G, Σ βᵢⱼ Vᵢⱼ), and the low-degree test.
    fn shares(&mut self, own: &mut Own<'_>, factors: &Factors) {
        let q = factors.of(Equation::LowDegree);
        let weights = low_degree::weights(&self.session.points, &self.session.dual, q);
        own.g2(Field::Secret)[0] += weights[0];
        for (scalar, weight) in own.g2(Field::Shares).iter_mut().zip(&weights[1..]) {
            *scalar += weight;
        }
        let factors = factors.of(Equation::Share);
        for (scalar, factor) in own.g2(Field::Shares).iter_mut().zip(factors) {
            *scalar += factor;
        }
        let powers = self.session.shape().radix_powers();
        let shares = own.g1(Field::Ciphertexts).chunks_exact_mut(powers.len());
        for (share, factor) in shares.zip(factors) {
            share.iter_mut().zip(&powers).for_each(|(scalar, power)| *scalar += *factor * power);
        }
    }

    /// A₃ + e (v·G − Σ L_idx(ζ)·C_idx) = y_r L₀(ζ)·G − Σ yⱼₖ Eⱼₖ.
    fn binding(&mut self, own: &mut Own<'_>, prepared: &Prepared<'_>, factors: &Factors) {
        let factor = factors.of(Equation::Binding)[0];
        let lagrange = &prepared.at.lagrange;
        let challenge = factor * prepared.challenges.link;
        own.g1(Field::BindingNonce)[0] += factor;
        let value = own.parts.scalars(Field::Evaluations)[0];
        let first = own.parts.scalars(Field::MasksResponses)[0];
        self.g += challenge * value - factor * first * lagrange[0];
        let responses = own.parts.scalars(Field::RandomnessResponses);
        let places = self.session.places.iter().zip(&lagrange[1..]);
        let ciphertexts = own.g1(Field::Ciphertexts);
        for ((place, value), scalar) in places.zip(ciphertexts) {
            *scalar -= challenge * value;
            let response = responses[self.session.shape().randomness(place)];
            self.keys[place.player] += factor * response * value;
        }
    }

    /// Aᵢⱼₖ + e Cᵢⱼₖ = yᵢⱼₖ·G + yⱼₖ·ekᵢ, A_C + e C = y_ρ [ξ]₁ + Σ y_idx [L_idx(τ)]₁ and, in Chunky2,
    /// A^V + e Vᵢⱼ = (Σₖ Bᵏ⁻¹ yᵢⱼₖ)·g₂.
    fn chunks(&mut self, own: &mut Own<'_>, prepared: &Prepared<'_>, factors: &Factors) {
        let link = prepared.challenges.link;
        let responses = own.parts.scalars(Field::ChunkResponses);
        let randomness = own.parts.scalars(Field::RandomnessResponses);
        let commitment = factors.of(Equation::Commitment)[0];
        let own_factors = factors.of(Equation::Ciphertext);
        let shape = self.session.shape();
        let all = self.session.places.iter().zip(own_factors).zip(responses);
        for (index, ((place, factor), response)) in all.enumerate() {
            own.g1(Field::CiphertextNonces)[index] += factor;
            own.g1(Field::Ciphertexts)[index] += *factor * link;
            self.g -= *factor * response;
            self.keys[place.player] -= *factor * randomness[shape.randomness(place)];
            self.lagrange[index + 1] -= commitment * response;
        }
        own.g1(Field::CommitmentNonce)[0] += commitment;
        own.g1(Field::Commitment)[0] += commitment * link;
        self.xi -= commitment * own.parts.scalars(Field::BlinderResponse)[0];
        let powers = shape.radix_powers();
        let shares = factors.of(Equation::ShareChunks).iter().enumerate();
        for ((share, factor), responses) in shares.zip(responses.chunks_exact(powers.len())) {
            own.g2(Field::ShareNonces)[share] += factor;
            own.g2(Field::Shares)[share] += *factor * link;
            let sum: Fr = responses.iter().zip(&powers).map(|(y, power)| *y * power).sum();
            self.two -= *factor * sum;
        }
    }

    fn hold(self) -> bool {
        let parameters = self.session.parameters();
        let (mut in_g1, mut in_g2) = (self.g1, self.g2);
        in_g1.extend(self.session.encryption_keys().into_iter().zip(self.keys));
        in_g1.extend(parameters.lagrange.iter().copied().zip(self.lagrange));
        in_g1.extend([(bases::g(), self.g), (bases::h(), self.h)]);
        in_g1.extend([(G1Affine::generator(), self.one), (parameters.xi_g1, self.xi)]);
        in_g2.push((G2Affine::generator(), self.two));
        let opening = |side: usize| match self.openings[..] {
            // As it is for a single dealing.
            [(opening, factor)] if factor == Fr::ONE => -opening[side],
            _ => {
                let terms = self.openings.iter();
                sum_in_g1(terms.map(|(opening, factor)| (-opening[side], *factor)))
            }
        };
        let right = || {
            let (points, scalars) = finite(in_g2);
            let sum = sum_g2(&points, &scalars).to_affine();
            (sum, G2Prepared::from(sum))
        };
        let (left, right) = rayon::join(|| sum_in_g1(in_g1), right);
        let [two, tau, xi] = &parameters.lines;
        let mut pairs = vec![(left, two), (opening(0), tau), (opening(1), xi)];
        if !bool::from(right.0.is_identity()) {
            pairs.push((-bases::g(), &right.1));
        }
        pairs.retain(|(point, _)| !bool::from(point.is_identity()));
        prepared_pairings_cancel(&pairs)
    }
}

/// Points whose scalars are not zero.
fn finite<P>(terms: impl IntoIterator<Item = (P, Fr)>) -> (Vec<P>, Vec<Fr>) {
    terms.into_iter().filter(|(_, scalar)| !bool::from(scalar.is_zero())).unzip()
}

fn sum_in_g1(terms: impl IntoIterator<Item = (G1Affine, Fr)>) -> G1Affine {
    let (points, scalars) = finite(terms);
    sum_g1(&points, &scalars).to_affine()
}

/// The scalars of a dealing's own points.
struct Own<'a> {
    parts: &'a Parts,
    g1: Vec<Fr>,
    g2: Vec<Fr>,
}

impl Own<'_> {
    fn g1(&mut self, field: Field) -> &mut [Fr] {
        &mut self.g1[self.parts.place(field)]
    }

    fn g2(&mut self, field: Field) -> &mut [Fr] {
        &mut self.g2[self.parts.place(field)]
    }
}

/// The first equation of a dealing that does not hold, given that the product of all does not.
pub(super) fn culprit(session: &Session, prepared: &Prepared<'_>) -> (Equation, Place) {
    let factors = &prepared.factors;
    let fails = |kind: usize, range: std::ops::Range<usize>| {
        !hold(session, &[(prepared, factors.only(kind, range))])
    };
    let kinds = 0..Equation::MERGED.len();
    // If all but the last hold, the last one does not: the product of all is not 1.
    let last = kinds.end - 1;
    let kind = kinds.take(last).find(|kind| fails(*kind, 0..factors.0[*kind].len()));
    let kind = kind.unwrap_or(last);
    let equation = Equation::MERGED[kind];
    let mut range = 0..factors.0[kind].len();
    while range.len() > 1 && equation != Equation::LowDegree {
        let middle = range.start + range.len() / 2;
        range =
            if fails(kind, range.start..middle) { range.start..middle } else { middle..range.end };
    }
    (equation, place(session, equation, range.start))
}

fn place(session: &Session, equation: Equation, index: usize) -> Place {
    let shape = session.shape();
    let number = |place: usize| Some(place + 1);
    match equation {
        Equation::Randomness => Place { share: number(index), ..Place::default() },
        Equation::Correlation => {
            let (slot, chunk) = (index / shape.chunks(), index % shape.chunks());
            Place { player: None, share: number(slot), chunk: number(chunk) }
        }
        Equation::Ciphertext => {
            let at = session.places[index];
            Place { player: number(at.player), share: number(at.slot), chunk: number(at.chunk) }
        }
        Equation::Share | Equation::ShareChunks => {
            let (player, slot) = shape.owner(index);
            Place { player: number(player), share: number(slot), chunk: None }
        }
        _ => Place::default(),
    }
}
