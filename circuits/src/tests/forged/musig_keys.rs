//! The aggregate key: whose keys are in it, in which order, and with which coefficients.

use muster_schemes::signature::musig::KeyAggregation;
use num_bigint::BigUint;

use super::*;
use crate::{Error, Rejection};

const SCHEME: Scheme = Scheme::Musig;

/// The claim with the signature of a secret under its own key.
fn signed_with(claim: &Claim, secret: &Scalar) -> Claim {
    let mut other = claim.clone();
    let key = times_generator(secret);
    other.inputs.signatures = vec![sign(SCHEME, secret, &key, &claim.inputs.message)];
    other
}

/// The claim with the signature of a list of signers.
fn signed_by(claim: &Claim, signing: &[Entry]) -> Claim {
    let coefficients = coefficients(&claim.public[0], signing);
    signed_with(claim, &aggregate_secret(&coefficients, signing))
}

/// Members 1, 3, 4, 6 and 8 of nine in eight slots: two blocks of the list, the second not full.
fn five(mode: Mode) -> Claim {
    Claim::new(&shape(SCHEME, mode, 9, 8), &members(9), &[1, 3, 4, 6, 8])
}

#[test]
fn signatures_of_other_signers() {
    for mode in MODES {
        let claim = Claim::small(SCHEME, mode);
        let [a, b, c, d] = [0, 1, 2, 3].map(Entry::new);
        assert!(signed_by(&claim, &[b, d]).holds());
        for signing in [vec![a, c], vec![b], vec![d], vec![a, b, d], vec![b, c], vec![b, d, d]] {
            assert!(!signed_by(&claim, &signing).holds(), "{mode:?}");
        }
        // Keys summed without coefficients, where a rogue key would cancel an honest one.
        assert!(!signed_with(&claim, &(b.secret + d.secret)).holds(), "{mode:?}");
        // A Schnorr signature by the aggregate key.
        let secret = aggregate_secret(&coefficients(&claim.public[0], &[b, d]), &[b, d]);
        let message = claim.inputs.message;
        let schnorr = sign(Scheme::Schnorr, &secret, &times_generator(&secret), &message);
        claim.assert_refused_after("another scheme", |inputs| inputs.signatures[0] = schnorr);
    }
}

/// All but one of the signers, one more, and another in the place of one.
#[test]
fn signatures_of_a_part_and_of_more() {
    for mode in MODES {
        let claim = five(mode);
        let signing = [1, 3, 4, 6, 8].map(Entry::new);
        assert!(signed_by(&claim, &signing).holds(), "{mode:?}");
        for place in 0..5 {
            let mut part = signing.to_vec();
            part.remove(place);
            assert!(!signed_by(&claim, &part).holds(), "{mode:?}");
            let mut other = signing;
            other[place] = Entry::new(5);
            assert!(!signed_by(&claim, &other).holds(), "{mode:?}");
        }
        for more in [Entry::new(0), Entry::new(7), Entry::generator(0)] {
            let more = [&signing[..], &[more]].concat();
            assert!(!signed_by(&claim, &more).holds(), "{mode:?}");
        }
    }
}

/// A list in another order has other coefficients, and slots are in the order of the set.
#[test]
fn a_list_in_another_order() {
    for mode in MODES {
        let claim = five(mode);
        let signing = [1, 3, 4, 6, 8].map(Entry::new);
        for (left, right) in [(0, 1), (1, 2), (3, 4), (0, 4)] {
            let mut other = signing;
            other.swap(left, right);
            let mut bad = signed_by(&claim, &other);
            assert!(!bad.holds(), "{mode:?}");
            // The slots in that order too: the aggregate is the signers', but indices decrease.
            bad.inputs.slots.swap(left, right);
            assert_eq!(bad.refused_by(vec![]), ["range"], "{mode:?}");
        }
    }
}

