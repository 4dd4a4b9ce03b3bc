//! The text of Ethereum's ceremony (EIP-4844): counts, Lagrange points, powers in G2, powers in G1.

use group::prime::PrimeCurveAffine;
use rayon::prelude::*;

use super::{
    points::{bad, g1, g2},
    string::{Srs, MOST_POWERS},
};
use crate::{
    pairing_curve::{G1Affine, G2Affine},
    pvss::Error,
};

impl Srs {
    /// Takes the powers of τ from the text layout of Ethereum's ceremony: the number of powers in
    /// each group, then Lagrange points (not needed here), powers in G2 and powers in G1, one
    /// hexadecimal point per line. It has no ξ: contribute one.
    ///
    /// # Errors
    ///
    /// [`Error::Srs`].
    pub fn import(text: &str) -> Result<Self, Error> {
        let mut lines = text.split_ascii_whitespace();
        let mut number = || {
            let number = lines.next().and_then(|line| line.parse::<usize>().ok());
            number.filter(|n| (2..=MOST_POWERS).contains(n)).ok_or(bad("a count is missing"))
        };
        let (powers, powers_g2) = (number()?, number()?);
        let points: Vec<&str> = lines.collect();
        if points.len() != 2 * powers + powers_g2 {
            return Err(bad("the number of points differs from its counts"));
        }
        let (in_g2, in_g1) = points[powers..].split_at(powers_g2);
        let powers: Vec<G1Affine> =
            in_g1.par_iter().map(|line| g1(&unhex(line)?)).collect::<Result<_, _>>()?;
        Ok(Self {
            powers,
            tau_g2: g2(&unhex(in_g2[1])?)?,
            xi_g1: G1Affine::generator(),
            xi_g2: G2Affine::generator(),
            contributions: vec![],
            insecure_tau: false,
        })
    }
}

fn unhex(line: &str) -> Result<Vec<u8>, Error> {
    let digits = line.strip_prefix("0x").unwrap_or(line);
    hex::decode(digits).map_err(|_| bad("a line is not hexadecimal"))
}
