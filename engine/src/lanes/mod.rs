//! Eight field elements at a time. Algorithms are written once, over [`Lanes`]; [`Portable`] computes
//! them with the library's own arithmetic, `ifma` in vectors.

#[cfg(target_arch = "x86_64")]
pub(crate) mod ifma;
mod portable;
#[cfg(test)]
mod tests;

use halo2curves::bn256::{Fq, G1Affine};

pub(crate) use portable::Portable;
#[cfg(test)]
pub(crate) use tests::Counted;

/// How many elements go side by side.
pub(crate) const LANES: usize = 8;

/// The greatest bound: `84·p < 2^260`.
pub(crate) const GREATEST: u32 = 84;

/// Arithmetic on eight elements of `F` at a time.
///
/// A value of a type that implements this proves that the machine has what it needs. Algorithms
/// run inside [`vectorize`](Self::vectorize), with everything they call inlined into it.
///
/// # Bounds
///
/// An [`Octet`](Self::Octet) need not be reduced: it is below `bound·p`, and the caller knows the
/// bound. [`load`](Self::load) gives 1. [`add`](Self::add) adds the bounds. [`sub`](Self::sub) is told
/// the right side's bound and adds it to the left one's. A product of factors with bounds `a` and `b` has
/// the bound `1 + ⌈a·b/84⌉`. No bound may exceed 84 (`GREATEST`). None of this depends on the values, so
/// one run of an algorithm on lanes that count bounds (`Counted`) proves it for all.
pub(crate) trait Lanes<F>: Copy + Send + Sync + 'static {
    /// Eight elements, in the library's Montgomery form or in any other multiple of it: sums are
    /// linear, and a product keeps the form of its left side.
    type Octet: Copy + Send + Sync;
    /// Eight elements to multiply by.
    type Multiplier: Copy + Send + Sync;
    /// One element to multiply all eight by; smaller in memory than a multiplier.
    type Factor: Copy + Send + Sync;
    /// A sum of products, not reduced yet.
    type Wide: Copy;

    /// Runs `work` with the processor's features enabled.
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R;

    /// Eight elements from memory.
    fn load(self, elements: &[F; LANES]) -> Self::Octet;

    /// Reduces, and writes eight elements to memory.
    fn store(self, octet: Self::Octet, elements: &mut [F; LANES]);

    /// [`store`](Self::store) for a bound of at most 2, in less time.
    fn store_small(self, octet: Self::Octet, elements: &mut [F; LANES]);

    /// Multiplies eight elements in memory by a multiplier of a bound of at most 84, in less time than
    /// [`mul`](Self::mul) between [`load`](Self::load) and [`store`](Self::store).
    fn multiply(self, elements: &mut [F; LANES], right: Self::Multiplier);

    /// Eight elements to multiply by. The bound is 1. Takes longer than a product: for tables.
    fn multiplier(self, elements: &[F; LANES]) -> Self::Multiplier;

    /// Eight elements to multiply by. The bound is 16.
    fn load_multiplier(self, elements: &[F; LANES]) -> Self::Multiplier;

    /// One element to multiply by. Takes longer than a product: for tables.
    fn factor(self, element: &F) -> Self::Factor;

    /// A factor in all lanes. The bound is 1.
    fn splat(self, factor: Self::Factor) -> Self::Multiplier;

    /// `left + right`.
    fn add(self, left: Self::Octet, right: Self::Octet) -> Self::Octet;

    /// `left − right`, for a right side of the bound `BOUND`.
    fn sub<const BOUND: u32>(self, left: Self::Octet, right: Self::Octet) -> Self::Octet;

    /// `left · right`.
    fn mul(self, left: Self::Octet, right: Self::Multiplier) -> Self::Octet;

    /// `left · right`, to multiply by. The bound is that of a product.
    fn chain(self, left: Self::Multiplier, right: Self::Multiplier) -> Self::Multiplier;

    /// `left + right`, to multiply by. The bounds are added.
    fn sum(self, left: Self::Multiplier, right: Self::Multiplier) -> Self::Multiplier;

    /// `left − right`, to multiply by, for a right side of the bound `bound`, which is added to the left one's.
    fn difference(
        self,
        left: Self::Multiplier,
        right: Self::Multiplier,
        bound: u32,
    ) -> Self::Multiplier;

    /// An empty sum of products.
    fn wide(self) -> Self::Wide;

    /// `wide + left · right`, for up to eight products in all.
    fn accumulate(
        self,
        wide: Self::Wide,
        left: Self::Multiplier,
        right: Self::Multiplier,
    ) -> Self::Wide;

    /// A sum of products, to multiply by. The bound is `1 + ⌈s/84⌉`, where `s` is the sum of the products of
    /// the bounds.
    fn narrow(self, wide: Self::Wide) -> Self::Multiplier;

    /// Lane `i` of octet `j` becomes lane `j` of octet `i`.
    fn transpose(self, octets: [Self::Octet; LANES]) -> [Self::Octet; LANES];
}

/// What sums of eight points side by side need beyond [`Lanes`].
pub(crate) trait Points: Lanes<Fq> {
    /// The coordinates x and y of eight points from anywhere in memory. The bounds are 1.
    fn load_points(self, points: [&G1Affine; LANES]) -> [Self::Octet; 2];

    /// The coordinates x alone, in less time.
    fn load_x(self, points: [&G1Affine; LANES]) -> Self::Octet;

    /// Reduces coordinates x and y, and makes points from them.
    fn store_points(self, x: Self::Octet, y: Self::Octet) -> [G1Affine; LANES];

    /// Eight elements to multiply by, with 16 times the bound.
    fn to_multiplier(self, octet: Self::Octet) -> Self::Multiplier;

    /// Whether a lane is zero. The octet must be as loaded.
    fn has_zero(self, octet: Self::Octet) -> bool;

    /// Whether the two agree in a lane. Both must be as loaded.
    fn has_equal(self, left: Self::Octet, right: Self::Octet) -> bool;
}