/// Coefficients that are not those of the list: of another root, of each signer alone, of a longer
/// list, exchanged, or one for all.
#[test]
fn coefficients_of_something_else() {
    for mode in MODES {
        let claim = five(mode);
        let root = claim.public[0];
        let signing = [1, 3, 4, 6, 8].map(Entry::new);
        let honest = coefficients(&root, &signing);
        assert!(signed_with(&claim, &aggregate_secret(&honest, &signing)).holds(), "{mode:?}");
        let padded = |count: usize| {
            let mut list = signing.to_vec();
            list.resize(count, Entry::generator(0));
            list
        };
        // A block is filled up with generators: within it they change nothing.
        assert_eq!(coefficients(&root, &padded(8))[..5], honest[..]);
        let exchanged = |left: usize, right: usize| {
            let mut other = honest.clone();
            other.swap(left, right);
            other
        };
        let everyone = coefficients(&root, &members(9));
        for other in [
            coefficients(&Fr::from(5), &signing),
            signing.iter().map(|entry| coefficients(&root, &[*entry])[0]).collect(),
            coefficients(&root, &padded(9))[..5].to_vec(),
            [1, 3, 4, 6, 8].map(|member| everyone[member]).to_vec(),
            everyone[..5].to_vec(),
            exchanged(0, 1),
            exchanged(1, 2),
            exchanged(3, 4),
            vec![honest[0]; 5],
            vec![Scalar::ONE; 5],
            honest.iter().map(|a| -*a).collect(),
        ] {
            assert_ne!(other, honest);
            let bad = signed_with(&claim, &aggregate_secret(&other, &signing));
            assert!(!bad.holds(), "{mode:?}");
        }
    }
}

/// The coefficients in the product are the halves of what is squeezed: the digits of another run do
/// not fit, nor does another element.
#[test]
fn coefficients_written_over() {
    for mode in MODES {
        let claim = Claim::small(SCHEME, mode);
        let grid = claim.grid();
        let a = integers(&coefficients(&claim.public[0], &[1, 3].map(Entry::new)));
        for changes in [
            vec![(a[0], a[1]), (a[1], a[0])],
            vec![(a[0], a[1])],
            vec![(a[0], a[0] + Fr::from(2))],
            vec![(a[0], -a[0])],
        ] {
            let forged = grid.replace(&changes);
            assert!(!forged.is_empty(), "the coefficients stand on the vertical gate");
            assert!(!claim.holds_with(forged), "{mode:?}");
        }
    }
}

/// Slots that are not in use have the generator for their key. Another key of weight 0 is refused,
/// whether or not it signs, and though the set, or the leaf that the slot brings, names it.
#[test]
fn the_key_of_an_unused_slot() {
    for mode in MODES {
        let shape = small(SCHEME, mode);
        let claim = Claim::new(&shape, &members(4), &[2]);
        assert!(claim.holds());
        let signer = Entry::new(2);
        assert!(!signed_by(&claim, &[signer, Entry::generator(0)]).holds(), "{mode:?}");
        assert!(!signed_by(&claim, &[Entry::generator(0)]).holds(), "{mode:?}");

        let mut entries = members(4);
        entries[3] = Entry::generator(0);
        let honest = signed_by(&Claim::new(&shape, &entries, &[2, 3]), &[signer]);
        assert!(honest.holds(), "{mode:?}");
        let stranger = Entry { weight: 0, ..Entry::new(99) };
        let negative =
            Entry { secret: -Scalar::ONE, point: times_generator(&-Scalar::ONE), weight: 0 };
        for rogue in [stranger, negative] {
            entries[3] = rogue;
            let bad = Claim::new(&shape, &entries, &[2, 3]);
            for signing in [&[signer][..], &[signer, rogue], &[rogue]] {
                assert!(!signed_by(&bad, signing).holds(), "{mode:?}");
            }
            // The sum that the circuit makes of it, for which the prover signs: the key alone is wrong.
            let list = coefficients(&bad.public[0], &[signer, rogue]);
            let secret = aggregate_secret(&list, &[signer, rogue]) - list[1];
            assert_eq!(signed_with(&bad, &secret).refused_by(vec![]), ["gate"], "{mode:?}");
            let mut path = Claim::new(&shape, &members(4), &[2]);
            claim_key(&mut path.inputs.slots[1], rogue.point);
            for signing in [&[signer][..], &[signer, rogue]] {
                assert!(!signed_by(&path, signing).holds(), "{mode:?}");
            }
        }
    }
}

