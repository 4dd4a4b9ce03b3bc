//! Rules on s, the naming of members, and kinds of keys and messages.

use super::*;
use crate::Suite;
use muster_schemes::signature::cometbft::KeyType;

/// (r, n - s), which only a rule on s tells from (r, s).
fn negated(signature: &Signature) -> Signature {
    if let Some((signature, id)) = signature.of::<(ecdsa::Signature, ecdsa::RecoveryId)>() {
        return (signature.negate(), id.negate()).into();
    }
    signature.of::<ecdsa::Signature>().map_or(signature.clone(), |known| known.negate().into())
}

#[test]
fn the_rule_on_s() {
    for kind in &KINDS[..3] {
        for rule in [Rule::LowS, Rule::AnyS] {
            let mut case = foreign_case(*kind, &[1]);
            case.shape = fit(&Request { rule: Some(rule), ..wanted(*kind) });
            let either = [case.list()[0].1.clone(), negated(&case.list()[0].1)];
            let verdicts = either.map(|signature| {
                case.list()[0].1 = signature;
                case.verdict()
            });
            if rule == Rule::AnyS {
                assert_eq!(verdicts, [Ok(()), Ok(())]);
            } else {
                let high = Rejection::Signature { member: 1, rule: SignatureError::HighS };
                assert!(verdicts.contains(&Ok(())));
                assert!(verdicts.contains(&Err(Error::Rejected(high))));
            }
        }
    }
}

#[test]
fn kinds_are_not_mixed_up() {
    for kind in KINDS {
        let case = foreign_case(kind, &[1]);
        for other in KINDS.into_iter().filter(|other| *other != kind) {
            // Keys of one kind under a shape of another. BIP-340 keys are keys of secp256k1, too, and
            // those with an even y the other way round; the signatures are told apart in any case.
            let shape = fit(&wanted(other));
            let verdict = verify(&shape, &case.statement, &case.committee, &case.signatures);
            let suite = shape.suite().expect("it has these choices");
            let refused = match verdict {
                Err(Error::WrongKind(scheme)) => scheme == other.0,
                Err(Error::WrongKey { suite: found, .. }) => *found == suite,
                _ => false,
            };
            assert!(refused, "{kind:?} {other:?}");
            let mut signatures = foreign_case(kind, &[1]);
            signatures.signatures = foreign_case(other, &[1]).signatures;
            let verdict = signatures.verdict();
            let other_curve = matches!(
                verdict,
                Err(Error::Rejected(Rejection::Signature {
                    rule: SignatureError::WrongCurve { .. },
                    ..
                }))
            );
            assert!(other_curve || verdict == Err(Error::WrongKind(kind.0)), "{kind:?} {other:?}");
        }
        let mut case = foreign_case(kind, &[1]);
        case.statement.message = Fr::one().into();
        assert_eq!(case.verdict(), Err(Error::WrongMessage(kind.0)));
    }
    let mut odd = (0..).map(|i| signer(KINDS[0], i, &DIGEST).0);
    let odd = odd.find(|key| key.of::<Point>().is_some_and(Point::is_odd));
    let odd = odd.expect("half of all keys are");
    assert_eq!(Scheme::EcdsaSecp256k1.suite().admits(&odd), Ok(()));
    let admits = |scheme: Scheme| scheme.suite().admits(&odd);
    assert_eq!(admits(Scheme::SchnorrSecp256k1), Err(SignatureError::OddKey));
    let curve = PointError::WrongCurve { expected: Curve::P256, found: Curve::Secp256k1 };
    assert_eq!(admits(Scheme::EcdsaP256), Err(SignatureError::Key(curve)));
    for scheme in [Scheme::Schnorr, Scheme::Eddsa, Scheme::Musig, Scheme::Ed25519] {
        assert_eq!(admits(scheme), Err(SignatureError::OtherKey));
    }
    let by_address = Suite::new(Scheme::EcdsaSecp256k1, KeyKind::Address, None, None);
    let by_address = by_address.expect("it has addresses");
    assert_eq!(by_address.admits(&odd), Err(SignatureError::OtherKey));
    // Each scheme has empty places of one kind, or none.
    let authority = EmptyPlace::new(EmptyKind::Beefy, &[]).expect("no address");
    let validator = EmptyKind::Cometbft(KeyType::Secp256k1);
    let validator = EmptyPlace::new(validator, &[2; 33]).expect("a key of another type");
    let suites = Scheme::ALL.iter().map(|scheme| scheme.suite()).chain([by_address]);
    for suite in suites {
        let admits = |place: &EmptyPlace| suite.admits(&place.clone().into()).is_ok();
        assert_eq!(admits(&authority), suite == by_address);
        assert_eq!(admits(&validator), suite.scheme() == Scheme::Ed25519);
    }
}

