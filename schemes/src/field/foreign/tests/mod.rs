mod exhaustive;
mod outline;

use muster_testing::sampled;
use num_bigint::{BigInt, BigUint, RandBigInt};
use num_traits::{One, ToPrimitive, Zero};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::{
    relation::{BoundError, Operands},
    *,
};

/// A native prime so small that everything can be tried: 2^17 - 1.
const TOY_NATIVE: i128 = (1 << 17) - 1;

fn toy(modulus: u32) -> Format {
    Format::new(BigUint::from(TOY_NATIVE as u64), modulus.into(), (4, 2), 2)
}

/// `a² - 2·b - c + 5`, which takes negative quotients.
fn mixed() -> Relation {
    Relation {
        terms: vec![
            (1, Operands::Product(0, 0)),
            (-2, Operands::Linear(1)),
            (-1, Operands::Linear(2)),
        ],
        constant: BigInt::from(5),
    }
}

/// The checks over small numbers, as a circuit makes them: modulo the native prime alone.
struct Toy<'a> {
    format: &'a Format,
    relation: &'a Relation,
    checks: Checks,
    modulus_limbs: Vec<i128>,
    constant_limbs: Vec<i128>,
}

impl<'a> Toy<'a> {
    fn new(format: &'a Format, relation: &'a Relation) -> Self {
        Self::of(format, relation, &[Range::Element; 3])
    }

    fn of(format: &'a Format, relation: &'a Relation, ranges: &[Range]) -> Self {
        let checks = relation.checks(format, ranges).expect("the bounds hold");
        let positions = format.group() * checks.carries.len();
        let limb = |position| relation.constant_limb(format, &checks.quotient, position);
        Self {
            modulus_limbs: small(format.split(format.modulus(), format.limbs())),
            constant_limbs: small((0..positions).map(limb).collect()),
            format,
            relation,
            checks,
        }
    }

    fn limbs(&self, mut value: i128, count: usize) -> Vec<i128> {
        let base = 1 << self.format.limb_bits();
        let limbs = (0..count).map(|_| {
            let limb = value % base;
            value /= base;
            limb
        });
        limbs.collect()
    }

    /// The relation's sum over the integers, less `q·p` for a shifted quotient `q`.
    fn difference(&self, operands: &[i128], quotient: i128) -> i128 {
        let constant = self.relation.exact_constant(self.format, &self.checks.quotient);
        let modulus = self.format.modulus().to_i128().expect("toys are small");
        let mut sum = constant.to_i128().expect("toys are small") - quotient * modulus;
        for (factor, term) in &self.relation.terms {
            sum += i128::from(*factor)
                * match term {
                    Operands::Product(a, b) => operands[*a] * operands[*b],
                    Operands::Linear(x) => operands[*x],
                };
        }
        sum
    }

    /// Whether some carries make all checks pass.
    fn accepts(&self, operands: &[i128], quotient: i128) -> bool {
        // The first check of all, made before anything is taken apart.
        if self.difference(operands, quotient).rem_euclid(TOY_NATIVE) != 0 {
            return false;
        }
        let limbs = operands.iter().map(|x| self.limbs(*x, self.format.limbs()));
        self.accepts_limbs(operands, &limbs.collect::<Vec<_>>(), quotient)
    }

    /// The same for operands that have these limbs.
    fn accepts_limbs(&self, operands: &[i128], limbs: &[Vec<i128>], quotient: i128) -> bool {
        if self.difference(operands, quotient).rem_euclid(TOY_NATIVE) != 0 {
            return false;
        }
        let count = self.checks.quotient.bits.div_ceil(self.format.limb_bits());
        let q = self.limbs(quotient, count);
        let base = 1i128 << self.format.limb_bits();
        let mut carry = 0;
        let group = self.format.group();
        for (number, shifted) in self.checks.carries.iter().enumerate() {
            // The one field element that satisfies the equation; it must be in range.
            let parts = (0..group)
                .map(|place| self.part(limbs, &q, group * number + place) * base.pow(place as u32));
            let sum = (parts.sum::<i128>() + carry).rem_euclid(TOY_NATIVE);
            let found = sum * inverse(base.pow(group as u32)) % TOY_NATIVE;
            let offset = shifted.offset.to_i128().expect("toys are small");
            let difference = (found - offset).rem_euclid(TOY_NATIVE);
            if difference >= 1 << shifted.bits {
                return false;
            }
            carry = difference + offset;
        }
        true
    }

    fn part(&self, operands: &[Vec<i128>], quotient: &[i128], position: usize) -> i128 {
        let mut sum = self.constant_limbs.get(position).copied().unwrap_or_default();
        for (factor, term) in &self.relation.terms {
            sum += i128::from(*factor)
                * match term {
                    Operands::Product(a, b) => convolution(&operands[*a], &operands[*b], position),
                    Operands::Linear(x) => operands[*x].get(position).copied().unwrap_or_default(),
                };
        }
        sum - convolution(quotient, &self.modulus_limbs, position)
    }
}

fn small(limbs: Vec<BigUint>) -> Vec<i128> {
    limbs.iter().map(|limb| limb.to_i128().expect("toys are small")).collect()
}

