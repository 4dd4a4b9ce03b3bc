//! The bytes of keys of kind `compact`.

use super::{
    file::File,
    sample::{key, key_parts, packing},
};
use crate::{
    tests::sample, transcript::hash, CompactKeyParts, Format, Key, KeyError, PackingError,
    PointError,
};

/// The error of the small file's key after a change of its bytes.
fn refused(change: impl FnOnce(&mut Vec<u8>)) -> KeyError {
    let mut bytes = File::read("small").bytes("key");
    change(&mut bytes);
    Key::read(&bytes).expect_err("it breaks a rule")
}

#[test]
fn bytes_are_read_back() {
    let key = key();
    let bytes = key.to_bytes();
    let read = Key::read(&bytes).expect("it was written");
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!(read.digest(), hash(&[&bytes]));
    assert_eq!((read.format(), read.protocol()), (Format::Compact, key.protocol()));
    assert_eq!(read.description(), b"compact");
    assert!(read.fixed().is_empty() && read.sigma().is_empty());
    let (read, key) = (read.as_compact().expect("it is"), key.as_compact().expect("it is"));
    assert_eq!(read.packing(), key.packing());
    assert_eq!((read.packs(), read.decider()), (key.packs(), key.decider()));
    assert_eq!((read.decider_k(), read.evm_key()), (key.decider_k(), key.evm_key()));
    let fast = sample::key();
    assert_eq!(fast.format(), Format::Fast);
    assert!(fast.as_compact().is_none());
}

/// What follows the copied columns, byte by byte.
#[test]
fn a_key_ends_in_these_bytes() {
    let parts = key_parts(packing(), "bytes");
    let mut end = vec![];
    let packs = packing();
    end.extend((packs.packs().len() as u32).to_be_bytes());
    for pack in packs.packs() {
        end.extend((pack.polynomials.len() as u32).to_be_bytes());
        end.extend(pack.polynomials.iter().flat_map(|&it| (it as u32).to_be_bytes()));
    }
    end.extend(parts.packs.concat());
    let key = Key::compact(parts).expect("it obeys the rules");
    let compact = key.as_compact().expect("it is");
    end.extend(compact.decider_k().to_be_bytes());
    end.extend(compact.decider());
    let bytes = key.to_bytes();
    assert!(bytes.ends_with(&end));

    // Before that it is as the same circuit's key of kind `fast`, but for the kind and the stride.
    let fast = Key::new(crate::KeyParts {
        tau_g2: key.tau_g2(),
        ..sample::key_parts(sample::protocol(), "bytes")
    });
    let mut fast = fast.expect("it obeys the rules").to_bytes();
    (fast[16], fast[19 + 128 + 4 + 5 + 4 + 4 + 3]) = (2, 4);
    let head = bytes.len() - end.len();
    assert_eq!(bytes[..head], fast[..head]);
    assert_eq!(fast.len(), head + 64 * 12);
}

#[test]
fn no_prefix_is_a_key_and_nothing_follows_it() {
    for bytes in [key().to_bytes(), File::read("large").bytes("key")] {
        for length in 0..bytes.len() {
            Key::read(&bytes[..length]).expect_err("it ends too early");
        }
    }
    assert_eq!(refused(|bytes| bytes.push(0)), KeyError::TrailingBytes(1));
}

#[test]
fn every_byte_counts() {
    for name in super::file::PROOFS {
        let file = File::read(name);
        let (bytes, digest) = (file.bytes("key"), file.array("digest"));
        for place in 0..bytes.len() {
            for change in [1, 0x80] {
                let mut other = bytes.clone();
                other[place] ^= change;
                if let Ok(read) = Key::read(&other) {
                    assert_ne!(read.digest(), digest);
                    assert_eq!(read.to_bytes(), other);
                    let name = |key: &Key| key.as_compact().map(|key| key.evm_key().name());
                    assert_ne!(name(&read), name(&file.key()));
                }
            }
        }
    }
}