#[test]
fn choices_that_a_scheme_does_not_have() {
    let refusal = |scheme, keys, rule| {
        let shape = Shape::fit(&Request { keys, rule, ..Request::new(scheme, 4, 2) });
        shape.expect_err("it has no such choice")
    };
    let (coordinates, address) = (KeyKind::Coordinates, KeyKind::Address);
    for &scheme in Scheme::ALL {
        let has = |keys, rule| Suite::new(scheme, keys, rule, None).is_ok();
        let has_addresses = scheme == Scheme::EcdsaSecp256k1;
        assert_eq!(has(address, None), has_addresses);
        if !has_addresses {
            assert_eq!(refusal(scheme, address, None), Error::Keys { scheme, keys: address });
        }
        for rule in Rule::ALL {
            assert_eq!(has(coordinates, Some(rule)), has_rule(scheme, rule));
            if !has_rule(scheme, rule) {
                assert_eq!(refusal(scheme, coordinates, Some(rule)), Error::Rule(scheme));
            }
        }
        let shape = fit(&Request::new(scheme, 4, 2));
        assert!(shape.suite().is_ok());
        let bad = |edit: fn(&mut Shape)| {
            let mut shape = shape.clone();
            edit(&mut shape);
            shape.suite().is_err()
        };
        assert!(bad(|shape| shape.rule = shape.rule.xor(Some(Rule::LowS))), "{scheme}");
        assert_eq!(bad(|shape| shape.keys = KeyKind::Address), !has_addresses);
    }
    for (rule, keys) in [(Rule::LowS, coordinates), (Rule::AnyS, address)] {
        let wanted =
            Request { keys, rule: Some(rule), ..Request::new(Scheme::EcdsaSecp256k1, 4, 2) };
        let shape = fit(&wanted);
        assert_eq!((shape.rule, shape.keys), (Some(rule), keys));
    }
}

/// Which rules a scheme has.
fn has_rule(scheme: Scheme, rule: Rule) -> bool {
    match scheme {
        Scheme::EcdsaSecp256k1 | Scheme::EcdsaP256 => [Rule::LowS, Rule::AnyS].contains(&rule),
        Scheme::Ed25519 => [Rule::Zip215, Rule::Rfc8032, Rule::Strict].contains(&rule),
        Scheme::BlsBls12381
        | Scheme::BlsBls12381MinSig
        | Scheme::BlsBn254
        | Scheme::BlsBn254MinSig => [Rule::ProvenKeys, Rule::TrustedKeys].contains(&rule),
        _ => false,
    }
}

/// Choices stand in the shape of a scheme that has them, and in no other: digests of keys that were
/// made before there were any cover the JSON.
#[test]
fn choices_in_json() {
    for &scheme in Scheme::ALL {
        let shape = fit(&Request::new(scheme, 4, 2));
        let json = serde_json::to_string(&shape).expect("a shape is plain data");
        let rule = scheme.default_rule().map(|rule| format!(",\"rule\":\"{}\"", rule.name()));
        let form = shape.message;
        let form =
            if form.is_public() { String::new() } else { format!(",\"message\":\"{form}\"") };
        let choices = rule.unwrap_or_default() + &form;
        let start = format!("{{\"scheme\":\"{scheme}\"{choices},\"capacity\":4");
        assert!(json.starts_with(&start), "{json}");
        assert_eq!(serde_json::from_str::<Shape>(&json).expect("as written"), shape);
    }
    let shape = fit(&wanted(KINDS[1]));
    let json = serde_json::to_string(&shape).expect("a shape is plain data");
    assert!(json.contains(r#""keys":"address","rule":"low-s","#), "{json}");
    assert_eq!(serde_json::from_str::<Shape>(&json).expect("as written"), shape);
    let unknown = json.replace("low-s", "lower-s");
    assert!(serde_json::from_str::<Shape>(&unknown).is_err());
}

#[test]
fn keys_stand_in_a_set_once() {
    for kind in KINDS {
        let key = |i| (signer(kind, i, &DIGEST).0, 1);
        let twice = Committee::new(&[key(1), key(2), key(1)]).err();
        let fault = KeySetError::DuplicateKey { first: 0, second: 2 };
        assert_eq!(twice, Some(Error::KeySet(fault)));
    }
}

#[test]
fn digests_are_two_halves() {
    let bytes: [u8; 32] = std::array::from_fn(|i| i as u8 + 1);
    let message = Message::from(bytes);
    let halves = message.public_inputs();
    let half = |bytes: &[u8]| {
        bytes.iter().fold(Fr::zero(), |sum, b| sum * Fr::from(256) + Fr::from(u64::from(*b)))
    };
    assert_eq!(halves, [half(&bytes[..16]), half(&bytes[16..])]);
    assert_eq!(Message::from_public_inputs(&halves), Some(message));
    assert_eq!(Scheme::EcdsaP256.message_from_bytes(&[0xff; 32]), Some([0xff; 32].into()));
    assert_eq!(Scheme::Schnorr.message_from_bytes(&[0xff; 32]), None);
    let beyond = Fr::from_u128(u128::MAX) + Fr::one();
    for bad in [[beyond, Fr::zero()], [Fr::zero(), beyond], [-Fr::one(), Fr::zero()]] {
        assert_eq!(Message::from_public_inputs(&bad), None);
    }
    assert_eq!(Message::from_public_inputs(&[]), None);
    assert_eq!(Message::from_public_inputs(&[-Fr::one()]), Some((-Fr::one()).into()));
    assert_eq!(Message::from(-Fr::one()).to_bytes()[..2], [0x30, 0x64]);
}

#[test]
fn addresses_are_their_own_names() {
    let mut bytes = [0; 20];
    bytes[19] = 9;
    bytes[0] = 1;
    let address = Address::from_bytes(bytes).expect("not zero");
    let expected = Fr::from(2).pow_vartime([152u64]) + Fr::from(9);
    assert_eq!(PublicKey::from(address).name(), expected);
}
