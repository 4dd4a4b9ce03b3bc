//! What a proof will take: memory and time, from the columns of its circuit.

/// What the columns of a circuit come to, as far as memory and time depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// log₂ of the rows.
    pub(super) degree: u32,
    /// Advice columns.
    pub(super) advice: usize,
    /// Fixed columns.
    pub(super) fixed: usize,
    /// Lookup arguments.
    pub(super) lookups: usize,
    /// Columns in the permutation argument.
    pub(super) permutation: usize,
}

/// The quotient is computed on so many cosets: gates have degree 5.
const COSETS: u64 = 4;
/// Permutation columns that share a product polynomial: the degree of the gates less 2.
const CHUNK: u64 = 3;
/// Bytes of a field element.
const SCALAR: u64 = 32;
/// Program, threads and buffers.
const BASE: u64 = 20 << 20;
/// What allocators keep beyond what is asked of them, in percent of it. Chosen so that the estimate
/// is never below the peaks measured for Schnorr and MuSig, 8/16 to 128/256, degrees 11 to 16;
/// where they were over 40 MiB it is at most 25% above them.
const SLACK: u64 = 35;

impl Size {
    /// An estimate of the peak memory of key generation, proof and verification in one process,
    /// from what halo2 holds at its fullest moment.
    pub(super) fn peak_bytes(&self) -> u64 {
        let polynomial = SCALAR << self.degree;
        let polynomials = self.keygen().max(self.witness()).max(self.quotient());
        BASE + polynomial * polynomials / 100 * (100 + SLACK)
    }

    /// Polynomials that stay: the SRS (two bases of 64-byte points), the twiddle factors (of the
    /// domain, its double and its extension, there and back), and the proving key with the values
    /// and the coefficients of each column.
    fn resident(&self) -> u64 {
        let srs = 4;
        let twiddles = 2 * (1 + 2 + COSETS);
        srs + twiddles + 2 * self.fixed() + 2 * self.permutation() + 3
    }

    /// While keys are made: the domain once more, the copies as three words a cell and their clone.
    fn keygen(&self) -> u64 {
        let twiddles = 2 * (1 + 2 + COSETS);
        self.resident() + twiddles + self.permutation() * 5 / 2
    }

    /// While the witness is assigned: cells as fractions (9 words), the columns, and the cells and
    /// copies of the virtual regions, about 12 words a cell.
    fn witness(&self) -> u64 {
        self.resident() + self.advice() * (9 + 4 + 12) / 4
    }

    /// While the quotient is computed: each column, its coset, and the parts of the quotient.
    fn quotient(&self) -> u64 {
        let products = self.permutation().div_ceil(CHUNK);
        let instance = 2;
        let held = self.advice() + products + 3 * self.lookups() + instance + 1;
        let coset = self.fixed() + self.advice() + self.permutation() + products + 3 + 3 + 2;
        self.resident() + held + coset + 2 * COSETS
    }

    /// Seconds of a proof on two cores, by the measured `0.6 + 0.16·A + 0.2·L` at 2^15 rows. Only
    /// the proportions matter: a sweep learns the machine's speed from its own rows.
    pub(super) fn seconds(&self) -> f64 {
        let columns = 0.6 + 0.16 * self.advice as f64 + 0.2 * self.lookups as f64;
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
