//! Signs of elements, RFC 9380 section 4.1.

use crate::field::foreign::script::{Script, Var};

/// Both elements of a prime field have one sign, which is the lowest bit of the least number that stands for them: their
/// sum is even. `u` is canonical already.
pub(super) fn assert_sign(script: &mut Script, u: Var, y: Var) {
    script.assert_canonical(y);
    script.integer(|at| (at(u) + at(y)) / 2);
}

/// The same in a quadratic extension, where the sign is that of the first coordinate unless it is 0: there is no witness for
/// elements of which it is.
pub(super) fn assert_sign_of_first(script: &mut Script, u: Var, y: Var) {
    assert_sign(script, u, y);
    let product = script.result(|at| at(u) * at(y));
    script.result(|at| 1 / at(product));
}
