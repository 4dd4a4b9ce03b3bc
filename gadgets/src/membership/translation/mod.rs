//! A committed set holds the very members that a chain commits to by a hash of its own.

mod addresses;
mod beefy;
mod cometbft;
mod points;
mod semaphore;
mod sync_committee;
#[cfg(test)]
mod tests;
mod tree;
mod validator_list;

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};

use super::tree::whole_set;
use muster_gates::{chain, foreign::Equation, small::Bit, vertical, GateContext};
use muster_schemes::membership::{commitment::Commitment, Leaf, PublicKey, Whole};

/// The most places of a set of distinct members: there are as many pairs of them as half of its square. Chains with larger sets
/// hash more for each member than that.
pub const MAX_PLACES: usize = 1 << 8;
/// The most places of any set of distinct members.
const MOST_PLACES: usize = 1 << 10;

/// A chain's commitment in circuit; its native twin is [`Commitment`].
pub trait CommitmentInstructions: Commitment {
    /// Bytes of a key, from which a circuit is filled.
    const KEY_BYTES: usize;
    /// The most places of a set.
    const MAX_PLACES: usize;
    /// Whether each place is a seat that is taken, and there are as many as a power of two. If not, places may be unused.
    const SEATS: bool = false;
    /// Whether Keccak-256 is hashed with.
    const KECCAK: bool = false;

    /// What is hashed with SHA-256 for a set with so many places: how many chains of compressions there are, and how many of them are
    /// in one. Chains of each length are listed once; none if it is not hashed with.
    fn sha256_chains(_places: usize) -> Vec<(usize, usize)> {
        vec![]
    }

    /// The width of the state of Poseidon that is hashed with beside those of the set.
    fn poseidon_width() -> Option<usize> {
        None
    }

    /// The equations modulo a foreign prime; none if there is no such prime.
    fn equations() -> Vec<Equation> {
        vec![]
    }

    /// A member's key in bytes, from which a circuit is filled; `None` for a key of another kind.
    fn key(key: &PublicKey) -> Option<Vec<u8>>;

    /// Constrains what is claimed: the set with the claimed root has as many members and as much weight in all as claimed, in its first
    /// places, and the claimed commitment is that of these members, in their order and with their weights. They are distinct, unless
    /// their keys add up: then one may have several places.
    ///
    /// # Panics
    /// If there are no places or more than [`Self::MAX_PLACES`], or the leaves do not fit the tree.
    fn assert_translates(ctx: &mut GateContext, set: &TranslatedSet<'_>);
}

/// What is said of a set and of a chain's commitment.
#[derive(Clone, Copy, Debug)]
pub struct AssignedTranslation {
    /// The root of the set.
    pub key_set_root: AssignedValue<Fr>,
    /// The first and the last 16 bytes of the commitment, big-endian.
    pub commitment: [AssignedValue<Fr>; 2],
    /// How many members there are.
    pub members: AssignedValue<Fr>,
    /// The sum of their weights.
    pub total_weight: AssignedValue<Fr>,
}

impl AssignedTranslation {
    /// Constrains the claimed commitment to have these halves.
    fn assert_commitment(&self, ctx: &mut Context<Fr>, found: &[AssignedValue<Fr>; 2]) {
        for (half, claimed) in found.iter().zip(&self.commitment) {
            vertical::assert_equal(ctx, half, claimed);
        }
    }
}

/// A place of a set: its member's name and weight.
#[derive(Clone, Copy, Debug)]
pub struct AssignedPlace {
    /// The name; 0 if the place is not used.
    pub name: AssignedValue<Fr>,
    /// The weight, which passes as an amount: it is below `2^61`.
    pub weight: AssignedValue<Fr>,
    /// Whether there is a member: whether the name is not 0.
    pub used: Bit,
}

/// A set with a place for each key, and what is claimed of it. Neither leaves nor keys are known to be anything.
#[derive(Clone, Copy, Debug)]
pub struct TranslatedSet<'a> {
    /// The claim.
    pub claim: AssignedTranslation,
    /// As many leaves as the places take.
    pub leaves: &'a [Leaf],
    /// The bytes of the key in each place, zeros for one that is not used.
    pub keys: &'a [Vec<u8>],
    /// What else the root commits to, if keys add up.
    pub whole: &'a Whole,
    /// Children of a node.
    pub arity: usize,
    /// Levels above the leaves.
    pub depth: usize,
}