fn convolution(a: &[i128], b: &[i128], position: usize) -> i128 {
    (0..=position).filter_map(|u| Some(a.get(u)? * b.get(position - u)?)).sum()
}

fn inverse(value: i128) -> i128 {
    let (mut power, mut base, mut exponent) = (1, value % TOY_NATIVE, TOY_NATIVE - 2);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power * base % TOY_NATIVE;
        }
        base = base * base % TOY_NATIVE;
        exponent /= 2;
    }
    power
}

/// Every triple of operands of so many bits, and every quotient that passes its range check: the
/// checks hold exactly where the relation does, by exactly one quotient.
fn assert_exact(modulus: u32, relation: &Relation) {
    let format = toy(modulus);
    let toy = Toy::new(&format, relation);
    let bound = 1 << format.element_bits();
    let quotients = 1 << toy.checks.quotient.bits;
    for a in 0..bound {
        for b in 0..bound {
            for c in 0..bound {
                let operands = [a, b, c];
                let unshifted = toy.difference(&operands, 0);
                let holds = unshifted.rem_euclid(i128::from(modulus)) == 0;
                let honest = unshifted.div_euclid(i128::from(modulus));
                if holds {
                    assert!((0..quotients).contains(&honest), "{operands:?}: {honest}");
                    assert!(toy.accepts(&operands, honest), "{operands:?}");
                }
                // Only one in 2^17 passes the native check; it is the first that is made.
                for quotient in (0..quotients).filter(|quotient| !holds || *quotient != honest) {
                    assert!(!toy.accepts(&operands, quotient), "{operands:?}, {quotient}");
                }
            }
        }
    }
}

#[test]
fn toys_accept_what_holds_and_nothing_else() {
    for relation in sampled([Relation::product(), mixed()], 2) {
        assert_exact(61, &relation);
    }
}

#[test]
#[should_panic(expected = "a prime has no more bits than an element")]
fn elements_are_not_shorter_than_the_prime() {
    let _ = toy(61).with_modulus(&67u8.into());
}

/// A prime of 13 bits: random operands, the true result and others, every quotient.
#[test]
fn larger_toys() {
    let format = toy(8191);
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for relation in [Relation::product(), mixed()] {
        let toy = Toy::new(&format, &relation);
        let quotients = 1i128 << toy.checks.quotient.bits;
        for _ in 0..200 {
            let (a, b): (i128, i128) = (rng.gen_range(0..1 << 13), rng.gen_range(0..1 << 13));
            let true_result = toy.difference(&[a, b, 0], 0).rem_euclid(8191);
            for c in [true_result, rng.gen_range(0..1 << 13), 0, 8191] {
                let accepted = (0..quotients).filter(|q| toy.accepts(&[a, b, c], *q)).count();
                let holds = (c - true_result).rem_euclid(8191) == 0;
                assert_eq!(accepted, usize::from(holds), "{a}, {b}, {c}");
            }
        }
    }
}

/// The limbs that are cheapest for products.
fn cheapest(modulus: &BigUint, lookup_bits: usize) -> Format {
    let (modulo, ranges) = (modulus.clone(), vec![Range::Element; 3]);
    let product = Sought { modulo, relation: Relation::product(), ranges };
    let bits = modulus.bits() as usize;
    Widths::cheapest(&bn254(), (bits, lookup_bits, 2), &[product]).0.with_modulus(modulus)
}

fn modulus(hex: &str) -> BigUint {
    BigUint::parse_bytes(hex.as_bytes(), 16).expect("hex")
}

fn bn254() -> BigUint {
    modulus("30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001")
}

fn secp256k1() -> BigUint {
    modulus("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f")
}

fn bls12_381() -> BigUint {
    modulus(
        "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
    )
}

#[test]
fn a_reduction_of_256_bits() {
    let format = cheapest(&secp256k1(), 16);
    let checks =
        Relation::product().checks(&format, &[Range::Element; 3]).expect("the bounds hold");
    let result = 256 / 16;
    let count = result + checks.lookups(&format);
    assert!(count <= 48, "{count}: {format:?}");
    assert_eq!((format.limb_bits(), format.group(), checks.carries.len(), count), (48, 3, 2, 41));
}

/// BN254 (EIP-197), curve25519 (RFC 7748, section 4.1).
fn shorter_primes() -> [BigUint; 2] {
    let bn254 = modulus("30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47");
    [bn254, (BigUint::one() << 255) - 19u8]
}

/// Lookups of a reduction, result included, by the bits of a lookup.
#[test]
fn other_primes_and_lookups_have_bounds() {
    let [bn254, curve25519] = shorter_primes();
    let lookups = [
        (bn254, [75, 69, 63, 59, 55, 51, 49, 50, 41]),
        (curve25519, [75, 69, 63, 59, 55, 51, 49, 50, 41]),
        (secp256k1(), [75, 69, 63, 59, 55, 51, 49, 52, 41]),
        (bls12_381(), [118, 102, 94, 86, 80, 81, 76, 78, 65]),
    ];
    let of = |prime: &BigUint| {
        let lookups = |lookup_bits| {
            let format = cheapest(prime, lookup_bits);
            let checks =
                Relation::product().checks(&format, &[Range::Element; 3]).expect("they hold");
            mixed().checks(&format, &[Range::Element; 3]).expect("the bounds hold");
            exhaustive::four_operands().checks(&format, &[Range::Element; 5]).expect("they hold");
            format.element_lookups() + checks.lookups(&format)
        };
        [8, 9, 10, 11, 12, 13, 14, 15, 16].map(lookups)
    };
    let found = lookups.each_ref().map(|(prime, _)| of(prime));
    assert_eq!(found, lookups.map(|(_, expected)| expected));
}

