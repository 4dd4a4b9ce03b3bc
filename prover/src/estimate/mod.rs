//! Estimates of the memory and time that proofs take, from the columns of their circuit: at most those of halo2's format. A proof of `fast` takes
//! about two thirds of either.

use muster_circuits::{Columns, Shape};

use crate::Memory;

/// The size of a circuit, as far as memory and time depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// log₂ of the rows.
    pub degree: u32,
    /// Advice columns.
    pub advice: usize,
    /// Fixed columns.
    pub fixed: usize,
    /// Lookup arguments.
    pub lookups: usize,
    /// Columns in the permutation argument.
    pub permutation: usize,
}

/// Cosets that the quotient is computed on: gates have degree 5.
const COSETS: u64 = 4;
/// Permutation columns that share a grand product: the degree of the gates less 2.
const CHUNK: u64 = 3;
/// Columns that tell rows apart: the domain's points, `l_0`, `l_last` and `l_active`.
const ROWS: u64 = 4;
/// Bytes of a field element.
const SCALAR: u64 = 32;
/// Program, threads and buffers, and the multiples of small bases.
const BASE: u64 = 36 << 20;
/// What allocators keep beyond what is asked of them, in percent.
const SLACK: u64 = 30;

/// Bytes of a member in memory: as read, as a member of a set, and as a part of the tree. `muster root` takes 410 and
/// 417 beside the file for 10^5 and 4*10^5 members.
const MEMBER: u64 = 420;
/// Least bytes of a member in a file: an address, the name of the field, and a comma.
const MEMBER_TEXT: u64 = 57;

/// Bytes that the committees of proofs take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Committees {
    shared: u64,
    own: u64,
}

impl Committees {
    /// One committee for all proofs, from a file of `file` bytes with this many members.
    pub fn shared(file: u64, members: usize) -> Self {
        Self { shared: file + MEMBER * members as u64, own: 0 }
    }

    /// A committee for each proof, none from a file of more than `file` bytes.
    pub fn own(file: u64) -> Self {
        Self { shared: 0, own: file + MEMBER * (file / MEMBER_TEXT) }
    }

    /// What they take with this many proofs `at_once`.
    pub fn bytes(&self, at_once: usize) -> u64 {
        self.shared + self.own * at_once as u64
    }
}

impl Size {
    /// The size of a shape's circuit.
    pub fn of(shape: &Shape) -> Self {
        let columns = Columns::of(&shape.layout);
        Self {
            degree: shape.degree(),
            advice: columns.advice,
            fixed: columns.fixed,
            lookups: columns.lookups,
            permutation: columns.permutation,
        }
    }

    /// An estimate of the peak memory of a process that reads keys and an SRS and makes this many proofs `at_once`.
    pub fn proving_bytes(&self, memory: Memory, at_once: usize) -> u64 {
        self.bytes(self.resident(memory) + self.proof(memory) * at_once as u64)
    }

    /// The same of key generation, a proof and verification in one process.
    pub fn row_bytes(&self, memory: Memory) -> u64 {
        self.proving_bytes(memory, 1).max(self.keygen_bytes())
    }

    /// The same of key generation alone.
    pub fn keygen_bytes(&self) -> u64 {
        self.bytes(self.keygen())
    }

    fn bytes(&self, polynomials: u64) -> u64 {
        let polynomial = SCALAR << self.degree;
        BASE + polynomial * polynomials / 100 * (100 + SLACK)
    }

    /// Polynomials that stay for a proof of halo2's format, which takes more than one of `fast`: the SRS (two bases of 64-byte points), the
    /// library's twiddle factors (of the domain, its double and its extension, there and back), the columns of the key as they are in its file,
    /// halo2's proving key with the values and the coefficients of each, the bases once more, and the domain's points.
    fn resident(&self, memory: Memory) -> u64 {
        let (srs, bases, points) = (4, 4, 2);
        let twiddles = 2 * (1 + 2 + COSETS);
        let kept = match memory {
            Memory::Low => 0,
            Memory::Fast => COSETS * (self.fixed() + self.permutation() + ROWS),
        };
        srs + twiddles + 3 * (self.fixed() + self.permutation()) + 3 + bases + points + kept
    }

    /// What a proof takes besides: at first the columns, with the cells and copies of the virtual regions at about 12
    /// words a cell; at the end each column and its values on a coset, and the parts of the quotient.
    fn proof(&self, memory: Memory) -> u64 {
        let witness = self.advice() * (4 + 12) / 4;
        let products = self.permutation().div_ceil(CHUNK);
        let own = self.advice() + products + 3 * self.lookups() + 1;
        let of_key = match memory {
            Memory::Low => self.fixed() + self.permutation() + ROWS,
            Memory::Fast => 0,
        };
        let quotient = 2 * own + of_key + 2 * COSETS + 2;
        witness.max(quotient)
    }

    /// While keys are made: SRS and twiddles, the virtual regions, copies as three words a cell, and each column of the
    /// key as values and as coefficients.
    fn keygen(&self) -> u64 {
        let (srs, bases) = (4, 2);
        let twiddles = 2 * (1 + 2 + COSETS);
        let columns = 2 * self.fixed() + 2 * self.permutation() + 3;
        srs + bases + twiddles + columns + self.advice() * 12 / 4 + self.permutation() * 3 / 4
    }

    /// Seconds of a proof on two cores with AVX-512 IFMA, by `0.14 + 0.037·A + 0.044·L` at 2^15 rows, as in RESULTS.md:
    /// within a quarter for most circuits, up to half too little for BLS. Elsewhere a proof takes up to four times as
    /// long; a sweep learns the machine's speed from its own rows.
    pub fn seconds(&self) -> f64 {
        let columns = 0.14 + 0.037 * self.advice as f64 + 0.044 * self.lookups as f64;
        columns * f64::from(self.degree).exp2() / f64::from(15).exp2()
    }

    fn advice(&self) -> u64 {
        self.advice as u64
    }

    fn fixed(&self) -> u64 {
        self.fixed as u64
    }

    fn lookups(&self) -> u64 {
        self.lookups as u64
    }

    fn permutation(&self) -> u64 {
        self.permutation as u64
    }
}