/// The list of keys is that of the slots in use, which come first.
#[test]
fn a_used_slot_behind_one_that_is_not() {
    for mode in MODES {
        let shape = shape(SCHEME, mode, 8, 6);
        let mut entries = members(8);
        for unused in [1, 2, 3, 4] {
            entries[unused] = Entry::generator(0);
        }
        let [first, last] = [entries[0], entries[5]];
        // Behind the signers such members do no harm.
        let behind = signed_by(&Claim::new(&shape, &entries, &[0, 1, 2]), &[first]);
        assert!(behind.holds(), "{mode:?}");
        for signers in [&[0, 1, 5][..], &[1, 5], &[0, 1, 2, 3, 5], &[1, 2, 3, 4, 5]] {
            let bad = Claim::new(&shape, &entries, signers);
            let slots: Vec<_> = signers.iter().map(|member| entries[*member]).collect();
            let used: Vec<_> = slots.iter().filter(|slot| slot.weight > 0).copied().collect();
            for signing in [&used, &slots] {
                let bad = signed_by(&bad, signing);
                assert!(!bad.holds(), "{mode:?}, {signers:?}");
            }
            // What the circuit would sum up for these places, were it not for their order.
            let mut list = slots.clone();
            list.resize(slots.len().next_multiple_of(4), Entry::generator(0));
            let places = coefficients(&bad.public[0], &list);
            let of_used = places.iter().zip(&slots).filter(|(_, slot)| slot.weight > 0);
            let secret: Scalar = of_used.map(|(a, slot)| *a * slot.secret).sum();
            let by = signed_with(&bad, &secret).refused_by(vec![]);
            assert!(by.contains(&"gate"), "{mode:?}, {signers:?}");
        }
        let honest = Claim::new(&shape, &entries, &[0, 5]);
        assert!(signed_by(&honest, &[first, last]).holds(), "{mode:?}");
    }
}

/// The witness of a run in which the slot was used, with its weight written over by zero: the bit that
/// says so must notice, and with the bit the term that takes the generator out.
#[test]
fn a_weight_written_over_by_zero() {
    let weight = 0x5eed;
    for mode in MODES {
        let mut entries = members(4);
        entries[3] = Entry::generator(weight);
        let mut claim = Claim::new(&small(SCHEME, mode), &entries, &[1, 3]);
        claim.inputs.threshold = 1;
        claim.public = public_inputs(&claim.inputs);
        assert!(claim.holds());
        let grid = claim.grid();
        let [edwards, _, range, vertical] = gates(&claim.shape);
        let weight = Fr::from(weight);
        let forged = grid.replace(&[(weight, Fr::zero())]);
        assert!(forged.len() >= 4, "the weight is checked, packed, tested and summed");
        assert!(!claim.holds_with(forged.clone()), "{mode:?}");
        for columns in [edwards, range, vertical] {
            let some: Vec<_> =
                forged.iter().filter(|f| columns.contains(&f.column)).copied().collect();
            assert!(some.is_empty() || !claim.holds_with(some), "{mode:?}");
        }
        // The bit is `1 - weight·inverse`.
        let inverse = weight.invert().expect("it is not zero");
        claim.assert_refused_with("inverse", &[(inverse, Fr::zero())]);
        claim
            .assert_refused_with("weight, inverse", &[(inverse, Fr::zero()), (weight, Fr::zero())]);
    }
}

