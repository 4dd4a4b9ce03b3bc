//! The sums of a gate's equations.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    equation::{Equation, Terms},
    source::Source::{self, Above, Back, Operand, Result, Turned},
};

/// Coordinates of an entry: the operands of the block that holds it, and of one that asks for it.
pub(super) const COORDINATES: usize = 2;
/// The number of the sum `Y₀`, which is the difference where a digit is asked for.
pub(super) const DIFFERENCE: usize = 1;

/// What the sums of `X₀·Y₀ + X₁·Y₁ + … + L` may be made of: exactly the sources that some equation of the gate has
/// there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sums {
    /// Both factors of each product.
    products: Vec<[Vec<Source>; 2]>,
    /// What is added to the products.
    linear: Vec<Source>,
    /// The most operands of any equation that says that `Y₀` does not vanish; `None` if none does. Most files leave it
    /// out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    apart: Option<usize>,
}

impl Default for Sums {
    /// Those of the equations of a curve in Weierstrass form. A layout's file that names no sums has these.
    fn default() -> Self {
        let [b1, b2, b3, b4] = [1, 2, 3, 4].map(Back);
        let [a0, a1] = [0, 1].map(Operand);
        Self {
            products: vec![
                [vec![Result, b1, b2, a0], vec![Result, b1, b2, b3, b4, a0, a1]],
                [vec![b2, b4], vec![b1, b2, b3, b4, a0]],
            ],
            linear: vec![Result, b1, b2, b3, a0, a1, Turned, Above(0)],
            apart: None,
        }
    }
}

impl Sums {
    /// What `equations` are made of.
    ///
    /// # Panics
    /// If digits ask for entries and no equation has a product, and so none has a difference.
    pub(super) fn of(equations: &[Equation]) -> Self {
        let products = equations.iter().map(|equation| equation.products().len()).max();
        let together = |terms: &mut dyn Iterator<Item = &Terms>| {
            terms.flat_map(Terms::keys).copied().collect::<BTreeSet<_>>().into_iter().collect()
        };
        let factor = |product: usize, factor: usize| {
            let all = equations.iter().filter_map(|equation| equation.products().get(product));
            together(&mut all.map(|product| &product[factor]))
        };
        let products = 0..products.unwrap_or_default();
        let sums = Self {
            products: products.map(|i| [0, 1].map(|side| factor(i, side))).collect(),
            linear: together(&mut equations.iter().map(Equation::linear)),
            apart: { equations.iter().filter(|one| one.is_apart()) }.map(Equation::operands).max(),
        };
        assert!(!sums.asks() || !sums.products.is_empty(), "whoever asks has a difference");
        sums
    }

    /// Whether the gate was made for such an equation.
    pub(super) fn hold(&self, equation: &Equation) -> bool {
        let within = |sum: &[Source], terms: &Terms| terms.keys().all(|one| sum.contains(one));
        let products = self.products.iter().zip(equation.products());
        let fits =
            |([a, b], [x, y]): (&[Vec<Source>; 2], &[Terms; 2])| within(a, x) && within(b, y);
        (!equation.is_apart() || self.apart.is_some_and(|most| equation.operands() <= most))
            && equation.products().len() <= self.products.len()
            && products.into_iter().all(fits)
            && within(&self.linear, equation.linear())
    }

    /// All sums: the factors of each product, and what is added to the products.
    pub(super) fn all(&self) -> impl Iterator<Item = &[Source]> {
        self.products.iter().flatten().chain([&self.linear]).map(Vec::as_slice)
    }

    /// The factors that an equation has in each sum.
    pub(super) fn factors(&self, equation: &Equation) -> Vec<Vec<i64>> {
        let none = Terms::new();
        let terms = |sum: usize| match equation.products().get(sum / 2) {
            _ if sum == 2 * self.products.len() => equation.linear(),
            Some(product) => &product[sum % 2],
            None => &none,
        };
        let of = |(sum, sources): (usize, &[Source])| {
            let terms = terms(sum);
            sources.iter().map(|one| terms.get(one).copied().unwrap_or_default()).collect()
        };
        self.all().enumerate().map(of).collect()
    }

    /// Operands of a block.
    pub(super) fn operands(&self) -> usize {
        let operands = self.all().flatten().map(|source| match source {
            Operand(operand) | Above(operand) => operand + 1,
            Turned => COORDINATES,
            Result | Back(_) => 0,
        });
        operands.max().unwrap_or_default()
    }

    /// Whether digits ask for the entries of tables.
    pub(super) fn asks(&self) -> bool {
        self.all().flatten().any(|source| *source == Turned)
    }

    /// Whether an equation may say that `Y₀` does not vanish.
    pub(super) fn apart(&self) -> bool {
        self.apart.is_some()
    }

    /// An operand that is never given where an equation says that `Y₀` does not vanish, so that two of its cells can
    /// show it. `None` if digits ask, which have cells for it.
    pub(super) fn idle(&self) -> Option<usize> {
        self.apart.filter(|taken| !self.asks() && *taken < self.operands())
    }

    /// Whether a file of the layout leaves them out.
    pub(super) fn are_default(&self) -> bool {
        *self == Self::default()
    }
}