#[test]
fn limbs_that_are_too_wide_are_refused() {
    let [bn254_base, curve25519] = shorter_primes();
    for prime in [bn254_base, curve25519, secp256k1(), bls12_381()] {
        let format = Format::new(bn254(), prime, (96, 2), 16);
        let refused = Relation::product().checks(&format, &[Range::Element; 3]);
        assert!(matches!(refused, Err(BoundError::Wraps { group: 0, .. })), "{refused:?}");
    }
}

/// The bound that the checks rest on, at full size and over everything that passes the range checks: `|D| < r·2^T`, and no
/// group reaches `r`. Both are computed here once more, from the greatest magnitudes alone.
#[test]
fn differences_stay_below_the_product_of_both_moduli() {
    let native = bn254();
    let of = |prime: &BigUint, relation: &Relation, count: usize| {
        let format = cheapest(prime, 16);
        let checks = relation.checks(&format, &vec![Range::Element; count]).expect("they hold");
        let top = (BigUint::one() << format.element_bits()) - 1u8;
        // Each product and each term at its greatest, and the quotient.
        let (products, terms) = match count {
            3 => (1u8, 1u8),
            _ => (2, 1),
        };
        let offset = checks.quotient.offset.magnitude();
        let quotient = (BigUint::one() << checks.quotient.bits) + offset;
        let greatest = &top * &top * products + &top * terms + quotient * prime;
        let bits = checks.carries.len() * format.group() * format.limb_bits();
        assert!(greatest < &native << bits, "{format:?}");
        // One group less would not do.
        let fewer = bits - format.group() * format.limb_bits();
        assert!(&top * &top > &native << fewer, "{format:?}");
    };
    let [bn254_base, curve25519] = shorter_primes();
    for prime in [bn254_base, curve25519, secp256k1(), bls12_381()] {
        of(&prime, &Relation::product(), 3);
        of(&prime, &exhaustive::four_operands(), 5);
    }
}

/// The relations of a chord addition, `λ·(x₂ - x₁) = y₂ - y₁` and the sum's coordinates, take 41
/// lookups each in one layout: 123 of the 140 that an addition may take.
#[test]
fn a_chord_addition_has_one_layout() {
    let format = cheapest(&secp256k1(), 16);
    let relation = |products: &[(i64, usize, usize)], linear: &[(i64, usize)]| {
        let products = products.iter().map(|(f, a, b)| (*f, Operands::Product(*a, *b)));
        let linear = linear.iter().map(|(f, x)| (*f, Operands::Linear(*x)));
        Relation { terms: products.chain(linear).collect(), constant: BigInt::zero() }
    };
    let relations = [
        relation(&[(1, 0, 1), (-1, 0, 2)], &[(-1, 3), (1, 4)]),
        relation(&[(1, 0, 0)], &[(-1, 1), (-1, 2), (-1, 3)]),
        relation(&[(1, 0, 1), (-1, 0, 2)], &[(-1, 3), (-1, 4)]),
        Relation::product(),
    ];
    let sought = |relation: &Relation| Sought {
        modulo: format.clone(),
        relation: relation.clone(),
        ranges: vec![Range::Element; 5],
    };
    let all: Vec<_> = relations.iter().map(sought).collect();
    let widths = Widths::common(&all).expect("the bounds hold");
    assert_eq!(widths, Widths { quotient: 272, carry: 64, carries: 2 });
    assert_eq!(256 / 16 + widths.lookups(&format), 41);
    for relation in &relations {
        let checks =
            relation.checks_of(&format, &[Range::Element; 5], widths).expect("the bounds hold");
        assert_eq!(checks.quotient.bits, widths.quotient);
        assert!(checks.carries.iter().all(|carry| carry.bits == widths.carry));
    }
}

/// The identity behind the checks, at full size: an honest quotient and honest carries are in range.
#[test]
fn honest_witnesses_are_in_range() {
    let format = cheapest(&secp256k1(), 16);
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let relation = Relation::product();
    let checks = relation.checks(&format, &[Range::Element; 3]).expect("the bounds hold");
    for _ in 0..100 {
        let (a, b) = (rng.gen_biguint(256), rng.gen_biguint(256));
        let c = (&a * &b) % format.modulus();
        let quotient = BigInt::from((&a * &b - &c) / format.modulus()) - &checks.quotient.offset;
        assert!(quotient >= BigInt::zero() && quotient.bits() as usize <= checks.quotient.bits);
    }
    assert!(BigUint::one() << checks.quotient.bits > *format.modulus());
}
