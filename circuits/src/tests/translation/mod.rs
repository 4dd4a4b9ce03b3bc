//! Translations: what they accept, and what they refuse of a witness that is filled as an honest one.

use halo2_base::halo2_proofs::halo2curves::ff::{FromUniformBytes, PrimeField};
use muster_gates::Gates;
use muster_schemes::{
    curve::{
        edwards::{self, SubgroupPoint},
        weierstrass::Address,
    },
    hash::{
        keccak::keccak256,
        poseidon,
        sha256::{native, sha256},
    },
    membership::{
        commitment::CommitmentError, Admission, EmptyKind, EmptyPlace, KeySetError, Leaf,
        LeafFormat, Member, MerkleTree, PublicKey, PublishedKeys, Seats,
    },
    signature::{
        bls::{
            member::{OwnedKey, Possession},
            Ciphersuite, MinPkPopBls12381, MinSigPopBls12381, SecretKey,
        },
        cometbft::KeyType,
        ed25519,
    },
};
use muster_testing::sampled;
use num_bigint::BigUint;

use super::*;
use crate::translation::{
    has_room, record, CommitmentKind, TranslationInputs, TranslationRequest, TranslationShape,
    TranslationStatement, MEMBERS, TOTAL_WEIGHT,
};

mod across;
mod authorities;
mod forged;
mod keys;
mod lists;
mod places;
mod seats;

/// A key of a sync committee or of Aptos, and one of Sui.
type Seat = OwnedKey<MinPkPopBls12381>;
type SuiKey = OwnedKey<MinSigPopBls12381>;

/// The commitments to members who are distinct.
const KINDS: [CommitmentKind; 5] = [
    CommitmentKind::Addresses,
    CommitmentKind::Cometbft,
    CommitmentKind::Beefy,
    CommitmentKind::Semaphore,
    CommitmentKind::Axelar,
];

/// Member `number`. Where members have weights, each has one that is like no other number.
fn member(kind: CommitmentKind, number: u8) -> Member {
    let seed = sha256(&[b't', number]);
    let weight = 1_000_003 + 300 * u64::from(number);
    match kind {
        CommitmentKind::Addresses | CommitmentKind::Beefy | CommitmentKind::Axelar => {
            let bytes = seed[..20].try_into().expect("20 bytes of 32");
            let address = Address::from_bytes(bytes).expect("not zero");
            let weight = if kind == CommitmentKind::Axelar { weight } else { 1 };
            Member { public_key: address.into(), weight }
        }
        CommitmentKind::Cometbft => {
            let key = ed25519::SecretKey::from_seed(&seed).public_key();
            Member { public_key: key.into(), weight }
        }
        CommitmentKind::Semaphore => {
            let secret = edwards::Scalar::from_wide(&[seed, seed].concat().try_into().expect("64"));
            let key = SubgroupPoint::mul_generator(&secret).expect("not zero");
            Member { public_key: key.into(), weight: 1 }
        }
        CommitmentKind::SyncCommittee => seat(scalar(&seed)),
        CommitmentKind::Aptos | CommitmentKind::Sui => listed(kind, scalar(&seed), number),
    }
}

fn scalar(seed: &[u8; 32]) -> Scalar {
    Scalar::from_uniform_bytes(&[*seed, *seed].concat().try_into().expect("64 bytes"))
}

/// A validator of Aptos or Sui, with a power of which each byte is another.
fn listed(kind: CommitmentKind, secret: Scalar, number: u8) -> Member {
    let weight = 0x0003_0507_090b_0d0f + u64::from(number);
    if kind == CommitmentKind::Aptos {
        return Member { weight, ..seat(secret) };
    }
    let secret = SecretKey::from_scalar(&secret).expect("not zero");
    Member { public_key: SuiKey::of(&secret).into(), weight }
}

/// The scalars of BLS12-381.
type Scalar = <MinPkPopBls12381 as Ciphersuite>::Scalar;

/// The seat of a secret.
fn seat(secret: Scalar) -> Member {
    let secret = SecretKey::from_scalar(&secret).expect("not zero");
    Member { public_key: Seat::of(&secret).into(), weight: 1 }
}

fn members(kind: CommitmentKind, count: u8) -> Vec<Member> {
    (0..count).map(|number| member(kind, number)).collect()
}

