//! What the importers refuse: each spoilt file by the error that names the fault.

use std::path::PathBuf;

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fr, G1Affine, G2Affine},
    ff::{Field, PrimeField},
    group::{prime::PrimeCurveAffine, Curve},
    serde::SerdeObject,
};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::files::*;
use crate::{import, ParamsError as E, PointFault as Fault, PointName as Name, Srs};

/// The format under test: how to write it and how to read it back.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Raw,
    Ptau,
    Point,
}

const KINDS: [Kind; 3] = [Kind::Raw, Kind::Ptau, Kind::Point];

impl Kind {
    fn encode(self, points: &Points) -> Vec<u8> {
        match self {
            Self::Raw => raw(points),
            Self::Ptau => ptau(points),
            Self::Point => point_g1(&points.g[..N]),
        }
    }

    /// Imports `bytes`; a .point takes τ in G2 from `points`. Checks that nothing was written.
    fn read(self, bytes: &[u8], points: &Points, k: Option<u32>) -> (PathBuf, Result<Srs, E>) {
        let scratch = Scratch::new();
        let file = scratch.write("file", bytes);
        let g2 = scratch.write("g2", &point_g2(&points.g2_powers[1..]));
        let result = match self {
            Self::Raw => import::raw(&file, k),
            Self::Ptau => import::ptau(&file, k),
            Self::Point => import::point(&file, &g2, k),
        };
        assert_eq!(scratch.names(), ["file", "g2"]);
        (file, result)
    }

    fn refuse(self, bytes: &[u8], points: &Points) -> E {
        let (path, result) = self.read(bytes, points, None);
        refusal(result, &path)
    }

    /// Offset of G1 power `i`.
    fn power(self, i: usize) -> usize {
        match self {
            Self::Raw => 4 + 64 * i,
            Self::Ptau => PTAU_G1 + 64 * i,
            Self::Point => 32 * i,
        }
    }
}

fn is_point(error: &E, name: Name, expected: Fault) -> bool {
    matches!(error, E::Point { point, fault, .. } if (*point, *fault) == (name, expected))
}

