//! The bytes of keys.

use ark_bn254::G2Affine;
use ark_ec::AffineRepr;

use super::sample::{g2_bytes, key, key_parts, protocol};
use crate::{
    transcript::hash, Column, Key, KeyError, KeyParts, PackingError, PointError, Polynomial,
    Protocol, ProtocolError, ProtocolParts,
};

/// A small key: one copied column.
fn small() -> Key {
    let parts = ProtocolParts {
        k: 2,
        usable: 1,
        fixed: 0,
        advice: 1,
        inputs: 0,
        nodes: vec![],
        constraints: vec![],
        tables: vec![],
        copied: vec![Column::Advice(0)],
    };
    let protocol = Protocol::new(parts).expect("it obeys the rules");
    Key::new(key_parts(protocol, "")).expect("it obeys the rules")
}

/// The error of a key's bytes after a change.
fn refused(key: &Key, change: impl FnOnce(&mut Vec<u8>)) -> KeyError {
    let mut bytes = key.to_bytes();
    change(&mut bytes);
    Key::read(&bytes).expect_err("it breaks a rule")
}

#[test]
fn bytes_are_read_back() {
    for key in [key(), small()] {
        let bytes = key.to_bytes();
        let read = Key::read(&bytes).expect("it was written");
        assert_eq!(read.to_bytes(), bytes);
        assert_eq!(read.digest(), key.digest());
        assert_eq!(key.digest(), hash(&[&bytes]));
        assert_eq!(read.protocol(), key.protocol());
        assert_eq!(read.description(), key.description());
        assert_eq!(read.is_ceremony(), key.is_ceremony());
        assert_eq!(read.tau_g2(), key.tau_g2());
        assert_eq!((read.fixed(), read.sigma()), (key.fixed(), key.sigma()));
    }
}

/// The table of section 2, byte by byte.
#[test]
fn a_small_key_has_these_bytes() {
    let key = small();
    let mut bytes = b"muster-verifier1\x01\x01\x00".to_vec();
    bytes.extend(key.tau_g2());
    // Description, k, usable, stride, fixed, advice, inputs, nodes, constraints, tables, copied.
    for number in [0_u32, 2, 1, 1, 0, 1, 0, 0, 0, 0, 1] {
        bytes.extend(number.to_be_bytes());
    }
    bytes.extend([2, 0, 0, 0, 0]);
    bytes.extend(key.sigma()[0]);
    assert_eq!(key.to_bytes(), bytes);
}

#[test]
fn no_prefix_is_a_key_and_nothing_follows_it() {
    for key in [key(), small()] {
        let bytes = key.to_bytes();
        for length in 0..bytes.len() {
            Key::read(&bytes[..length]).expect_err("it ends too early");
        }
        assert_eq!(refused(&key, |bytes| bytes.push(0)), KeyError::TrailingBytes(1));
    }
}

#[test]
fn every_byte_counts() {
    let key = key();
    let bytes = key.to_bytes();
    for place in 0..bytes.len() {
        for change in [1, 0x80] {
            let mut other = bytes.clone();
            other[place] ^= change;
            if let Ok(read) = Key::read(&other) {
                assert_ne!(read.digest(), key.digest());
                assert_eq!(read.to_bytes(), other);
            }
        }
    }
}

#[test]
fn heads_are_as_specified() {
    let key = small();
    assert_eq!(refused(&key, |bytes| bytes[15] = b'2'), KeyError::NotAKey);
    assert_eq!(refused(&key, |bytes| bytes[16] = 3), KeyError::Kind(3));
    // Of the other kind it has no packs: the commitment's first bytes are their number.
    let error = refused(&key, |bytes| bytes[16] = 2);
    assert!(matches!(error, KeyError::Packing(PackingError::TooManyPacks { polynomials: 3, .. })));
    assert_eq!(refused(&key, |bytes| bytes[17] = 0), KeyError::Hash(0));
    assert_eq!(refused(&key, |bytes| bytes[18] = 2), KeyError::Srs(2));
    // The description's length follows τ, and the stride two numbers later.
    assert_eq!(
        refused(&key, |bytes| bytes[147..151].fill(0xff)),
        KeyError::Description(0xffff_ffff)
    );
    assert_eq!(refused(&key, |bytes| bytes[162] = 2), KeyError::Stride(2));
    assert_eq!(refused(&key, |bytes| bytes[154] = 1), KeyError::Protocol(ProtocolError::Rows(1)));
}

#[test]
fn descriptions_are_short() {
    let parts = KeyParts { description: vec![0; 65_536], ..key_parts(protocol(), "") };
    let longest = Key::new(parts.clone()).expect("it is short enough").to_bytes();
    assert!(Key::read(&longest).is_ok());
    let parts = KeyParts { description: vec![0; 65_537], ..parts };
    assert_eq!(Key::new(parts).expect_err("it is too long"), KeyError::Description(65_537));
}

