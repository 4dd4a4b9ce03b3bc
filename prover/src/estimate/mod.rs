//! Estimates of the memory and time that proofs of each format take, from what their circuit and its protocol count.

use muster_circuits::{Columns, Shape, ThresholdCircuit};
use muster_verifier::{Polynomial, Protocol};

use crate::{keys::Plan, logup::Reading, Memory, ProofKind};

#[cfg(test)]
mod tests;

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
    /// The format of the proofs.
    pub kind: ProofKind,
    /// Polynomials that a proof commits to before the quotient: advice columns, and what its format has for lookups and copies.
    pub committed: usize,
    /// Operations that evaluate the constraints in a row, those of lookups and copies aside: nodes of the protocol.
    pub operations: usize,
    /// Polynomials that share a commitment: 1 but in `compact`, where keys are taken to have the stride that is usual for their circuit.
    pub stride: usize,
    /// log₂ of the powers of the SRS.
    pub srs_degree: u32,
}

/// Cosets that the quotient is computed on: gates have degree 5.
const COSETS: u64 = 4;
/// Permutation columns that share a grand product of halo2: the degree of the gates less 2.
const CHUNK: usize = 3;
/// Columns that tell rows apart: the domain's points, `l_0`, `l_last` and `l_active`. `fast` has no `l_last`.
const ROWS: u64 = 4;
/// Bytes of a field element.
const SCALAR: u64 = 32;
/// Program, threads and buffers, and the multiples of small bases.
const BASE: u64 = 36 << 20;
/// What allocators keep beyond what is asked of them, in percent.
const SLACK: u64 = 30;
/// The same of proofs of `fast`, which free less of what they ask for. With both, estimates for 128 of 256 and for 13 of 19 of ECDSA are 100 and
/// 149 MiB, where 88 and 142 were measured (RESULTS.md, the two formats of proofs).
const FAST_BASE: u64 = 24 << 20;
const FAST_SLACK: u64 = 10;

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

/// How many polynomials a proof of `fast` commits to before the quotient.
fn committed(protocol: &Protocol) -> usize {
    use Polynomial::{Fixed, Quotient, Sigma};
    let opened = protocol.arrangement().polynomials().iter();
    opened.filter(|it| !matches!(it.polynomial, Fixed(_) | Sigma(_) | Quotient)).count()
}