fn committee(members: &[Member]) -> Committee {
    let members: Vec<_> =
        members.iter().map(|member| (member.public_key.clone(), member.weight)).collect();
    let adds_up = members[0].0.of::<Seat>().is_some() || members[0].0.of::<SuiKey>().is_some();
    let seats = if adds_up { Seats::Several } else { Seats::One };
    Committee::with_seats(&members, seats).expect("distinct keys, or seats")
}

fn shape(kind: CommitmentKind, capacity: usize) -> TranslationShape {
    TranslationShape::fit(&TranslationRequest::new(kind, capacity)).expect("the shape is legal")
}

/// What fills a circuit, whose statement may be false.
#[derive(Clone)]
struct Claim {
    shape: TranslationShape,
    inputs: TranslationInputs,
}

impl Claim {
    /// The set of `set`, and the commitment to `chain`.
    fn new(shape: &TranslationShape, set: &[Member], chain: &[Member]) -> Self {
        let is_beefy = shape.commitment == CommitmentKind::Beefy;
        let key = |member: &Member| {
            if is_beefy {
                authorities::key(&member.public_key)
            } else {
                key(&member.public_key)
            }
        };
        let mut leaves = vec![];
        let format = shape.commitment.scheme().leaf_format();
        for some in set.chunks(format.members()) {
            let mut leaf = format.empty();
            for (i, member) in some.iter().enumerate() {
                leaf.keys[i] = held(&member.public_key);
                leaf.weights[i] = member.weight;
            }
            leaves.push(leaf);
        }
        let commitment = shape.commitment.hash(chain).expect("the commitment holds them");
        let statement = TranslationStatement {
            key_set_root: Fr::zero(),
            commitment,
            members: set.len() as u64,
            total_weight: set.iter().map(|member| member.weight).sum(),
        };
        let keys = chain.iter().map(key).collect();
        let (public, whole) = (statement.public_inputs(), whole(set));
        let inputs = TranslationInputs { public, leaves, whole, keys };
        let mut claim = Self { shape: shape.clone(), inputs: inputs.padded(shape) };
        claim.inputs.keys.truncate(shape.capacity);
        claim.commit();
        claim
    }

    /// Takes the root of the leaves.
    fn commit(&mut self) {
        let TranslationShape { arity, depth, .. } = self.shape;
        let hashes: Vec<_> = self.inputs.leaves.iter().map(Leaf::hash).collect();
        let format = self.shape.commitment.scheme().leaf_format();
        let tree = MerkleTree::new(&hashes, arity, depth, format).expect("they fit");
        self.inputs.whole.tree = tree.root();
        self.open();
    }

    /// Takes the root of the tree, with what else it commits to.
    fn open(&mut self) {
        let whole = &self.inputs.whole;
        let root = match self.shape.commitment.scheme().leaf_format() {
            LeafFormat::Keys(_) => whole.root(),
            LeafFormat::Names => whole.tree,
        };
        self.inputs.public[crate::KEY_SET_ROOT] = root;
    }

    fn circuit(&self) -> GateCircuit {
        record(&self.shape, &self.inputs, Gates::new(&self.shape.layout, false))
    }

    fn holds(&self) -> bool {
        let circuit = self.circuit();
        let public = vec![self.inputs.public.to_vec()];
        let judge = Judge::new(self.shape.degree(), &circuit, public);
        judge.failures().is_empty() && judge.is_confirmed(&circuit, &[])
    }
}

/// A key in the bytes that a circuit is filled from: as chains hash it, in a seat both coordinates, in a group those of an eighth of it.
fn key(key: &PublicKey) -> Vec<u8> {
    if let Some(address) = key.of::<Address>() {
        return [&[0; 12][..], &address.to_bytes()].concat();
    }
    if let Some(numbers) = numbers(key) {
        return numbers.iter().flat_map(coordinate).collect();
    }
    if let Some(point) = key.of::<SubgroupPoint>() {
        let eighth = point.to_affine().divide_by_cofactor();
        return [eighth.x(), eighth.y()].iter().flat_map(PrimeField::to_repr).collect();
    }
    let mut bytes = match key.of::<EmptyPlace>() {
        Some(empty) => {
            let (own, key_type) = (empty.key(), key_type(empty));
            if key_type == KeyType::Bls12381 {
                return bls_place(own);
            }
            let mut bytes = own.to_vec();
            bytes.resize(33, 0);
            bytes.push((key_type == KeyType::Secp256k1).into());
            bytes
        }
        None => key.of::<ed25519::PublicKey>().expect("a key of Ed25519").to_bytes().to_vec(),
    };
    bytes.resize(72, 0);
    bytes
}

