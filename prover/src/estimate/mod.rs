//! Estimates of the memory and time that proofs of each format take, from what their circuit and its protocol count.

use muster_circuits::{CircuitShape, Columns};
use muster_verifier::{Polynomial, Protocol};

use crate::{
    keys::{KeysOf, Plan, VerifierKeyOf},
    Error, Memory, ProofKind,
};

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
    /// Polynomials that share a commitment: 1 but in `compact`.
    pub stride: usize,
    /// log₂ of the powers of the SRS.
    pub srs_degree: u32,
}

/// Cosets that the quotient is computed on: gates have degree 5.
const COSETS: u64 = 4;
/// Columns that tell rows apart: the domain's points, `ℓ₀` and `ℓ_act`.
const ROWS: u64 = 3;
/// Bytes of a field element.
const SCALAR: u64 = 32;
/// Program, threads and buffers, and the multiples of small bases.
const BASE: u64 = 30 << 20;
/// What allocators keep beyond what is asked of them, in percent. That of the static program, mimalloc, is quicker and keeps more.
const SLACK: u64 = if cfg!(target_env = "musl") { 70 } else { 10 };

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

/// How many polynomials a proof commits to before the quotient.
fn committed(protocol: &Protocol) -> usize {
    use Polynomial::{Fixed, Quotient, Sigma};
    let opened = protocol.arrangement().polynomials().iter();
    opened.filter(|it| !matches!(it.polynomial, Fixed(_) | Sigma(_) | Quotient)).count()
}

impl Size {
    /// The size of a shape's circuit and of its proofs of this kind, with the usual packs if it has any.
    ///
    /// # Errors
    ///
    /// Those of [`Keys::make_for`](crate::Keys::make_for), for a circuit of which no keys can be made.
    pub fn of<S: CircuitShape>(shape: &S, kind: ProofKind) -> Result<Self, Error> {
        Self::planned(shape, KeysOf::usual_plan(shape, kind)?.as_ref())
    }

    /// The same of proofs of the format `compact` with the packs of a plan, or of the format `fast` if there is none.
    ///
    /// # Errors
    ///
    /// As [`Self::of`].
    pub fn planned<S: CircuitShape>(shape: &S, plan: Option<&Plan>) -> Result<Self, Error> {
        let Some(plan) = plan else {
            return Ok(Self::with(shape, &VerifierKeyOf::protocol(shape)?, None));
        };
        let packs = (plan.packing().stride(), plan.srs_degree());
        Ok(Self::with(shape, plan.packing().protocol(), Some(packs)))
    }

    /// The same of the proofs that a key verifies.
    pub fn for_key<S: CircuitShape>(key: &VerifierKeyOf<S>) -> Self {
        let compact = key.key().as_compact();
        let packs = compact.map(|compact| (compact.packing().stride(), key.srs_degree()));
        Self::with(key.shape(), key.key().protocol(), packs)
    }

    fn with<S: CircuitShape>(shape: &S, protocol: &Protocol, packs: Option<(u32, u32)>) -> Self {
        let Columns { advice, fixed, lookups, permutation } = Columns::of(shape.layout());
        let degree = shape.layout().k;
        let (stride, srs_degree) = packs.unwrap_or((1, degree));
        Self {
            degree,
            advice,
            fixed,
            lookups,
            permutation,
            kind: if packs.is_some() { ProofKind::Compact } else { ProofKind::Fast },
            committed: committed(protocol),
            operations: protocol.nodes().len(),
            stride: stride as usize,
            srs_degree,
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

    /// Columns of the key, with those that tell rows apart.
    fn of_key(&self) -> u64 {
        let [_, fixed, permutation] = self.columns();
        fixed + permutation + ROWS
    }

    /// Polynomials that stay: the SRS (two bases of 64-byte points), the bases that proofs commit with, the engine's twiddle factors of the
    /// domain and of each coset, and the key's columns as values and as coefficients. Bases of packs are once more there while they are
    /// prepared, as are the powers that go with them.
    fn resident(&self, memory: Memory) -> u64 {
        let srs = 4 << self.srs_degree.saturating_sub(self.degree);
        let bases = match self.kind {
            ProofKind::Fast => 4,
            ProofKind::Compact => 8 * self.stride as u64,
        };
        let kept = match memory {
            Memory::Low => 0,
            Memory::Fast => COSETS * self.of_key(),
        };
        srs + bases + 2 * (1 + COSETS) + 2 * self.of_key() + kept
    }

    /// What a proof takes besides: at first the columns, with the cells and copies of the virtual regions at about 18
    /// words a cell; at the end each column and its values on a coset, and the parts of the quotient.
    fn proof(&self, memory: Memory) -> u64 {
        let witness = self.advice as u64 * (4 + 18) / 4;
        let of_key = match memory {
            Memory::Low => self.of_key(),
            Memory::Fast => 0,
        };
        // The inputs are one more.
        let quotient = 2 * (self.committed as u64 + 1) + of_key + 2 * COSETS + 2;
        // Of `compact` every polynomial is joined with none or few, and W, W′ and what they are made from are as long as a pack.
        let openings = match self.kind {
            ProofKind::Fast => 0,
            ProofKind::Compact => {
                2 * self.committed as u64 + self.of_key() + 2 * COSETS + 5 * self.stride as u64
            }
        };
        witness.max(quotient).max(openings)
    }

    /// While keys are made: the SRS and what is committed with; twiddles, points, and rows told apart; the columns of the key, their copies
    /// as three words a cell, and the virtual regions, without a witness. For packs the powers of the SRS are once more there, and both
    /// bases and coefficients are as long as packs.
    fn keygen(&self) -> u64 {
        let committing = match self.kind {
            ProofKind::Fast => 8,
            ProofKind::Compact => {
                (6 << self.srs_degree.saturating_sub(self.degree)) + 11 * self.stride as u64
            }
        };
        let [advice, fixed, permutation] = self.columns();
        let columns = fixed + permutation + permutation * 3 / 4;
        committing + 8 + columns + advice * 3 / 2
    }

    /// Seconds of a proof on two cores with AVX-512 IFMA. At 2^15 rows a proof
    ///
    /// - of `fast` takes `0.21 + 0.0145·C + 0.125·N` with `C` commitments and `N` thousand operations: what each committed column costs in
    ///   sums and transforms, and each operation in the quotient. That is within a fifth of what was measured (RESULTS.md).
    /// - of `compact` takes besides 0.05 for each polynomial of a pack, since W and W′ are as long as packs, and 0.2 for the decider at any
    ///   number of rows.
    ///
    /// Elsewhere a proof takes up to four times as long; a sweep learns the machine's speed from its own rows.
    pub fn seconds(&self) -> f64 {
        let (decider, packs) = match self.kind {
            ProofKind::Fast => (0.0, 0.0),
            ProofKind::Compact => (0.2, 0.05 * self.stride as f64),
        };
        let circuit = 0.21 + 0.0145 * self.committed as f64 + 0.125 * self.operations as f64 / 1e3;
        decider + (circuit + packs) * f64::from(self.degree).exp2() / f64::from(15).exp2()
    }

    /// Advice columns, fixed ones, and those in the permutation argument.
    fn columns(&self) -> [u64; 3] {
        [self.advice, self.fixed, self.permutation].map(|count| count as u64)
    }
}
