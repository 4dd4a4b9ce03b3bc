//! The `validators_hash` of CometBFT, for keys of Ed25519, and for those of other types in empty places.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    utils::fe_to_biguint,
    AssignedValue, Context,
    QuantumCell::{self, Constant, Existing, Witness},
};
use num_traits::ToPrimitive;

use super::{
    distinct_members,
    tree::{rfc6962_node, root, Digest, NODE_BLOCKS},
    AssignedPlace, CommitmentInstructions, TranslatedSet, MAX_PLACES,
};
use crate::hash::{
    padding::{big_endian, Message, HALF},
    poseidon,
    sha256::{digest_up_to, Start},
    text::Varint,
};
use muster_gates::{chain, power_of_two, sha2::Word, small::Bit, vertical, GateContext};
use muster_schemes::{
    hash::{
        poseidon::domain,
        sha256::native::{Midstate, BLOCK},
    },
    membership::{
        commitment::CometbftValidators, EmptyKind, EmptyPlace, FirstBlock, PublicKey, WEIGHT_BITS,
    },
    signature::{
        cometbft::KeyType,
        ed25519::{self, NAME_DOMAIN},
    },
};

/// Bytes of a key of Ed25519. One of secp256k1 has one more. A leaf with one of BLS12-381, which has 96, takes two blocks, of which the
/// second has as many bytes in front of the power as a leaf of Ed25519: five, and the last 32 of the key.
const KEY: usize = 32;
/// What a circuit is filled from: 32 bytes of a key; the byte behind them, which is 0 unless the key is of secp256k1; whether it is of
/// secp256k1; whether it is of BLS12-381; and if so, the hash value behind the first block and the five bytes.
const KEY_BYTES: usize = KEY + 3 + STATE + BEFORE.len();
/// Bytes of a hash value.
const STATE: usize = 32;
/// What is hashed before a key: the prefix of a leaf (RFC 6962, section 2.1), then the tags and lengths of
/// `SimpleValidator.pub_key` and of `PublicKey.ed25519`.
const BEFORE: [u8; 5] = [0, 0x0a, 34, 0x0a, 32];
/// How much more it is before a key of secp256k1, which is in `PublicKey.secp256k1`.
const MORE: [u8; 5] = [0, 0, 1, 0x12 - 0x0a, 1];
/// The tag of `SimpleValidator.voting_power`.
const POWER: u8 = 0x10;
/// The greatest power that a set can hold.
const MOST: u64 = (1 << WEIGHT_BITS) - 1;
/// Bytes of that as a varint.
const MOST_BYTES: usize = 9;
/// Bytes of a leaf at most, and its halves.
const BOUND: usize = BEFORE.len() + KEY + 1 + 1 + MOST_BYTES;
const HALVES: usize = BOUND.div_ceil(HALF);

const _: () = {
    assert!(WEIGHT_BITS as usize <= 7 * MOST_BYTES, "nine bytes are enough");
    // Keys of each type end within the last half. So do their powers, and those behind the longest fill it.
    assert!(BEFORE.len() + KEY > HALF * (HALVES - 1) && BOUND == HALF * HALVES);
};

impl CommitmentInstructions for CometbftValidators {
    const KEY_BYTES: usize = KEY_BYTES;
    const MAX_PLACES: usize = MAX_PLACES;

    /// A block for each leaf, and two for each node above.
    fn sha256_chains(places: usize) -> Vec<(usize, usize)> {
        vec![(places, 1), (places.saturating_sub(1), NODE_BLOCKS)]
    }

    fn key(key: &PublicKey) -> Option<Vec<u8>> {
        let Some(empty) = key.of::<EmptyPlace>() else {
            let mut bytes = key.of::<ed25519::PublicKey>()?.to_bytes().to_vec();
            bytes.resize(KEY_BYTES, 0);
            return Some(bytes);
        };
        let EmptyKind::Cometbft(key_type) = empty.kind() else { return None };
        let mut bytes = match empty.first_block() {
            None => empty.key().to_vec(),
            Some(first) => first.last.to_vec(),
        };
        bytes.resize(KEY + 1, 0);
        bytes.extend([KeyType::Secp256k1, KeyType::Bls12381].map(|of| u8::from(key_type == of)));
        if let Some(FirstBlock { state, before, .. }) = empty.first_block() {
            bytes.extend(state.iter().flat_map(|word| word.to_be_bytes()));
            bytes.extend(before);
        }
        bytes.resize(KEY_BYTES, 0);
        Some(bytes)
    }

    fn assert_translates(ctx: &mut GateContext, set: &TranslatedSet<'_>) {
        let (places, used) = distinct_members(ctx, set);
        assert_eq!(ctx.range.rounded(8), 8, "whole limbs have no bits to spare");
        let leaves = places.iter().zip(set.keys).map(|(place, key)| leaf(ctx, place, key));
        let leaves: Vec<_> = leaves.collect();
        let root = root(ctx, leaves, &used, rfc6962_node);
        set.claim.assert_commitment(ctx, &root);
    }
}