/// What a circuit is filled from for a key of BLS12-381: its last 32 bytes, what its type is, and what SHA-256 has for the first block of its
/// leaf, with the rest of that in front of the 32.
fn bls_place(key: &[u8]) -> Vec<u8> {
    let (first, last) = key.split_at(64);
    let absorbed = [&[0, 0x0a, 98, 0x1a, 96], first].concat();
    let (block, rest) = absorbed.split_first_chunk().expect("more than a block");
    let state = native::compress(native::INITIAL, block).map(u32::to_be_bytes);
    [last, &[0, 0, 1], state.as_flattened(), rest].concat()
}

/// The type of the key in an empty place of CometBFT.
fn key_type(place: &EmptyPlace) -> KeyType {
    match place.kind() {
        EmptyKind::Cometbft(key_type) => key_type,
        EmptyKind::Beefy => panic!("an authority of BEEFY"),
    }
}

/// The numbers that the coordinates of a key of BLS12-381 consist of.
fn numbers(key: &PublicKey) -> Option<Vec<BigUint>> {
    fn of<S: Possession>(key: &OwnedKey<S>) -> Vec<BigUint> {
        S::key_numbers(&key.coordinates()).to_vec()
    }
    key.of::<Seat>().map(of).or_else(|| key.of::<SuiKey>().map(of))
}

/// 48 bytes.
fn coordinate(number: &BigUint) -> Vec<u8> {
    let mut bytes = number.to_bytes_le();
    bytes.resize(48, 0);
    bytes.reverse();
    bytes
}

/// What a leaf holds of a key, without its weight.
fn held(key: &PublicKey) -> Vec<Fr> {
    let parts = key.of::<Seat>().map(Seat::parts);
    let parts = parts.or_else(|| key.of::<SuiKey>().map(SuiKey::parts));
    parts.unwrap_or_else(|| vec![key.name()])
}

/// What the root commits to beside the tree, if keys add up.
fn whole(members: &[Member]) -> Whole {
    fn sum<S: Possession>(members: &[Member]) -> Option<Fr> {
        let keys: Option<Vec<_>> =
            members.iter().map(|member| member.public_key.of::<OwnedKey<S>>()).collect();
        keys.map(|keys| OwnedKey::name_of_sum(keys).expect("they do not cancel"))
    }
    let key = sum::<MinPkPopBls12381>(members).or_else(|| sum::<MinSigPopBls12381>(members));
    let Some(key) = key else { return Whole::default() };
    Whole {
        tree: Fr::zero(),
        key,
        weight: members.iter().map(|member| member.weight).sum(),
        members: members.len() as u64,
    }
}

#[test]
fn sets_of_every_size_hold_and_say_what_they_are() {
    for kind in KINDS {
        let shape = shape(kind, 5);
        for count in [1, 2, 3, 5] {
            let members = members(kind, count);
            let witness = shape.witness(&committee(&members)).unwrap();
            let &statement = witness.statement();
            assert_eq!(statement.commitment, kind.hash(&members).unwrap());
            assert_eq!(statement.members, u64::from(count));
            assert_eq!(statement.total_weight, members.iter().map(|one| one.weight).sum::<u64>());
            let public = statement.public_inputs();
            assert_eq!(TranslationStatement::from_public_inputs(&public), Some(statement));
            let circuit = shape.circuit(&witness, false).unwrap();
            let mut judge = Judge::new(shape.degree(), &circuit, vec![public.to_vec()]);
            assert_eq!(judge.failures(), [], "{kind}, {count}");
            assert!(judge.is_confirmed(&circuit, &[]), "{kind}, {count}");
            // Each public input counts by itself, a half of the commitment alone, too.
            for place in 0..public.len() {
                let mut other = public.to_vec();
                other[place] += Fr::one();
                assert!(!judge.holds_for(vec![other]), "{kind}, {count}: {place}");
            }
        }
    }
}