impl Size {
    /// The size of a shape's circuit, and of its proofs of this kind.
    pub fn of(shape: &Shape, kind: ProofKind) -> Self {
        let Columns { advice, fixed, lookups, permutation } = Columns::of(&shape.layout);
        let constraints = ThresholdCircuit::constraints(&shape.layout);
        let reading = Reading::of(&constraints, shape.degree(), shape.public_inputs()).ok();
        // Every circuit of a shape has a protocol. Whoever has one without gets an estimate, and the reason when keys are made.
        let of_halo2 = advice + 3 * lookups + permutation.div_ceil(CHUNK);
        let plan = reading.as_ref().filter(|_| kind == ProofKind::Compact);
        let plan = plan.and_then(|reading| Plan::of(&reading.protocol, None).ok());
        let (committed, operations) =
            reading.map_or((of_halo2, 0), |Reading { protocol, .. }| {
                let committed = match kind {
                    ProofKind::Fast | ProofKind::Compact => committed(&protocol),
                    ProofKind::Halo2 => of_halo2,
                };
                (committed, protocol.nodes().len())
            });
        let degree = shape.degree();
        let (stride, srs_degree) =
            plan.map_or((1, degree), |plan| (plan.packing().stride() as usize, plan.srs_degree()));
        Self {
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
    }

    /// An estimate of the peak memory of a process that reads keys and an SRS and makes this many proofs `at_once`.
    pub fn proving_bytes(&self, memory: Memory, at_once: usize) -> u64 {
        let polynomials = self.resident(memory) + self.proof(memory) * at_once as u64;
        match self.kind {
            ProofKind::Fast | ProofKind::Compact => self.bytes(polynomials, FAST_BASE, FAST_SLACK),
            ProofKind::Halo2 => self.bytes(polynomials, BASE, SLACK),
        }
    }

    /// The same of key generation, a proof and verification in one process.
    pub fn row_bytes(&self, memory: Memory) -> u64 {
        self.proving_bytes(memory, 1).max(self.keygen_bytes())
    }

    /// The same of key generation alone.
    pub fn keygen_bytes(&self) -> u64 {
        self.bytes(self.keygen(), BASE, SLACK)
    }

    fn bytes(&self, polynomials: u64, base: u64, slack: u64) -> u64 {
        let polynomial = SCALAR << self.degree;
        base + polynomial * polynomials / 100 * (100 + slack)
    }

    /// Columns of the key, with those that tell rows apart.
    fn of_key(&self) -> u64 {
        let rows = match self.kind {
            ProofKind::Fast | ProofKind::Compact => ROWS - 1,
            ProofKind::Halo2 => ROWS,
        };
        self.fixed() + self.permutation() + rows
    }

    /// Polynomials that stay: the SRS (two bases of 64-byte points), the bases once more, and what the format needs.
    ///
    /// - `compact`: the bases of packs, and as many powers as they have, both once more while they are prepared.
    /// - `fast`, and in `compact` besides: the engine's twiddle factors of the domain and of each coset, and the key's columns as values and as coefficients.
    /// - halo2's: the library's twiddle factors (of the domain, its double and its extension, there and back), the columns of the key as they are
    ///   in its file, halo2's proving key with the values and the coefficients of each, and the domain's points.
    fn resident(&self, memory: Memory) -> u64 {
        let stride = self.stride as u64;
        let srs = 4 << self.srs_degree.saturating_sub(self.degree);
        let bases = if self.kind == ProofKind::Compact { 8 * stride } else { 4 };
        let kept = match memory {
            Memory::Low => 0,
            Memory::Fast => COSETS * self.of_key(),
        };
        let own = match self.kind {
            ProofKind::Fast | ProofKind::Compact => 2 * (1 + COSETS) + 2 * self.of_key(),
            ProofKind::Halo2 => {
                let (twiddles, points) = (2 * (1 + 2 + COSETS), 2);
                twiddles + 3 * (self.fixed() + self.permutation()) + 3 + points
            }
        };
        srs + bases + own + kept
    }

    /// What a proof takes besides: at first the columns, with the cells and copies of the virtual regions at about 12
    /// words a cell; at the end each column and its values on a coset, and the parts of the quotient.
    fn proof(&self, memory: Memory) -> u64 {
        let witness = self.advice() * (4 + 12) / 4;
        let of_key = match memory {
            Memory::Low => self.of_key(),
            Memory::Fast => 0,
        };
        // The inputs, or halo2's random polynomial, are one more.
        let quotient = 2 * (self.committed as u64 + 1) + of_key + 2 * COSETS + 2;
        // Of `compact` every polynomial is joined with none or few, and W, W' and what they are made from are as long as a pack.
        let openings = match self.kind {
            ProofKind::Compact => {
                2 * self.committed as u64 + self.of_key() + 2 * COSETS + 4 * self.stride as u64
            }
            ProofKind::Fast | ProofKind::Halo2 => 0,
        };
        witness.max(quotient).max(openings)
    }

    /// While keys are made: SRS and twiddles, the virtual regions, copies as three words a cell, and each column of the
    /// key as values and as coefficients.
    fn keygen(&self) -> u64 {
        let (srs, bases) = (4, 2);
        let twiddles = 2 * (1 + 2 + COSETS);
        let columns = 2 * self.fixed() + 2 * self.permutation() + 3;
        srs + bases + twiddles + columns + self.advice() * 12 / 4 + self.permutation() * 3 / 4
    }

    /// Seconds of a proof on two cores with AVX-512 IFMA. At 2^15 rows a proof
    ///
    /// - of `fast` takes `0.21 + 0.0145·C + 0.125·N` with `C` commitments and `N` thousand operations: what each committed column costs in sums and
    ///   transforms, and each operation in the quotient. That is the time of halo2's format, as below, times the ratios of RESULTS.md, within a fifth.
    /// - of `compact` takes besides 0.05 for each polynomial of a pack, since W and W' are as long as packs, and 0.2 for the decider at any number of rows.
    /// - of halo2's format takes `0.14 + 0.037·A + 0.044·L`, as in RESULTS.md: within a quarter for most circuits, up to half too little for BLS.
    ///
    /// Elsewhere a proof takes up to four times as long; a sweep learns the machine's speed from its own rows.
    pub fn seconds(&self) -> f64 {
        let (own, stride) = match self.kind {
            ProofKind::Compact => (0.2, 0.05 * self.stride as f64),
            ProofKind::Fast | ProofKind::Halo2 => (0.0, 0.0),
        };
        let at_15 = match self.kind {
            ProofKind::Fast | ProofKind::Compact => {
                0.21 + 0.0145 * self.committed as f64 + 0.125 * self.operations as f64 / 1e3
            }
            ProofKind::Halo2 => 0.14 + 0.037 * self.advice as f64 + 0.044 * self.lookups as f64,
        };
        own + (at_15 + stride) * f64::from(self.degree).exp2() / f64::from(15).exp2()
    }

    fn advice(&self) -> u64 {
        self.advice as u64
    }

    fn fixed(&self) -> u64 {
        self.fixed as u64
    }

    fn permutation(&self) -> u64 {
        self.permutation as u64
    }
}
