//! Keys and nonce commitments that are no points of the subgroup of prime order.

use muster_schemes::curve::edwards::{torsion_point, AffinePoint, Point};

use super::*;

fn raw(point: impl Into<Point>) -> RawPoint {
    let point = point.into().to_affine();
    RawPoint { x: point.x(), y: point.y() }
}

fn plus(left: RawPoint, right: RawPoint) -> RawPoint {
    let [left, right] = [left, right]
        .map(|RawPoint { x, y }| Point::from(AffinePoint::new(x, y).expect("on the curve")));
    raw(left + right)
}

/// Points of order 8, 4 and 2.
fn torsion() -> Vec<RawPoint> {
    let mut point = Point::from(torsion_point());
    let mut points = vec![];
    for _ in 0..3 {
        points.push(raw(point.to_affine()));
        point = point.double();
    }
    assert!(point.is_identity());
    points
}

/// Points that a rule forbids, by the rule, beside the honest point `point`.
fn forbidden(point: RawPoint) -> Vec<(&'static str, RawPoint)> {
    let mut points = vec![
        ("identity", RawPoint { x: Fr::zero(), y: Fr::one() }),
        ("zero", RawPoint { x: Fr::zero(), y: Fr::zero() }),
        ("off the curve", RawPoint { x: point.x + Fr::one(), y: point.y }),
        ("order 2·l", RawPoint { x: point.x, y: -point.y }),
        ("off the curve, with x = 1", RawPoint { x: Fr::one(), y: Fr::one() }),
    ];
    points.extend(torsion().into_iter().map(|torsion| ("small order", torsion)));
    points.extend(torsion().into_iter().map(|torsion| ("order 8·l", plus(point, torsion))));
    points
}

#[test]
fn the_oracle_agrees_on_what_is_forbidden() {
    let honest = times_generator(&Scalar::from(5));
    assert!(SubgroupPoint::from_coordinates(honest.x, honest.y).is_ok());
    for (rule, point) in forbidden(honest) {
        assert!(SubgroupPoint::from_coordinates(point.x, point.y).is_err(), "{rule}");
        let on_curve = AffinePoint::new(point.x, point.y).is_some();
        let expected = rule != "zero" && !rule.starts_with("off the curve");
        assert_eq!(on_curve, expected, "{rule}");
    }
}

/// A set with a bad key: its leaf is under the root and its signature is made for it, so nothing but the
/// check of the key stands in the way.
#[test]
fn bad_keys() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let shape = small(scheme, mode);
            for (rule, point) in forbidden(Entry::new(3).point) {
                let mut entries = members(4);
                entries[3].point = point;
                if rule == "identity" {
                    entries[3].secret = Scalar::ZERO;
                }
                let bad = Claim::new(&shape, &entries, &[1, 3]);
                assert!(!bad.holds(), "{rule}: {scheme}, {mode:?}");
                // (x, -y) is the negative of the key but for torsion.
                entries[3].secret = -entries[3].secret;
                let bad = Claim::new(&shape, &entries, &[1, 3]);
                assert!(!bad.holds(), "{rule}, negative: {scheme}, {mode:?}");
                // A bad key that does not sign does no harm.
                if mode == Mode::WholeSet && scheme == Scheme::Schnorr {
                    assert!(Claim::new(&shape, &entries, &[1, 2]).holds(), "{rule}");
                }
            }
        }
    }
}

/// A leaf holds the first coordinate alone, which `(x, y)` and `(x, -y)` share: what tells them
/// apart is that a key is eight times a point. `(x, -y)` is `-P` and a point of order 2.
#[test]
fn the_other_point_of_a_first_coordinate() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let claim = Claim::small(scheme, mode);
            let signer = Entry::new(3);
            let other = RawPoint { x: signer.point.x, y: -signer.point.y };
            let negative = times_generator(&-signer.secret);
            assert_eq!(plus(other, torsion()[2]).x, negative.x);
            let mut bad = claim.clone();
            for secret in [signer.secret, -signer.secret] {
                let signing = [Entry::new(1), Entry { secret, point: other, weight: 4 }];
                bad.inputs.slots[1].public_key = other;
                bad.inputs.signatures =
                    sign_all(&claim.shape, claim.public[0], &signing, &claim.inputs.message);
                assert!(!bad.holds(), "{scheme}, {mode:?}");
                // The generator of witnesses took `-P` for the key.
                bad.assert_refused_with("x", &[(negative.x, other.x)]);
                bad.assert_refused_with("y", &[(negative.x, other.x), (negative.y, other.y)]);
            }
            // The negative of a member's key is no member: its secret is known to the member.
            let signing =
                [Entry::new(1), Entry { secret: -signer.secret, point: negative, weight: 4 }];
            bad.inputs.slots[1].public_key = negative;
            bad.inputs.signatures =
                sign_all(&claim.shape, claim.public[0], &signing, &claim.inputs.message);
            assert!(!bad.holds(), "{scheme}, {mode:?}");
            assert_ne!(negative.x, signer.point.x);
        }
    }
}

