use muster_circuits::{KeyKind, Request, Scheme, Shape};

use super::Size;
use crate::{Keys, Memory, ProofKind, Srs};

/// What RESULTS.md has of a circuit, and its counts.
struct Measured {
    size: Size,
    /// Seconds of `fast` on an idle machine.
    seconds: f64,
    /// The stride of keys for `compact`, and log₂ of the powers of their SRS.
    packs: (usize, u32),
    /// MiB at the peak of `muster prove`, of `fast` and of `compact`, where they were measured.
    peaks: [Option<u64>; 2],
    /// The same of `muster keygen`.
    keygen: [Option<u64>; 2],
}

impl Measured {
    fn compact(&self) -> Size {
        let (stride, srs_degree) = self.packs;
        Size { kind: ProofKind::Compact, stride, srs_degree, ..self.size }
    }
}

/// Schnorr 8 of 16 and 128 of 256, ECDSA 13 of 19 and the same by address, Ed25519 16 of 21, BLS 512 of 512.
fn measured() -> [Measured; 6] {
    let row = |degree, [advice, fixed, lookups, permutation]: [usize; 4], committed, operations| {
        let (kind, stride, srs_degree) = (ProofKind::Fast, 1, degree);
        Size {
            degree,
            advice,
            fixed,
            lookups,
            permutation,
            kind,
            committed,
            operations,
            stride,
            srs_degree,
        }
    };
    [
        Measured {
            size: row(11, [10, 13, 2, 6], 16, 664),
            seconds: 0.033,
            packs: (12, 15),
            peaks: [Some(35), Some(43)],
            keygen: [None, Some(36)],
        },
        Measured {
            size: row(14, [12, 14, 2, 7], 18, 692),
            seconds: 0.278,
            packs: (12, 18),
            peaks: [Some(88), Some(208)],
            keygen: [Some(49), Some(156)],
        },
        Measured {
            size: row(14, [27, 25, 18, 10], 42, 1241),
            seconds: 0.412,
            packs: (18, 19),
            peaks: [Some(142), None],
            keygen: [Some(68), None],
        },
        Measured {
            size: row(14, [61, 42, 40, 20], 92, 2261),
            seconds: 0.910,
            packs: (33, 20),
            peaks: [Some(235), Some(581)],
            keygen: [None; 2],
        },
        Measured {
            size: row(14, [60, 50, 27, 15], 81, 2625),
            seconds: 0.928,
            packs: (46, 20),
            peaks: [Some(287), Some(687)],
            keygen: [None; 2],
        },
        Measured {
            size: row(14, [66, 72, 26, 39], 92, 7925),
            seconds: 1.267,
            packs: (56, 20),
            peaks: [Some(321), Some(755)],
            keygen: [None; 2],
        },
    ]
}

#[test]
fn sizes_are_those_of_the_protocol() {
    let shape = Shape::fit(&Request::new(Scheme::Schnorr, 16, 8)).unwrap();
    let sizes = ProofKind::ALL.map(|kind| Size::of(&shape, kind).unwrap());
    assert_eq!(sizes, [measured()[0].size, measured()[0].compact()]);
    let by_address =
        Request { keys: KeyKind::Address, ..Request::new(Scheme::EcdsaSecp256k1, 19, 13) };
    let shape = Shape::fit(&by_address).unwrap();
    assert_eq!(Size::of(&shape, ProofKind::Compact).unwrap(), measured()[3].compact());
}

/// Keys say it as their shape does.
#[test]
fn keys_have_the_size_of_their_shape() {
    let shape = Shape::fit(&Request::new(Scheme::Schnorr, 3, 2)).unwrap();
    for kind in ProofKind::ALL {
        let srs = Srs::insecure(Keys::srs_degree(&shape, kind).unwrap()).unwrap();
        let keys = Keys::make_for(&srs, &shape, kind).unwrap();
        assert_eq!(Size::for_key(&keys.verifier()), Size::of(&shape, kind).unwrap());
    }
    let plan = Keys::plan(&shape, Some(5)).unwrap();
    let srs = Srs::insecure(plan.srs_degree()).unwrap();
    let keys = Keys::make_compact(&srs, &shape, &plan).unwrap();
    assert_eq!(Size::for_key(&keys.verifier()).stride, 5);
}

#[test]
fn estimates_are_near_what_was_measured() {
    for (place, measured) in measured().into_iter().enumerate() {
        let sizes = [measured.size, measured.compact()];
        let found = sizes[0].seconds() / measured.seconds;
        assert!((0.8..1.2).contains(&found), "case {place}: {found} of what was measured");
        assert!(sizes[1].seconds() > sizes[0].seconds());
        let proving = sizes.map(|size| size.proving_bytes(Memory::Low, 1));
        let keygen = sizes.map(|size| size.keygen_bytes());
        let peaks = measured.peaks.into_iter().chain(measured.keygen);
        // Never too little, and not more than two fifths too much.
        for (bytes, peak) in proving.into_iter().chain(keygen).zip(peaks) {
            let Some(peak) = peak.map(|mib: u64| mib << 20) else { continue };
            assert!(bytes > peak && bytes < peak + peak * 2 / 5, "case {place}: {}", bytes >> 20);
        }
    }
}

#[test]
fn estimates_grow_with_everything() {
    for measured in measured() {
        for size in [measured.size, measured.compact()] {
            let larger = [
                Size { degree: size.degree + 1, srs_degree: size.srs_degree + 1, ..size },
                Size { advice: size.advice + 1, committed: size.committed + 1, ..size },
                Size { committed: size.committed + 1, ..size },
                Size { fixed: size.fixed + 1, ..size },
                Size { permutation: size.permutation + 1, ..size },
            ];
            for larger in larger {
                for memory in [Memory::Low, Memory::Fast] {
                    assert!(larger.row_bytes(memory) >= size.row_bytes(memory));
                    assert!(larger.proving_bytes(memory, 2) >= size.proving_bytes(memory, 2));
                }
                assert!(larger.seconds() >= size.seconds());
            }
            for memory in [Memory::Low, Memory::Fast] {
                assert!(size.proving_bytes(memory, 2) > size.proving_bytes(memory, 1));
            }
            assert!(Size { operations: size.operations + 100, ..size }.seconds() > size.seconds());
        }
        let more = Size { stride: measured.packs.0 + 1, ..measured.compact() };
        assert!(
            more.proving_bytes(Memory::Low, 1) > measured.compact().proving_bytes(Memory::Low, 1)
        );
    }
}