#[test]
fn truncated_at_every_length_and_trailing_bytes() {
    let points = Points::fresh();
    for kind in KINDS {
        let bytes = kind.encode(&points);
        kind.read(&bytes, &points, None).1.unwrap();
        for len in (0..bytes.len()).filter(|len| len % 97 == 0 || bytes.len() - len < 9 || *len < 9)
        {
            let (path, result) = kind.read(&bytes[..len], &points, Some(K));
            let error = refusal(result, &path);
            let whole_points = kind == Kind::Point && len > 0 && len % 32 == 0;
            let expected = matches!(error, E::Truncated { .. })
                || (whole_points && matches!(error, E::NotEnoughPoints { .. }));
            assert!(expected, "{kind:?} {len}: {error}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        let error = kind.refuse(&longer, &points);
        match kind {
            Kind::Point => assert!(matches!(error, E::Truncated { .. }), "{error}"),
            _ => assert!(matches!(error, E::TrailingBytes { extra: 1, .. }), "{error}"),
        }
    }
}

#[test]
fn non_canonical_coordinates() {
    let points = Points::fresh();
    for kind in [Kind::Raw, Kind::Ptau] {
        let bytes = kind.encode(&points);
        for offset in [0, 32] {
            let mut spoilt = bytes.clone();
            add_modulus(&mut spoilt, kind.power(5) + offset);
            let error = kind.refuse(&spoilt, &points);
            assert!(is_point(&error, Name::Power(5), Fault::NonCanonical), "{error}");
        }
        let tau = if kind == Kind::Raw { bytes.len() - 128 } else { PTAU_G2 + 128 };
        for coordinate in 0..4 {
            let mut spoilt = bytes.clone();
            add_modulus(&mut spoilt, tau + 32 * coordinate);
            let error = kind.refuse(&spoilt, &points);
            assert!(is_point(&error, Name::TauG2, Fault::NonCanonical), "{error}");
        }
    }
    // Compressed: x + q fits beside the flags only for a small x, such as the generator's.
    let mut spoilt = Kind::Point.encode(&points);
    spoilt[..32].reverse();
    spoilt[31] &= 0x3f;
    add_modulus(&mut spoilt, 0);
    spoilt[31] |= 0x80;
    spoilt[..32].reverse();
    let error = Kind::Point.refuse(&spoilt, &points);
    assert!(is_point(&error, Name::Power(0), Fault::NonCanonical), "{error}");
}

#[test]
fn points_off_the_curve() {
    let points = Points::fresh();
    for kind in [Kind::Raw, Kind::Ptau] {
        // The y of one point with the x of another.
        let mut bytes = kind.encode(&points);
        let y = kind.power(6) + 32;
        bytes.copy_within(y..y + 32, kind.power(7) + 32);
        let error = kind.refuse(&bytes, &points);
        assert!(is_point(&error, Name::Power(7), Fault::NotOnCurve), "{error}");
    }
    // x = 4: 67 is not a square modulo q.
    let mut bytes = Kind::Point.encode(&points);
    bytes[32..64].fill(0);
    (bytes[32], bytes[63]) = (0x80, 4);
    let error = Kind::Point.refuse(&bytes, &points);
    assert!(is_point(&error, Name::Power(1), Fault::NotOnCurve), "{error}");
}

#[test]
fn identities_flags_and_generators() {
    let points = Points::fresh();
    for index in [0, 3] {
        for kind in KINDS {
            let mut bytes = kind.encode(&points);
            let at = kind.power(index);
            let size = if kind == Kind::Point { 32 } else { 64 };
            bytes[at..at + size].fill(0);
            if kind == Kind::Point {
                bytes[at] = 0x40;
            }
            let error = kind.refuse(&bytes, &points);
            assert!(is_point(&error, Name::Power(index as u64), Fault::Identity), "{error}");
        }
    }
    let mut bytes = Kind::Point.encode(&points);
    bytes[64] &= 0x3f;
    let error = Kind::Point.refuse(&bytes, &points);
    assert!(is_point(&error, Name::Power(2), Fault::Uncompressed), "{error}");

    // Consistent powers of τ over another base, and another base in G2.
    let mut shifted = points.clone();
    shifted.g = (0..2 * N - 1).map(|i| points.g[(i + 1).min(2 * N - 2)]).collect();
    for kind in KINDS {
        let error = kind.refuse(&kind.encode(&shifted), &points);
        assert!(is_point(&error, Name::Power(0), Fault::NotGenerator), "{error}");
    }
    let mut doubled = points.clone();
    doubled.g2 = (points.g2 + points.g2).to_affine();
    (doubled.g2_powers[0], doubled.g2_powers[1]) =
        (doubled.g2, (points.s_g2() + points.s_g2()).to_affine());
    for kind in [Kind::Raw, Kind::Ptau] {
        let error = kind.refuse(&kind.encode(&doubled), &points);
        assert!(is_point(&error, Name::G2, Fault::NotGenerator), "{error}");
    }
}

#[test]
fn tau_outside_the_subgroup_or_identity() {
    let points = Points::fresh();
    for (bad, fault) in
        [(outside_subgroup(), Fault::NotInSubgroup), (G2Affine::identity(), Fault::Identity)]
    {
        let mut spoilt = points.clone();
        spoilt.g2_powers[1] = bad;
        for kind in KINDS {
            if kind == Kind::Point && fault == Fault::Identity {
                continue;
            }
            let (path, result) = kind.read(&kind.encode(&spoilt), &spoilt, None);
            let g2 = path.with_file_name("g2");
            let error = refusal(result, if kind == Kind::Point { &g2 } else { &path });
            assert!(is_point(&error, Name::TauG2, fault), "{kind:?}: {error}");
        }
    }
    // The G2 file of the .point pair: the real part of x unreduced, the flag of infinity, a cut.
    let scratch = Scratch::new();
    let g1 = scratch.write("g1", &Kind::Point.encode(&points));
    let good = point_g2(&points.g2_powers[1..2]);
    let mut unreduced = good.clone();
    unreduced[32..].reverse();
    add_modulus(&mut unreduced, 32);
    unreduced[32..].reverse();
    let mut infinity = vec![0; 64];
    infinity[0] = 0x40;
    for (bytes, fault) in [(unreduced, Fault::NonCanonical), (infinity, Fault::Identity)] {
        let g2 = scratch.write("g2", &bytes);
        let error = refusal(import::point(&g1, &g2, None), &g2);
        assert!(is_point(&error, Name::TauG2, fault), "{error}");
    }
    let g2 = scratch.write("g2", &good[..63]);
    assert!(matches!(refusal(import::point(&g1, &g2, None), &g2), E::Truncated { .. }));
}

#[test]
fn wrong_tau_and_wrong_powers() {
    let (points, other) = (Points::fresh(), Points::fresh());
    let mut tau = points.clone();
    tau.g2_powers[1] = other.s_g2();
    let mut swapped = points.clone();
    swapped.g.swap(4, 5);
    let mut negated = points.clone();
    negated.g[N - 1] = -negated.g[N - 1];
    let mut stray_last = points.clone();
    stray_last.g[N - 1] = stray();
    for spoilt in [tau, swapped, negated, stray_last] {
        for kind in KINDS {
            let error = kind.refuse(&kind.encode(&spoilt), &spoilt);
            assert!(matches!(error, E::WrongTau { .. }), "{kind:?}: {error}");
        }
    }
}

#[test]
fn wrong_lagrange_points() {
    let points = Points::fresh();
    let mut swapped = points.clone();
    swapped.lagrange.swap(0, 1);
    let mut replaced = points.clone();
    replaced.lagrange[N - 1] = stray();
    let mut foreign = points.clone();
    foreign.lagrange = Points::fresh().lagrange;
    for spoilt in [swapped, replaced, foreign] {
        let error = Kind::Raw.refuse(&raw(&spoilt), &points);
        assert!(matches!(error, E::WrongLagrange { .. }), "{error}");
        // Cut down, the Lagrange points of the file are not used.
        let (_, cut) = Kind::Raw.read(&raw(&spoilt), &points, Some(3));
        assert_same_points(cut.unwrap().params(), &points);
    }
    let mut bytes = raw(&points);
    add_modulus(&mut bytes, 4 + 64 * (N + 2));
    let error = Kind::Raw.refuse(&bytes, &points);
    assert!(is_point(&error, Name::Lagrange(2), Fault::NonCanonical), "{error}");
}

#[test]
fn well_known_taus() {
    let seeded = Fr::random(ChaCha20Rng::from_seed([0; 32]));
    let root = Fr::ROOT_OF_UNITY.pow([1 << (Fr::S - K)]);
    for tau in [Fr::from(42), -Fr::from(42), Fr::ONE, -Fr::ONE, seeded, root] {
        let points = Points::with_tau(tau);
        for kind in [Kind::Ptau, Kind::Point] {
            if kind == Kind::Point && tau == Fr::ONE {
                continue;
            }
            let error = kind.refuse(&kind.encode(&points), &points);
            assert!(matches!(error, E::KnownTau { .. }), "{kind:?}: {error}");
        }
    }
}

#[test]
fn absurd_degrees() {
    let points = Points::fresh();
    for kind in KINDS {
        let bytes = kind.encode(&points);
        for k in [0, 29, 64, u32::MAX] {
            let error = kind.read(&bytes, &points, Some(k)).1.map(|s| s.k()).unwrap_err();
            assert!(matches!(error, E::Degree { .. }), "{error}");
        }
        let (path, result) = kind.read(&bytes, &points, Some(K + 1));
        let error = refusal(result, &path);
        assert!(matches!(error, E::NotEnoughPoints { found: 16, .. }), "{error}");
    }
    for k in [0u32, 29, 64, u32::MAX] {
        let mut bytes = raw(&points);
        bytes[..4].copy_from_slice(&k.to_le_bytes());
        assert!(matches!(Kind::Raw.refuse(&bytes, &points), E::Format { .. }));
        let mut bytes = ptau(&points);
        bytes[60..64].copy_from_slice(&k.to_le_bytes());
        assert!(matches!(Kind::Ptau.refuse(&bytes, &points), E::Format { .. }));
    }
    // A degree within range that the file is far too short for: refused before any allocation.
    let mut bytes = raw(&points);
    bytes[..4].copy_from_slice(&28u32.to_le_bytes());
    assert!(matches!(Kind::Raw.refuse(&bytes, &points), E::Truncated { .. }));
}

#[test]
fn malformed_ptau() {
    let points = Points::fresh();
    let good = ptau(&points);
    let edit = |at: usize, value: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        Kind::Ptau.refuse(&bytes, &points)
    };
    assert!(edit(0, b"zkey").to_string().contains("magic"));
    assert!(edit(4, &2u32.to_le_bytes()).to_string().contains("version"));
    assert!(matches!(edit(8, &u32::MAX.to_le_bytes()), E::Truncated { .. }));
    assert!(matches!(edit(8, &3u32.to_le_bytes()), E::TrailingBytes { .. }));
    assert!(matches!(edit(16, &u64::MAX.to_le_bytes()), E::Truncated { .. }));
    assert!(matches!(edit(24, &48u32.to_le_bytes()), E::WrongCurve { .. }), "BLS12-381's n8");
    assert!(matches!(edit(28, &[0x49]), E::WrongCurve { .. }), "another prime");
    assert!(edit(12, &5u32.to_le_bytes()).to_string().contains("before the header"));
    assert!(edit(60, &(K - 1).to_le_bytes()).to_string().contains("section 2 has"));
    assert!(edit(60, &(K + 4).to_le_bytes()).to_string().contains("ceremony"));
    assert!(edit(PTAU_G1 - 12, &9u32.to_le_bytes()).to_string().contains("section missing: 2"));
    assert!(edit(PTAU_G2 - 12, &9u32.to_le_bytes()).to_string().contains("section missing: 3"));

    let header = good[24..24 + 44].to_vec();
    let g1: Vec<u8> = points.g.iter().flat_map(G1Affine::to_raw_bytes).collect();
    let twice = sections(&[(1, header), (2, g1.clone()), (2, g1)]);
    assert!(Kind::Ptau.refuse(&twice, &points).to_string().contains("twice"));
}

#[test]
fn not_a_file_and_not_a_format() {
    let scratch = Scratch::new();
    assert!(matches!(import::raw(scratch.path(), None), Err(E::Format { .. })), "a directory");
    let absent = scratch.path().join("absent");
    assert!(matches!(import::ptau(&absent, None), Err(E::Io { .. })));
    for bytes in [&b""[..], b"hello, world", &[0; 64], &[0xff; 64]] {
        let path = scratch.write("junk", bytes);
        assert!(matches!(import::detect(&path), Err(E::Format { .. })));
        for result in [import::raw(&path, None), import::ptau(&path, None)] {
            refusal(result, &path);
        }
        refusal(import::point(&path, &path, None), &path);
    }
}
