//! Whether public shares lie on one polynomial through the group's key.
//!
//! A group of n members at points x_i has shares f(x_i) of the secret f(0), and f has t
//! coefficients: any t of them determine it. Everybody sees the shares and the secret as multiples
//! of a generator, Y_i and A. If they are not on such an f, some t members can make a signature
//! that others cannot, or nobody can.
//!
//! Let λ_i be the Lagrange coefficients at zero of all n members. For every polynomial r of degree n - t
//! or less, f·r has fewer than n coefficients, so
//!
//!   Σ λ_i·r(x_i)·Y_i = r(0)·A.
//!
//! These are the equations of the dual of a Reed-Solomon code: if they hold for every r, the points are on
//! an f with t coefficients. It is enough to take r = (x - z)^(n-t) for one random z: the difference of
//! both sides is a polynomial in z whose coefficients are those for r = x^k, each times a binomial
//! coefficient, which is not zero modulo a prime above n. Where one of them does not hold, at most n - t
//! values of z hide it.

use std::ops::{Mul, Sub};

/// The factor of each member's public share, in the order of `members`, and last that of the
/// group's key. The sum of these multiples is the identity if all lie on one polynomial with
/// `threshold` coefficients; otherwise it is with a chance of at most n over the order of the
/// group.
///
/// `members` are the points and Lagrange coefficients at zero of all members. `shift` must be
/// random, and drawn only after the shares are known.
///
/// # Panics
///
/// If the threshold is above the number of members.
pub(crate) fn weights<S>(
    members: &[(S, S)],
    threshold: usize,
    shift: S,
    [zero, one]: [S; 2],
) -> Vec<S>
where
    S: Copy + Mul<Output = S> + Sub<Output = S>,
{
    assert!(threshold <= members.len(), "fewer members than the threshold");
    let power = |base| power(base, members.len() - threshold, one);
    let member = |&(point, coefficient): &(S, S)| coefficient * power(point - shift);
    let key = zero - power(zero - shift);
    members.iter().map(member).chain([key]).collect()
}

pub(crate) fn power<S: Copy + Mul<Output = S>>(base: S, exponent: usize, one: S) -> S {
    let bits = (0..usize::BITS - exponent.leading_zeros()).rev();
    bits.fold(one, |power, bit| match exponent >> bit & 1 {
        0 => power * power,
        _ => power * power * base,
    })
}