/// The root is the one that `muster root` prints, and keys of the threshold circuit take.
#[test]
fn the_root_is_that_of_the_threshold_circuit() {
    let wanted =
        Request { keys: crate::KeyKind::Address, ..Request::new(Scheme::EcdsaSecp256k1, 5, 2) };
    let committee = committee(&members(CommitmentKind::Addresses, 4));
    let root = wanted.terms().unwrap().tree(&committee).unwrap().root();
    let witness = shape(CommitmentKind::Addresses, 5).witness(&committee).unwrap();
    assert_eq!(witness.statement().key_set_root, root);
}

/// A key changed, dropped, repeated or moved, and a weight changed, in the set or in what the chain hashes: the root, the
/// number and the total are those of the set that is claimed, and the commitment is the chain's.
#[test]
fn another_set_than_the_chains_is_refused() {
    for kind in KINDS {
        let shape = shape(kind, 4);
        let own = members(kind, 3);
        assert!(Claim::new(&shape, &own, &own).holds(), "{kind}");
        let changed = [own[0].clone(), member(kind, 7), own[2].clone()];
        let dropped = [own[0].clone(), own[2].clone()];
        let repeated = [own[0].clone(), own[1].clone(), own[1].clone(), own[2].clone()];
        let moved = [own[1].clone(), own[0].clone(), own[2].clone()];
        let more = members(kind, 4);
        let mut others = vec![
            ("changed", changed.to_vec()),
            ("dropped", dropped.to_vec()),
            ("repeated", repeated.to_vec()),
            ("moved", moved.to_vec()),
            ("one more", more),
        ];
        if matches!(kind, CommitmentKind::Cometbft | CommitmentKind::Axelar) {
            let mut heavier = own.clone();
            heavier[1].weight += 1;
            others.push(("weight", heavier));
        }
        for (name, other) in others {
            assert!(!Claim::new(&shape, &other, &own).holds(), "{kind}: {name}, in the set");
            assert!(!Claim::new(&shape, &own, &other).holds(), "{kind}: {name}, in the chain's");
            // The same with the keys that go with the set in place of those that go with the commitment.
            let mut claim = Claim::new(&shape, &other, &own);
            claim.inputs.keys = Claim::new(&shape, &other, &other).inputs.keys;
            assert!(!claim.holds(), "{kind}: {name}, with its own keys");
        }
        let mut heavier = own.clone();
        heavier[1].weight += 1;
        assert!(!Claim::new(&shape, &heavier, &own).holds(), "{kind}: a weight");
        for place in [MEMBERS, TOTAL_WEIGHT] {
            for by in [Fr::one(), -Fr::one()] {
                let mut claim = Claim::new(&shape, &own, &own);
                claim.inputs.public[place] += by;
                assert!(!claim.holds(), "{kind}: {place}");
            }
        }
    }
}

/// A hash of the same members that is another chain's: with another encoding, or another function.
#[test]
fn the_commitment_of_another_chain_is_refused() {
    for kind in KINDS {
        let shape = shape(kind, 3);
        let own = members(kind, 3);
        let keys: Vec<_> = own.iter().map(|member| key(&member.public_key)).collect();
        let tight: Vec<_> = keys.iter().flat_map(|key| key[12..].to_vec()).collect();
        let whole = keys.concat();
        let mut others =
            vec![keccak256(&tight), sha256(&whole), keccak256(&[&whole[..], &[0]].concat())];
        if kind == CommitmentKind::Beefy {
            others.push(keccak256(&whole));
            others.push(CommitmentKind::Addresses.hash(&own).unwrap());
        }
        if kind == CommitmentKind::Axelar {
            others.extend(other_lists(&own));
        }
        for other in others {
            let mut claim = Claim::new(&shape, &own, &own);
            let statement = TranslationStatement {
                commitment: other,
                ..TranslationStatement::from_public_inputs(&claim.inputs.public).unwrap()
            };
            claim.inputs.public = statement.public_inputs();
            assert!(!claim.holds(), "{kind}");
        }
    }
}