#[test]
fn counts_make_no_room_that_bytes_do_not_fill() {
    let key = small();
    let most = u32::MAX as usize;
    // The number, and nothing behind it.
    let ending = |place: usize, number: usize| {
        let number = u32::try_from(number).expect("it is short").to_be_bytes();
        refused(&key, |bytes| {
            bytes.truncate(place);
            bytes.extend(number);
        })
    };
    // Nodes and constraints.
    for place in [175, 179] {
        let error = refused(&key, |bytes| bytes[place..place + 4].fill(0xff));
        assert_eq!(error, KeyError::Truncated);
    }
    // Fixed and advice columns are refused at the number of inputs, tables and copied columns at their own.
    let many = |count| KeyError::Protocol(ProtocolError::TooManyValues(count));
    assert_eq!(refused(&key, |bytes| bytes[163..167].fill(0xff)), many(most + 1));
    assert_eq!(refused(&key, |bytes| bytes[167..171].fill(0xff)), many(most));
    let columns = |fixed: u32| {
        refused(&key, |bytes| {
            bytes.truncate(175);
            bytes[163..167].copy_from_slice(&fixed.to_be_bytes());
        })
    };
    assert_eq!(columns((1 << 14) - 1), KeyError::Truncated);
    assert_eq!(columns(1 << 14), many((1 << 14) + 1));
    assert_eq!(ending(183, (1 << 14) - 1), KeyError::Truncated);
    for tables in [1 << 14, most] {
        assert_eq!(ending(183, tables), many(tables + 1));
    }
    assert_eq!(ending(187, 4096), KeyError::Truncated);
    for copied in [4097, most] {
        let error = KeyError::Protocol(ProtocolError::TooManyCopied(copied));
        assert_eq!(ending(187, copied), error);
    }
    // One table of one node, and the number of its inputs.
    let inputs = |count: u32| {
        refused(&key, |bytes| {
            bytes.truncate(183);
            bytes.extend([1_u32, 1, 0, count, 0].map(u32::to_be_bytes).as_flattened());
        })
    };
    assert_eq!(inputs(1 << 16), KeyError::Truncated);
    for count in [(1 << 16) + 1, u32::MAX] {
        let error = ProtocolError::TooManyLookedUp(count as usize);
        assert_eq!(inputs(count), KeyError::Protocol(error));
    }
    // A table of width 0 with as many inputs as can be said, in 16 bytes.
    let error = refused(&key, |bytes| {
        bytes[186] = 1;
        bytes.splice(187..187, [[0; 4], [0xff; 4], [0; 4], [0; 4]].concat());
    });
    assert_eq!(error, KeyError::Protocol(ProtocolError::TableWidth(0)));
}

#[test]
fn entries_have_types() {
    let key = small();
    assert_eq!(refused(&key, |bytes| bytes[191] = 0), KeyError::ColumnType(0));
    assert_eq!(refused(&key, |bytes| bytes[191] = 4), KeyError::ColumnType(4));
    let error = refused(&key, |bytes| (bytes[191], bytes[195]) = (3, 1));
    assert_eq!(error, KeyError::InputsNumber(1));
    let node = |entry: Vec<u8>| {
        refused(&key, |bytes| {
            bytes[178] = 1;
            bytes.splice(179..179, entry);
        })
    };
    assert_eq!(node(vec![6, 0, 0, 0, 0]), KeyError::NodeType(6));
    assert_eq!(node([vec![0], vec![0xff; 32]].concat()), KeyError::Constant(0));
    assert_eq!(node(vec![4; 9]), KeyError::Protocol(ProtocolError::NodeOrder(0)));
    let unused = KeyError::Protocol(ProtocolError::NodeUnused(0));
    assert_eq!(node(vec![2, 0, 0, 0, 0, 0, 0, 0, 0]), unused);
}

#[test]
fn tau_is_a_point_that_says_something() {
    let key = small();
    let tau = |point: &[u8; 128]| refused(&key, |bytes| bytes[19..147].copy_from_slice(point));
    assert_eq!(tau(&g2_bytes(&G2Affine::generator())), KeyError::TauIsOne);
    assert_eq!(tau(&[0; 128]), KeyError::Tau(PointError::Identity));
    assert_eq!(tau(&[0xff; 128]), KeyError::Tau(PointError::NotCanonical));
    assert_eq!(tau(&[1; 128]), KeyError::Tau(PointError::NotOnCurve));
}

#[test]
fn commitments_are_points_or_the_identity() {
    let good = || key_parts(protocol(), "points");
    let mut parts = good();
    parts.fixed[2] = [0; 64];
    parts.sigma.fill([0; 64]);
    assert!(Key::new(parts).is_ok());

    let mut parts = good();
    parts.fixed[1] = [1; 64];
    let (polynomial, error) = (Polynomial::Fixed(1), PointError::NotOnCurve);
    assert_eq!(Key::new(parts).expect_err("off"), KeyError::Commitment { polynomial, error });
    let mut parts = good();
    parts.sigma[8] = [0xff; 64];
    let (polynomial, error) = (Polynomial::Sigma(8), PointError::NotCanonical);
    assert_eq!(Key::new(parts).expect_err("large"), KeyError::Commitment { polynomial, error });

    let mut parts = good();
    parts.fixed.pop();
    let error = Key::new(parts).expect_err("one is missing");
    assert_eq!(error, KeyError::Commitments { found: 2, expected: 3 });
    let mut parts = good();
    parts.sigma.push([0; 64]);
    let error = Key::new(parts).expect_err("one too many");
    assert_eq!(error, KeyError::Commitments { found: 10, expected: 9 });
}
