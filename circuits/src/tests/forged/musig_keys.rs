//! The aggregate key: whose keys are in it.

use super::*;

const SCHEME: Scheme = Scheme::Musig;

fn signed_by(claim: &Claim, signing: &[Entry]) -> Claim {
    let mut other = claim.clone();
    other.inputs.signatures =
        sign_all(&claim.shape, claim.public[0], signing, &claim.inputs.message);
    other
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
        let secret = b.secret + d.secret;
        let message = claim.inputs.message;
        let plain = sign(SCHEME, &secret, &times_generator(&secret), &message);
        claim.assert_refused_after("plain sum", |inputs| inputs.signatures[0] = plain);
        // Coefficients of another root.
        let other = sign_all(&claim.shape, Fr::from(5), &[b, d], &message);
        claim.assert_refused_after("other root", |inputs| inputs.signatures = other);
        // A Schnorr signature by the aggregate key.
        let parts = [b, d].map(|entry| entry.secret * coefficient(&claim.public[0], &entry.point));
        let secret: Scalar = parts.iter().sum();
        let schnorr = sign(Scheme::Schnorr, &secret, &times_generator(&secret), &message);
        claim.assert_refused_after("another scheme", |inputs| inputs.signatures[0] = schnorr);
    }
}

/// The key of a slot that is not used is not in the sum, whatever it is.
#[test]
fn the_key_of_an_unused_slot() {
    for mode in MODES {
        let claim = Claim::new(&small(SCHEME, mode), &members(4), &[2]);
        assert!(claim.holds());
        let padding = Entry { secret: Scalar::ONE, point: RawPoint::generator(), weight: 0 };
        assert!(!signed_by(&claim, &[Entry::new(2), padding]).holds(), "{mode:?}");
        assert!(!signed_by(&claim, &[padding]).holds(), "{mode:?}");
    }
    let claim = Claim::new(&small(SCHEME, Mode::Path), &members(4), &[2]);
    let rogue = Entry { weight: 0, ..Entry::new(99) };
    let mut bad = claim.clone();
    bad.inputs.slots[1].public_key = rogue.point;
    assert!(bad.holds(), "declared: a key of weight 0 is in no sum");
    let signing = [Entry::new(2), rogue];
    assert!(!signed_by(&bad, &signing).holds());
}

/// The witness of a run in which the slot was used, with its weight written over by zero: the mask of the
/// coefficient must notice.
#[test]
fn a_coefficient_that_is_not_masked() {
    let weight = 0x5eed;
    for mode in MODES {
        let mut entries = members(4);
        entries[3].weight = weight;
        let claim = Claim::new(&small(SCHEME, mode), &entries, &[1, 3]);
        assert!(claim.holds());
        let grid = claim.grid();
        let [_, poseidon, range, vertical] = gates(&claim.shape);
        let mut forged = grid.replace(&[(Fr::from(weight), Fr::zero())]);
        assert!(forged.len() >= 4, "the weight is checked, hashed, tested and summed");
        assert!(!claim.holds_with(forged.clone()), "{mode:?}");
        forged.retain(|f| !poseidon.contains(&f.column));
        assert!(!claim.holds_with(forged.clone()), "{mode:?}");
        forged.retain(|f| vertical.contains(&f.column) || range.contains(&f.column));
        assert!(!claim.holds_with(forged), "{mode:?}");
    }
}

/// The sum of the keys is the identity if they cancel: with coefficients from a hash that takes a solution
/// of one equation in the secrets, which whoever holds all of them can find.
#[test]
fn keys_that_cancel() {
    let shape = small(SCHEME, Mode::WholeSet);
    let claim = Claim::small(SCHEME, Mode::WholeSet);
    // No keys can be chosen so under the root that they are in; the aggregate is forged instead.
    let signing = [Entry::new(1), Entry::new(3)];
    let parts = signing.iter().map(|e| e.secret * coefficient(&claim.public[0], &e.point));
    let aggregate = times_generator(&parts.sum());
    let identity = [(aggregate.x, Fr::zero()), (aggregate.y, Fr::one())];
    claim.assert_refused_with("aggregate", &identity);
    // And another key of the prover's choice, for which it signs.
    let secret = Scalar::from(4711);
    let own = times_generator(&secret);
    let mut bad = claim.clone();
    bad.inputs.signatures = vec![sign(SCHEME, &secret, &own, &claim.inputs.message)];
    bad.assert_refused_with("aggregate", &[(aggregate.x, own.x), (aggregate.y, own.y)]);
    assert_eq!(shape, claim.shape);
}