/// The term of the generator takes out the coefficients of the slots that are not in use: `t` is odd,
/// `b·l - Σ aᵢ` for a bit `b`, and nothing else.
#[test]
fn a_surplus_that_is_forged() {
    for mode in MODES {
        let claim = Claim::new(&small(SCHEME, mode), &members(4), &[2]);
        assert!(claim.holds());
        let grid = claim.grid();
        let vertical = gates(&claim.shape)[3].clone();
        let list = [Entry::new(2), Entry::generator(0)];
        let [kept, idle] = integers(&coefficients(&claim.public[0], &list))[..] else {
            panic!("two slots")
        };
        let (zero, one, t, order) = (Fr::zero(), Fr::one(), -idle, order());
        assert!(!grid.rows(SUM, t).is_empty(), "the digits of t add up to it");
        let (column, row) = grid.find(vertical, &[t, one, idle, zero, -order, zero, zero]);
        // Cells of the relation: t, Σ aᵢ, their sum and the bit.
        let refused = |name: &str, [value, sum, both, bit]: [Fr; 4], digits: bool| {
            let cells = [(row, value), (row + 2, sum), (row + 3, both), (row + 5, bit)];
            let cells = cells.map(|(row, value)| Forged { column, row, value }).to_vec();
            assert!(!claim.holds_with(cells.clone()), "{mode:?}, {name}");
            if digits {
                let mut forged = cells;
                forged.extend(grid.replace(&[(t, value)]));
                assert!(!claim.holds_with(forged), "{mode:?}, {name}, with its digits' sum");
            }
        };
        refused("the bit", [t, idle, zero, one], false);
        refused("l more", [t + order, idle, order, one], true);
        refused("l less", [t - order, idle, -order, -one], true);
        refused("nothing taken out", [order, zero, order, one], true);
        refused("the signer taken out", [-kept, kept, zero, zero], true);
        refused("both taken out", [t - kept, idle + kept, zero, zero], true);
        refused("put in", [idle, -idle, zero, zero], true);
    }
}

/// The generator is a member of weight 4 and does not sign. All but the weights is taken from a run in
/// which its slot is not in use, so that `t` takes its key out of the sum.
#[test]
fn a_surplus_of_another_run() {
    let mut entries = members(4);
    entries[3] = Entry::generator(4);
    let shape = small(SCHEME, Mode::WholeSet);
    let alone = Claim::new(&shape, &entries, &[2]);
    let both = Claim::new(&shape, &entries, &[2, 3]);
    assert!(alone.holds() && both.holds());
    let bad = signed_by(&both, &[entries[2]]);
    assert!(!bad.holds());
    let (good, grid) = (alone.grid(), bad.grid());
    let list = [entries[2], Entry::generator(0)];
    let a = integers(&coefficients(&bad.public[0], &list))[1];
    let [edwards, poseidon, range, vertical] = gates(&shape);
    let [zero, one, three, four, seven] = [0, 1, 3, 4, 7].map(Fr::from);
    let (column, relation) = good.find(vertical.clone(), &[-a, one, a, zero, -order(), zero, zero]);
    let total = grid.find(vertical.clone(), &[zero, one, three, three, one, four, seven]);
    // The rows that look members up stay, the gap between them, and what the threshold is above zero.
    let looked_up = grid.looked_up(&entries[3]);
    let mut forged = grid.take(&good, edwards);
    forged.retain(|f| f.row > looked_up);
    forged.extend(grid.take(&good, poseidon));
    let checks = grid.take(&good, range);
    forged.extend(&checks[1..checks.len() - 1]);
    let between =
        |f: &Forged| (column, relation + 6) < (f.column, f.row) && (f.column, f.row) < total;
    forged.extend(grid.take(&good, vertical).into_iter().filter(between));
    // The relation is that of the run in which both sign, but not of the digits in the product.
    assert_eq!(bad.refused_by(forged.clone()), ["copy"]);
    // `t = b·l` for a `b` that is no bit.
    let bit = -a * order().invert().expect("it is not zero");
    let cells = [(0, -a), (3, -a), (5, bit)].map(|(below, value)| (relation + below, value));
    let bits = [1, 2, 3, 5].map(|above| (relation - above, bit));
    let cells = cells.into_iter().chain(bits);
    forged.extend(cells.map(|(row, value)| Forged { column, row, value }));
    assert_eq!(bad.refused_by(forged), ["gate"]);
}