#[test]
fn counts_make_no_room_that_bytes_do_not_fill() {
    // From the end: K₂, k₂, one commitment, the polynomials of four packs.
    let length = File::read("small").bytes("key").len();
    let packs = length - 64 - 4 - 64 - (4 * 4 + 9 * 4) - 4;
    let number = |place: usize| {
        let bytes = File::read("small").bytes("key");
        u32::from_be_bytes(bytes[place..place + 4].try_into().expect("four bytes"))
    };
    let count = number(packs);
    assert_eq!(count as usize, File::read("small").packing().packs().len());
    let found = u32::MAX as usize;
    let error = refused(|bytes| bytes[packs..packs + 4].fill(0xff));
    let expected = PackingError::TooManyPacks { found, polynomials: 9 };
    assert_eq!(error, KeyError::Packing(expected));
    let error = refused(|bytes| bytes[packs + 4..packs + 8].fill(0xff));
    assert_eq!(error, KeyError::Packing(PackingError::Size { pack: 0, found }));
    // Nothing but the count is needed to see it.
    let error = refused(|bytes| {
        bytes.truncate(packs + 4);
        bytes[packs..].copy_from_slice(&10_u32.to_be_bytes());
    });
    let expected = PackingError::TooManyPacks { found: 10, polynomials: 9 };
    assert_eq!(error, KeyError::Packing(expected));
    let error = refused(|bytes| bytes[packs + 8..packs + 12].fill(0xff));
    let number = u32::MAX as usize;
    let expected = PackingError::NoSuchPolynomial { pack: 0, number };
    assert_eq!(error, KeyError::Packing(expected));
}

#[test]
fn deciders_have_the_rows_that_they_need() {
    let file = File::read("small");
    let expected = file.object("decider").number("k_2") as u32;
    let place = file.bytes("key").len() - 64 - 4;
    let error =
        |found: u32| refused(|bytes| bytes[place..place + 4].copy_from_slice(&found.to_be_bytes()));
    // Rows are counted up to where there are more than the key says.
    for found in [0, 1, expected - 1] {
        assert_eq!(error(found), KeyError::DeciderSmall(found));
    }
    for found in [expected + 1, 16] {
        assert_eq!(error(found), KeyError::DeciderK { found, expected });
    }
    for found in [17, u32::MAX] {
        assert_eq!(error(found), KeyError::DeciderLarge(found));
    }
}

#[test]
fn commitments_are_points_or_the_identity() {
    let good = || key_parts(packing(), "points");
    let mut parts = good();
    parts.packs.fill([0; 64]);
    parts.decider = [0; 64];
    let nothing = Key::compact(parts).expect("the identity is allowed");
    assert!(Key::read(&nothing.to_bytes()).is_ok());
    let error = |change: &dyn Fn(&mut CompactKeyParts)| {
        let mut parts = good();
        change(&mut parts);
        Key::compact(parts).expect_err("it breaks a rule")
    };
    for (bytes, point) in
        [([1; 64], PointError::NotOnCurve), ([0xff; 64], PointError::NotCanonical)]
    {
        let refused = error(&|parts| parts.packs[2] = bytes);
        assert_eq!(refused, KeyError::Pack { pack: 2, error: point });
        assert_eq!(error(&|parts| parts.decider = bytes), KeyError::Decider(point));
    }
    let refused = error(&|parts| parts.packs.truncate(2));
    assert_eq!(refused, KeyError::Commitments { found: 2, expected: 3 });
    let refused = error(&|parts| parts.packs.push([0; 64]));
    assert_eq!(refused, KeyError::Commitments { found: 4, expected: 3 });
    let refused = error(&|parts| parts.description = vec![0; 65_537]);
    assert_eq!(refused, KeyError::Description(65_537));
    let refused = error(&|parts| parts.tau_g2 = [0; 128]);
    assert_eq!(refused, KeyError::Tau(PointError::Identity));
}