/// Constrains the set with the claimed root to have distinct members in its first places and none behind them, as many and
/// with as much weight in all as claimed. Returns its places, and which of them are used.
fn distinct_members(
    ctx: &mut GateContext,
    set: &TranslatedSet<'_>,
) -> (Vec<AssignedPlace>, Vec<Bit>) {
    let &TranslatedSet { ref claim, leaves, keys, arity, depth, .. } = set;
    let capacity = keys.len();
    assert!((1..=MOST_PLACES).contains(&capacity), "there are places, and not too many");
    let opened = whole_set(ctx, leaves, arity, depth);
    vertical::assert_equal(ctx, &opened.root, &claim.key_set_root);
    assert!(opened.members.len() >= capacity, "the leaves have all places");
    let (members, beyond) = opened.members.split_at(capacity);
    // What is left of the last leaf has nobody.
    let zero = vertical::load_zero(ctx);
    for (name, weight) in beyond {
        vertical::assert_equal(ctx, name, &zero);
        vertical::assert_equal(ctx, weight, &zero);
    }
    let place = |(name, weight): &(AssignedValue<Fr>, AssignedValue<Fr>)| {
        let used = Bit::is_not_zero(ctx, *name);
        AssignedPlace { name: *name, weight: *weight, used }
    };
    let places: Vec<_> = members.iter().map(place).collect();
    let one = vertical::load_constant(ctx, Fr::one());
    vertical::assert_equal(ctx, &places[0].used.cell(), &one);
    let used: Vec<_> = places.iter().map(|place| place.used).collect();
    assert_first(ctx, &used);
    assert_counted(ctx, claim, places.iter().map(|place| (place.used, place.weight)));
    assert_distinct(ctx, &places);
    (places, used)
}

/// Constrains the used places to be the first ones.
fn assert_first(ctx: &mut Context<Fr>, used: &[Bit]) {
    for pair in used.windows(2) {
        let [before, behind] = [0, 1].map(|i| Existing(pair[i].cell()));
        chain::assert_sum(ctx, Constant(Fr::zero()), &[(before, behind)], behind);
    }
}

/// Constrains the number of used places, and the sum of all weights, to be as claimed. There are at most `2^10` of them, each below
/// `2^61`, so neither sum wraps.
fn assert_counted(
    ctx: &mut Context<Fr>,
    claim: &AssignedTranslation,
    places: impl Iterator<Item = (Bit, AssignedValue<Fr>)>,
) {
    let [zero, one] = [Fr::zero(), Fr::one()].map(Constant);
    let (used, weights): (Vec<_>, Vec<_>) =
        places.map(|(bit, weight)| ((one, Existing(bit.cell())), (one, Existing(weight)))).unzip();
    chain::assert_sum(ctx, zero, &used, Existing(claim.members));
    chain::assert_sum(ctx, zero, &weights, Existing(claim.total_weight));
}

/// Constrains the names in used places to be distinct: the product of all differences has an inverse. An unused place
/// `i` counts as `-(i + 1)`. It would take a hash or an address of that value for a member to be refused for its sake.
fn assert_distinct(ctx: &mut GateContext, places: &[AssignedPlace]) {
    let names: Vec<_> = places
        .iter()
        .zip(1..)
        .map(|(place, number)| {
            let number = Fr::from(number);
            // `name - number + number·used`, of which the name is 0 where `used` is.
            let terms = [
                (Constant(Fr::one()), Existing(place.name)),
                (Constant(number), Existing(place.used.cell())),
            ];
            chain::sum(ctx, Constant(-number), &terms)
        })
        .collect();
    let [zero, one, minus_one] = [Fr::zero(), Fr::one(), -Fr::one()].map(Constant);
    let mut product: Option<AssignedValue<Fr>> = None;
    for (i, name) in names.iter().enumerate() {
        ctx.each(&names[..i], |ctx, other| {
            let difference = chain::sum(ctx, Existing(*name), &[(minus_one, Existing(*other))]);
            product = Some(match product {
                None => difference,
                Some(all) => chain::sum(ctx, zero, &[(Existing(all), Existing(difference))]),
            });
        });
    }
    // A set of one has no pair.
    if let Some(product) = product {
        let inverse = product.value().invert().unwrap_or(Fr::ONE);
        chain::assert_sum(ctx, zero, &[(Existing(product), Witness(inverse))], one);
    }
}
