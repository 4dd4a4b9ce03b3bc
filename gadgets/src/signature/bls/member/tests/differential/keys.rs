//! Bytes that are keys, and others.

use num_bigint::RandBigInt;
use rand::Rng;

use super::*;

/// What our reading, blst's `KeyValidate` and plain arithmetic say of bytes: no point, or one and the same.
fn said<S: Peer>(bytes: &[u8]) -> Result<S::RawKey, SignatureError> {
    let ours = OwnedKey::<S>::from_bytes(bytes);
    let coordinates = ours.as_ref().ok().map(OwnedKey::coordinates);
    let plain = S::read(bytes).filter(S::is_in_group);
    assert_eq!(coordinates, plain, "{}", hex::encode(bytes));
    let blst = S::validated(bytes).ok();
    assert_eq!(blst, coordinates.as_ref().map(bytes_of::<S>), "{}", hex::encode(bytes));
    ours.map(|key| key.coordinates())
}

#[test]
fn keys_are_judged_as_by_blst() {
    judges_keys::<MinPkPopBls12381>();
    judges_keys::<MinSigPopBls12381>();
}

fn judges_keys<S: Peer>() {
    let rng = &mut muster_testing::rng();
    let refused = |rule| Err(SignatureError::BlsKey(rule));
    let off = || refused(BlsError::NotOnCurve);
    for _ in 0..4 {
        let good = OwnedKey::of(&Bls::<S>::keygen(rng));
        let (bytes, point) = (good.key().to_bytes(), good.coordinates());
        assert_eq!(said::<S>(&bytes), Ok(point.clone()));
        let (own, parts) = taken_apart(&bytes);
        // Of all flags two belong to a point: those of the key and of its opposite.
        for flags in (0..8).map(|flags| flags << 5) {
            let found = said::<S>(&put_together(flags, &parts));
            match flags {
                0x80 | 0xa0 => assert_eq!(found.as_ref() == Ok(&point), flags == own),
                _ => assert_eq!(found, off()),
            }
        }
        let torsion = S::compressed(&bytes_of::<S>(&S::with_torsion(&point)));
        assert_eq!(said::<S>(&torsion), refused(BlsError::NotInSubgroup));
        // Bits that are others.
        for _ in 0..32 {
            let mut changed = bytes.clone();
            changed[rng.gen_range(0..bytes.len())] ^= 1 << rng.gen_range(0..8);
            assert_ne!(said::<S>(&changed), Ok(point.clone()));
        }
    }
}

#[test]
fn identities_are_judged_as_by_blst() {
    judges_zeros::<MinPkPopBls12381>();
    judges_zeros::<MinSigPopBls12381>();
}

fn judges_zeros<S: Peer>() {
    let zeros = vec![BigUint::ZERO; S::KEY_BYTES / PART];
    for flags in (0..8).map(|flags| flags << 5) {
        let found = said::<S>(&put_together(flags, &zeros));
        assert_eq!(found == Err(SignatureError::BlsKey(BlsError::Identity)), flags == 0xc0);
        assert!(found.is_err());
    }
    // Bytes behind the flags of the identity.
    for place in 0..S::KEY_BYTES {
        let mut bytes = put_together(0xc0, &zeros);
        bytes[place] ^= 1;
        assert_eq!(said::<S>(&bytes), Err(SignatureError::BlsKey(BlsError::NotOnCurve)));
    }
}

/// The first coordinate of a good key and a multiple of the prime, in each part that has room for it.
#[test]
fn long_coordinates_are_judged_as_by_blst() {
    judges_long_coordinates::<MinPkPopBls12381>();
    judges_long_coordinates::<MinSigPopBls12381>();
}

fn judges_long_coordinates<S: Peer>() {
    let (rng, p) = (&mut muster_testing::rng(), prime());
    for part in 0..S::KEY_BYTES / PART {
        // Flags are in the way of the first one.
        let bits = if part == 0 { 381 } else { 384 };
        let mut tried = 0;
        while tried < 4 {
            let key = OwnedKey::<S>::of(&Bls::<S>::keygen(rng)).key().to_bytes();
            let (flags, mut parts) = taken_apart(&key);
            parts[part] += p;
            while parts[part].bits() <= bits {
                let found = said::<S>(&put_together(flags, &parts));
                assert_eq!(found, Err(SignatureError::BlsKey(BlsError::NotOnCurve)));
                parts[part] += p;
                tried += 1;
            }
        }
        // The prime itself, and one less.
        for number in [p.clone(), p - 1u8] {
            let mut parts = vec![BigUint::ZERO; S::KEY_BYTES / PART];
            parts[part] = number;
            assert!(said::<S>(&put_together(0x80, &parts)).is_err());
        }
    }
}

/// Half of all first coordinates are those of points, hardly any of which is in the group.
#[test]
fn coordinates_that_are_drawn_are_judged_as_by_blst() {
    judges_drawn::<MinPkPopBls12381>();
    judges_drawn::<MinSigPopBls12381>();
}

fn judges_drawn<S: Peer>() {
    let rng = &mut muster_testing::rng();
    let mut found = [0; 2];
    for _ in 0..64 {
        let flags = if rng.r#gen() { 0x80 } else { 0xa0 };
        let drawn = (0..S::KEY_BYTES / PART).map(|_| rng.gen_biguint_below(prime()));
        let bytes = put_together(flags, &drawn.collect::<Vec<_>>());
        let rule = match S::read(&bytes) {
            None => BlsError::NotOnCurve,
            Some(_) => BlsError::NotInSubgroup,
        };
        found[usize::from(rule == BlsError::NotInSubgroup)] += 1;
        assert_eq!(said::<S>(&bytes), Err(SignatureError::BlsKey(rule)));
    }
    assert!(found.iter().all(|count| *count > 8), "{found:?}");
}

/// Neither more bytes nor less; and not those of a point that is not compressed, which blst takes.
#[test]
fn keys_are_compressed() {
    has_one_length::<MinPkPopBls12381>();
    has_one_length::<MinSigPopBls12381>();
}

fn has_one_length<S: Peer>() {
    let key = OwnedKey::<S>::of(&secret(1));
    let bytes = key.key().to_bytes();
    let wrong_length = |bytes: &[u8]| {
        let found = OwnedKey::<S>::from_bytes(bytes);
        matches!(found, Err(SignatureError::WrongLength { found, .. }) if found == bytes.len())
    };
    for other in [&bytes[1..], &bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat()] {
        assert!(wrong_length(other) && S::validated(other).is_err());
    }
    let whole = bytes_of::<S>(&key.coordinates());
    assert_eq!(S::validated(&whole), Ok(whole.clone()));
    assert!(wrong_length(&whole));
}