/// What the chain has for a validator's key.
pub(super) struct Key {
    /// 32 bytes, each in its range.
    pub(super) bytes: Vec<AssignedValue<Fr>>,
    /// The one behind them of a key of secp256k1, in its range. It is 0 behind others.
    pub(super) last: AssignedValue<Fr>,
    /// Whether it is one of secp256k1.
    pub(super) is_longer: Bit,
    /// The number of its type, as in a name.
    pub(super) number: AssignedValue<Fr>,
    /// What a name has of it besides: the byte behind the 32, or of a key of BLS12-381 [what they go on from](FirstBlock).
    pub(super) rest: AssignedValue<Fr>,
    /// The five bytes that are hashed before it.
    pub(super) before: AssignedValue<Fr>,
    /// What has been hashed before those: nothing, or the first block of a key of BLS12-381, behind which the hash value is the
    /// prover's: the README says what a wrong one takes.
    pub(super) start: Start,
}

impl Key {
    pub(super) fn new(ctx: &mut GateContext, hint: &[u8]) -> Self {
        let mut bytes: Vec<_> = hint[..=KEY]
            .iter()
            .map(|byte| ctx.range.check(Witness(Fr::from(u64::from(*byte))), 8))
            .collect();
        let last = bytes.remove(KEY);
        let [is_longer, is_bls] = [hint[KEY + 1], hint[KEY + 2]].map(|hint| {
            let bit = ctx.load_witness(Fr::from(u64::from(hint)));
            Bit::checked(ctx, bit)
        });
        let zero = Constant(Fr::zero());
        let [longer, bls] = [is_longer, is_bls].map(|bit| Existing(bit.cell()));
        chain::assert_sum(ctx, zero, &[(longer, bls)], zero);
        chain::assert_sum(ctx, zero, &[(longer, Existing(last))], Existing(last));
        let (state, first) = hint[KEY + 3..].split_at(STATE);
        let state = std::array::from_fn(|i| {
            let initial = Constant(Fr::from(u64::from(Midstate::START.state[i])));
            let word = chosen(ctx, is_bls, initial, &state[4 * i..4 * (i + 1)]);
            Word::existing(ctx.range, word)
        });
        let block = Constant(Fr::from(8 * BLOCK as u64));
        let start = Start { state, bits: Existing(chain::sum(ctx, zero, &[(block, bls)])) };
        let [known, more] = [BEFORE, MORE].map(|bytes| Constant(big_endian(&bytes)));
        let known = Existing(chain::sum(ctx, known, &[(longer, more)]));
        let before = chosen(ctx, is_bls, known, first);
        ctx.range.check(Existing(before), 8 * BEFORE.len());
        let number = chain::sum(ctx, longer, &[(bls, Constant(Fr::from(2)))]);
        let words = start.state[..FirstBlock::NAMED].iter().zip((8 * BEFORE.len()..).step_by(32));
        let words = words.map(|(word, bits)| (word.cell(), Constant(power_of_two(bits))));
        let first = chain::sum(ctx, Existing(before), &words.collect::<Vec<_>>());
        let rest = chain::sum(ctx, Existing(last), &[(bls, Existing(first))]);
        Self { bytes, last, is_longer, number, rest, before, start }
    }

    /// The name, the twin of [`ed25519::PublicKey::name`] and of that of an [`EmptyPlace`]: whoever is named in a circuit that
    /// takes signatures has zeros behind the two halves. There are none if the key is of another type, or of small order,
    /// which is the one rule for keys that such a circuit leaves to those who make sets.
    pub(super) fn name(&self, ctx: &mut GateContext) -> AssignedValue<Fr> {
        let (low, high) = self.bytes.split_at(KEY / 2);
        let [high, low] = [high, low].map(|half| {
            let places = half.iter().enumerate().skip(1);
            let terms = places.map(|(i, byte)| (Existing(*byte), Constant(power_of_two(8 * i))));
            chain::sum(ctx, Existing(half[0]), &terms.collect::<Vec<_>>())
        });
        let is_small = is_small_order(ctx, high, low);
        let inputs = [high, low, self.rest, is_small, self.number].map(Existing);
        poseidon::hash(ctx.chips, domain(NAME_DOMAIN), &inputs).digest
    }
}

/// What is known, or what the prover says if the key is one of BLS12-381.
fn chosen(
    ctx: &mut Context<Fr>,
    is_bls: Bit,
    known: QuantumCell<Fr>,
    hint: &[u8],
) -> AssignedValue<Fr> {
    let is_known = *is_bls.cell().value() == Fr::zero();
    let chosen = ctx.load_witness(if is_known { *known.value() } else { big_endian(hint) });
    let more = chain::sum(ctx, Existing(chosen), &[(Constant(-Fr::one()), known)]);
    let more = (Existing(is_bls.cell()), Existing(more));
    chain::assert_sum(ctx, known, &[more], Existing(chosen));
    chosen
}