/// What is hashed of the same signers where it is not the accounts and weights in their words: the chain's own hashes, of all that it encodes, among them.
fn other_lists(signers: &[Member]) -> Vec<[u8; 32]> {
    let word = |number: u64| [&[0; 24][..], &number.to_be_bytes()].concat();
    let keys = signers.iter().map(|one| key(&one.public_key)).collect::<Vec<_>>();
    let join = |entry: &dyn Fn(&[u8], u64) -> Vec<u8>| {
        let pairs = keys.iter().zip(signers);
        pairs.flat_map(|(key, signer)| entry(key, signer.weight)).collect::<Vec<_>>()
    };
    let list = join(&|key, weight| [key, &word(weight)].concat());
    assert_eq!(keccak256(&list), CommitmentKind::Axelar.hash(signers).unwrap());
    // Threshold and nonce before it, with the offset and the number.
    let body = [word(0x60), word(2), word(7), word(signers.len() as u64), list.clone()].concat();
    let lists = [
        keys.concat(),
        join(&|key, weight| [&word(weight), key].concat()),
        join(&|key, weight| [key, &weight.to_be_bytes()].concat()),
        join(&|key, weight| [key, &weight.to_le_bytes(), &[0; 24]].concat()),
        join(&|key, weight| [key, &[1], &word(weight)[1..]].concat()),
        [&word(signers.len() as u64)[..], &list].concat(),
        [&list[..], &[0; 64]].concat(),
        list[..list.len() - 1].to_vec(),
        body.clone(),
        [&word(0x20)[..], &body].concat(),
    ];
    lists.iter().map(|list| keccak256(list)).collect()
}

#[test]
fn what_no_translation_can_be_of_is_refused_with_its_reason() {
    let [addresses, cometbft, ..] = KINDS;
    let (shape, own) = (shape(addresses, 2), members(addresses, 3));
    let refused = shape.witness(&committee(&own)).err();
    assert_eq!(refused, Some(Error::TooManyMembers { members: 3, capacity: 2 }));
    let refused = shape.witness(&committee(&members(cometbft, 1))).err();
    assert!(matches!(refused, Some(Error::Commitment(CommitmentError::OtherKey { .. }))));
    let mut heavy = own[..2].to_vec();
    heavy[1].weight = 5;
    let refused = shape.witness(&committee(&heavy)).err();
    assert!(matches!(refused, Some(Error::Commitment(CommitmentError::Weight { weight: 5, .. }))));
    let most = addresses.max_places();
    for capacity in [0, most + 1] {
        let refused = TranslationShape::fit(&TranslationRequest::new(addresses, capacity));
        assert_eq!(refused, Err(Error::Places { capacity, most }));
    }
    for degree in [0, 4, 11, 12, 64] {
        let wanted =
            TranslationRequest { degree: Some(degree), ..TranslationRequest::new(addresses, 2) };
        let refused = TranslationShape::fit(&wanted);
        let smallest = if degree < 13 { 13 } else { 20 };
        assert_eq!(refused, Err(Error::DegreeTooSmall { degree, smallest }));
    }
    let wanted = TranslationRequest { arity: 3, ..TranslationRequest::new(addresses, 2) };
    assert!(matches!(TranslationShape::fit(&wanted), Err(Error::Tree(_))));
}

/// Numbers that are none, as a file may have them.
#[test]
fn other_public_inputs_are_no_statement() {
    let own = members(CommitmentKind::Addresses, 2);
    let public = Claim::new(&shape(CommitmentKind::Addresses, 2), &own, &own).inputs.public;
    assert!(TranslationStatement::from_public_inputs(&public).is_some());
    assert_eq!(TranslationStatement::from_public_inputs(&public[1..]), None);
    for place in 1..public.len() {
        let mut other = public;
        other[place] = -Fr::one();
        assert_eq!(TranslationStatement::from_public_inputs(&other), None, "{place}");
    }
}

/// The sizes around those at which a tree or a column more is taken.
#[test]
fn columns_that_were_counted_hold_the_circuit() {
    let edges = [5usize, 16, 64, 125, 256, 625].into_iter().flat_map(|n| [n - 1, n, n + 1]);
    let sizes = || (1..=12).chain(edges.clone()).chain([1_023, 1_024]);
    let cases = [2, 5, 16].into_iter().flat_map(|arity| sizes().map(move |size| (arity, size)));
    for (arity, capacity) in sampled(cases, 12) {
        let open = TranslationRequest::new(CommitmentKind::Semaphore, capacity);
        for degree in 11..=16 {
            let request = TranslationRequest { arity, degree: Some(degree), ..open.clone() };
            match TranslationShape::fit(&request) {
                Ok(shape) => assert!(has_room(&shape), "{request:?}"),
                Err(error) => assert!(matches!(error, Error::DegreeTooSmall { .. }), "{error}"),
            }
        }
    }
}