/// The sum of the keys is the identity if they cancel: with coefficients from a hash that takes a
/// solution of one equation in the secrets, which whoever holds all of them can find.
#[test]
fn keys_that_cancel() {
    for mode in MODES {
        let claim = Claim::small(SCHEME, mode);
        // No keys can be chosen so under the root that they are in; the aggregate is forged instead.
        let signing = [Entry::new(1), Entry::new(3)];
        let secret = aggregate_secret(&coefficients(&claim.public[0], &signing), &signing);
        let aggregate = times_generator(&secret);
        let identity = [(aggregate.x, Fr::zero()), (aggregate.y, Fr::one())];
        claim.assert_refused_with("aggregate", &identity);
        // And another key of the prover's choice, for which it signs.
        let secret = Scalar::from(4711);
        let own = times_generator(&secret);
        let bad = signed_with(&claim, &secret);
        bad.assert_refused_with("aggregate", &[(aggregate.x, own.x), (aggregate.y, own.y)]);
    }
}

/// The native rules know one order of a list, that of the set.
#[test]
fn the_native_rules_sort_the_signers() {
    let honest = case(&request(SCHEME, 6, 4, Mode::WholeSet), &[4, 0, 2], 5);
    assert!(honest.is_valid());
    let Signatures::Aggregate { members, signature } = &honest.signatures else { unreachable!() };
    assert_eq!(*members, [4, 0, 2]);
    let member = |i: usize| honest.committee.members()[i].public_key.of::<SubgroupPoint>();
    let keys = [4, 0, 2].map(|i| *member(i).expect("a key of Baby Jubjub"));
    let root = honest.statement.key_set_root;
    let aggregate = |keys: &[SubgroupPoint]| {
        KeyAggregation::new(&root, keys).expect("distinct keys").aggregate()
    };
    assert_ne!(aggregate(&keys), aggregate(&[keys[1], keys[2], keys[0]]));
    for other in [vec![0, 2], vec![0, 2, 3], vec![0, 2, 3, 4]] {
        let signature = signature.clone();
        let signatures = Signatures::Aggregate { members: other, signature };
        let (shape, statement) = (honest.shape.clone(), honest.statement.clone());
        let other = Case { shape, statement, committee: honest.committee.clone(), signatures };
        let verdict = other.witness().map(|_| ());
        assert!(matches!(verdict, Err(Error::Rejected(Rejection::Aggregate { .. }))));
        assert!(!satisfied(&other.shape, &other.inputs(), other.statement.public_inputs()));
    }
}

/// `l` in the field.
fn order() -> Fr {
    let largest = Option::<Fr>::from(Fr::from_repr((-Scalar::ONE).to_bytes()));
    largest.expect("below the modulus") + Fr::one()
}

/// Scalars as the integers next to zero that they stand for.
fn integers(scalars: &[Scalar]) -> Vec<Fr> {
    let fe = |s: &Scalar| Option::<Fr>::from(Fr::from_repr(s.to_bytes())).expect("below the order");
    let size = |s: &Scalar| BigUint::from_bytes_le(&s.to_bytes());
    let nearest = |s: &Scalar| if size(s) < size(&-*s) { fe(s) } else { -fe(&-*s) };
    scalars.iter().map(nearest).collect()
}