/// The points of small order: the upper 128 bits of `y`, and the lower ones that go with them. Numbers not below the prime are
/// there, too, since ZIP 215 reads them: `y` is 0 or 1, `p - 1` to `p + 1`, or one of the two of points of order 8.
pub(super) const SMALL_ORDER: [(u128, &[u128]); 4] = [
    (0, &[0, 1]),
    (u128::MAX >> 1, &[u128::MAX - 19, u128::MAX - 18, u128::MAX - 17]),
    (0x05fc_536d_8802_38b1_3933_c6d3_05ac_dfd5, &[0xf098_eff2_89f4_c345_b027_b2c2_8f95_e826]),
    (0x7a03_ac92_77fd_c74e_c6cc_392c_fa53_202a, &[0x0f67_100d_760b_3cba_4fd8_4d3d_706a_17c7]),
];

/// Whether 32 bytes, of which these are the halves as little-endian integers, encode a point of small order: 1 or 0. The
/// highest bit is the sign of `x`, which may be either.
pub(super) fn is_small_order(
    ctx: &mut GateContext,
    high: AssignedValue<Fr>,
    low: AssignedValue<Fr>,
) -> AssignedValue<Fr> {
    let one_of = |ctx: &mut GateContext, number, all: &[Fr]| {
        let differences: Vec<_> = all
            .iter()
            .map(|other| {
                let other = (Constant(Fr::one()), Constant(-*other));
                chain::sum(ctx, Existing(number), &[other])
            })
            .collect();
        let product = differences.into_iter().reduce(|all, one| ctx.gate.mul(ctx, all, one));
        ctx.gate.is_zero(ctx, product.expect("there are some"))
    };
    let mut found = vec![];
    for (upper, lower) in SMALL_ORDER {
        let signs = [upper, upper | 1 << 127].map(Fr::from_u128);
        let lower: Vec<_> = lower.iter().copied().map(Fr::from_u128).collect();
        let [upper, lower] = [(high, &signs[..]), (low, &lower[..])]
            .map(|(number, all)| Existing(one_of(ctx, number, all)));
        found.push((upper, lower));
    }
    // At most one of the upper halves is found.
    chain::sum(ctx, Constant(Fr::zero()), &found)
}

/// The hash of a validator's leaf, whose key has the name in the place and whose power is the weight there. Of a place that is
/// not used it says nothing but that it weighs nothing: no hash over it reaches the root.
fn leaf(ctx: &mut GateContext, place: &AssignedPlace, key: &[u8]) -> Digest {
    let zero = Constant(Fr::zero());
    let used = Existing(place.used.cell());
    let weight = Existing(place.weight);
    chain::assert_sum(ctx, zero, &[(used, weight)], weight);
    let key = Key::new(ctx, key);
    let name = key.name(ctx);
    let named = (used, Existing(name));
    chain::assert_sum(ctx, zero, &[named], Existing(place.name));
    let value = fe_to_biguint(place.weight.value()).to_u64().unwrap_or_default();
    let power = Varint::new(ctx, value.min(MOST), MOST);
    let number = power.value(ctx);
    vertical::assert_equal(ctx, &number, &place.weight);
    let power = power.behind(ctx, &[POWER]);
    let (halves, length) = hashed(ctx, &key, [power.cell(), power.length()]);
    let message = Message { halves: &halves, length, bound: BOUND };
    digest_up_to(ctx, key.start, message)
}

/// The bytes of a leaf, and how many there are. `power` and `length` are those of the weight with its tag.
pub(super) fn hashed(
    ctx: &mut Context<Fr>,
    key: &Key,
    [power, length]: [AssignedValue<Fr>; 2],
) -> (Vec<AssignedValue<Fr>>, AssignedValue<Fr>) {
    let [one, before] = [1, BEFORE.len() + KEY].map(|number| Constant(Fr::from(number as u64)));
    let is_longer = Existing(key.is_longer.cell());
    let mut halves = vec![];
    for half in 0..HALVES {
        let mut terms = vec![];
        for place in 0..HALF {
            let at = HALF * half + place;
            let byte = match at.checked_sub(BEFORE.len()) {
                None => (at + 1 == BEFORE.len()).then_some(&key.before),
                Some(KEY) => Some(&key.last),
                Some(at) => key.bytes.get(at),
            };
            let factor = Constant(power_of_two(8 * (HALF - 1 - place)));
            terms.extend(byte.map(|byte| (Existing(*byte), factor)));
        }
        if half + 1 == HALVES {
            // The power ends with the half behind a longer key, and a byte before that behind the other one.
            let byte = power_of_two(8);
            let end = chain::sum(ctx, Constant(byte), &[(is_longer, Constant(Fr::one() - byte))]);
            terms.push((Existing(power), Existing(end)));
        }
        halves.push(chain::sum(ctx, Constant(Fr::zero()), &terms));
    }
    let length = chain::sum(ctx, before, &[(one, is_longer), (one, Existing(length))]);
    (halves, length)
}