/// The honest generator puts `8·Q` where a bad key should stand; here the bad key is written over it, in
/// the table, the leaf, the challenge and everywhere else.
#[test]
fn bad_keys_with_their_coordinates_forged() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let claim = Claim::small(scheme, mode);
            let RawPoint { x, y } = Entry::new(3).point;
            for (rule, bad) in forbidden(Entry::new(3).point) {
                let changes: Vec<_> =
                    [(x, bad.x), (y, bad.y)].into_iter().filter(|(a, b)| a != b).collect();
                claim.assert_refused_with(rule, &changes);
            }
        }
    }
}

/// The inverse of the first coordinate is what tells a key from the identity.
#[test]
fn the_identity_with_its_inverse_forged() {
    for scheme in EMBEDDED {
        let mut entries = members(4);
        entries[3].point = RawPoint { x: Fr::zero(), y: Fr::one() };
        entries[3].secret = Scalar::ZERO;
        let bad = Claim::new(&small(scheme, Mode::WholeSet), &entries, &[1, 3]);
        let good = Claim::small(scheme, Mode::WholeSet).grid();
        let grid = bad.grid();
        // In the good witness the inverse follows the key's coordinate on the vertical gate.
        let vertical = gates(&bad.shape)[3].start;
        let x = Entry::new(3).point.x;
        let row = good.0[vertical].iter().position(|cell| *cell == x).expect("x has an inverse");
        assert_eq!(good.0[vertical][row + 1] * x, Fr::one());
        assert_eq!(grid.0[vertical][row], Fr::zero());
        // `0 + x·x⁻¹` shall be 1: the product, the coordinate, or what is added to.
        for (row, value) in [(row + 2, Fr::zero()), (row, x), (row - 1, Fr::one())] {
            let forged = vec![Forged { column: vertical, row, value }];
            assert!(!bad.holds_with(forged), "{scheme}");
        }
        let row = (row, x, good.0[vertical][row + 1]);
        let forged = [(row.0, row.1), (row.0 + 1, row.2)];
        let forged = forged.map(|(row, value)| Forged { column: vertical, row, value }).to_vec();
        assert!(!bad.holds_with(forged), "{scheme}");
    }
}

#[test]
fn bad_nonce_commitments() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let claim = Claim::small(scheme, mode);
            let signer = Entry::new(1);
            let (secret, key) = match scheme {
                Scheme::Musig => {
                    let signing = [signer, Entry::new(3)];
                    let secret =
                        aggregate_secret(&coefficients(&claim.public[0], &signing), &signing);
                    (secret, times_generator(&secret))
                }
                _ => (signer.secret, signer.point),
            };
            let message = claim.inputs.message;
            let nonce = Scalar::from(31_337);
            let honest = times_generator(&nonce);
            let signature = sign_with(scheme, &secret, &key, &message, (nonce, honest));
            let mut other = claim.clone();
            other.inputs.signatures[0] = signature;
            assert!(other.holds(), "{scheme}, {mode:?}");
            for (rule, r) in forbidden(honest) {
                // What the point stands for: the honest nonce, or none where it is a multiple of nothing.
                let nonces =
                    if rule == "order 8·l" { vec![nonce] } else { vec![Scalar::ZERO, nonce] };
                for nonce in nonces {
                    let bad = sign_with(scheme, &secret, &key, &message, (nonce, r));
                    claim.assert_refused_after(rule, |inputs| inputs.signatures[0] = bad);
                }
                let changes: Vec<_> = [(honest.x, r.x), (honest.y, r.y)]
                    .into_iter()
                    .filter(|(a, b)| a != b)
                    .collect();
                if mode == Mode::WholeSet {
                    other.assert_refused_with(rule, &changes);
                }
            }
        }
    }
}

/// Declared: an `R` with torsion added stands for the point without it, since the witness generator divides
/// by the cofactor. The circuit proves a signature with the latter.
#[test]
fn torsion_of_a_nonce_commitment_is_dropped() {
    for scheme in INDEPENDENT {
        let claim = Claim::small(scheme, Mode::WholeSet);
        let mut other = claim.clone();
        let RawSignature { x, y, s } = claim.inputs.signatures[0];
        let RawPoint { x, y } = plus(RawPoint { x, y }, torsion()[0]);
        other.inputs.signatures[0] = RawSignature { x, y, s };
        assert!(other.holds(), "{scheme}");
        assert!(Signature::try_from(other.inputs.signatures[0]).is_err());
    }
}
