//! Many multiples of one point.

use rayon::prelude::*;

/// s times a point for each s, by a table of its multiples: one addition for each digit of s.
pub(super) fn multiples<P: Copy + Send + Sync>(
    base: P,
    identity: P,
    scalars: &[[u8; 32]],
    add: impl Fn(&P, &P) -> P + Sync,
) -> Vec<P> {
    // Larger tables pay off with more scalars. A byte holds a whole number of digits.
    let bits: usize = if scalars.len() < 256 { 4 } else { 8 };
    let digits = 256 / bits;
    let mut table = Vec::with_capacity(digits << bits);
    let mut unit = base;
    for _ in 0..digits {
        let mut multiple = identity;
        for _ in 0..1 << bits {
            table.push(multiple);
            multiple = add(&multiple, &unit);
        }
        unit = multiple;
    }
    let multiply = |scalar: &[u8; 32]| {
        let digit =
            |i: usize| usize::from(scalar[i * bits / 8] >> (i * bits % 8)) & ((1 << bits) - 1);
        let terms = (0..digits).filter(|&i| digit(i) != 0);
        terms.fold(identity, |sum, i| add(&sum, &table[(i << bits) + digit(i)]))
    };
    scalars.par_iter().map(multiply).collect()
}
