//! Fields of 254, 255 and 381 bits, an order that is shorter than its field, and relations of four operands.

use num_bigint::RandBigInt;
use num_traits::Euclid;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::{
    Source::{Above, Operand as Given},
    *,
};

/// Bits of a lookup and columns of sums.
pub(super) const SHAPES: [(usize, usize); 4] = [(8, 1), (8, 4), (12, 2), (13, 17)];

/// A field, and the order of a group over it where that is another foreign prime.
pub(super) struct Field {
    pub(super) p: BigUint,
    pub(super) order: Option<BigUint>,
}

/// `A₀·A₁ - A₂·A₃`: the first coefficient of a product of `A₀ + A₂·u` and `A₁ + A₃·u` where `u² = -1`.
pub(super) fn less(p: &BigUint) -> Equation {
    Equation::result(p, Given(0) * Given(1) - Given(2) * Given(3))
}

/// The second coefficient, of the operands above.
fn plus(p: &BigUint) -> Equation {
    Equation::result(p, Above(0) * Above(3) + Above(2) * Above(1))
}

fn sum(p: &BigUint) -> Equation {
    Equation::result(p, Given(0) + Given(1))
}

fn difference(p: &BigUint) -> Equation {
    Equation::result(p, Given(0) - Given(1))
}

fn square(p: &BigUint) -> Equation {
    Equation::result(p, Given(0) * Given(0))
}

fn inverse(p: &BigUint) -> Equation {
    Equation::result(p, 1 / Given(0))
}

impl Field {
    /// BN254 (EIP-197), whose order is the native prime.
    pub(super) fn bn254() -> Self {
        let p = hex("30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47");
        Self { p, order: None }
    }

    /// Curve25519 (RFC 7748, section 4.1): the order has 253 bits.
    pub(super) fn curve25519() -> Self {
        let p = (BigUint::one() << 255) - 19u8;
        let order = hex("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed");
        Self { p, order: Some(order) }
    }

    /// BLS12-381 (draft-irtf-cfrg-pairing-friendly-curves, section 4.2.1): the order has 255 bits.
    fn bls12_381() -> Self {
        let p = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";
        let order = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001";
        Self { p: hex(p), order: Some(hex(order)) }
    }

    pub(super) fn all() -> [Self; 3] {
        let all = [Self::bn254(), Self::curve25519(), Self::bls12_381()];
        assert_eq!(all.each_ref().map(|field| field.p.bits()), [254, 255, 381]);
        all
    }

    pub(super) fn primes(&self) -> Vec<&BigUint> {
        [&self.p].into_iter().chain(&self.order).collect()
    }

    /// `2^b - 1`
    fn top(&self) -> BigUint {
        (BigUint::one() << self.p.bits()) - 1u8
    }

    pub(super) fn gate(&self, (range_bits, columns): (usize, usize)) -> ForeignLayout {
        let mut equations =
            vec![Equation::free(), at_most(&self.top()), less(&self.p), plus(&self.p)];
        for prime in self.primes() {
            equations
                .extend([Equation::multiply, sum, difference, square, inverse].map(|f| f(prime)));
        }
        ForeignLayout::new(&native(), range_bits, columns, &equations)
    }

    pub(super) fn layout(&self, of: (usize, usize)) -> Layout {
        let short = layout_of(of.0, vec![self.gate(of)]);
        let rows = (160 * block(&short).rows()).max(1 << of.0) + 32;
        Layout { k: rows.ilog2() + 1, ..short }
    }

    /// 0, 1, the numbers around the prime, the largest that there is, and another.
    fn edges(&self, prime: &BigUint) -> Vec<BigUint> {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let random = rng.gen_biguint(self.p.bits());
        let one = BigUint::one();
        vec![number(0), one, prime - 1u8, prime.clone(), prime + 1u8, self.top(), random]
    }
}

pub(super) fn layout_of(range_bits: usize, foreign: Vec<ForeignLayout>) -> Layout {
    Layout { range_bits, range_columns: 0, edwards_lanes: 0, foreign, ..layout(1, &[]) }
}

/// The residue that an equation gives for operands, with `more` added.
struct Case<'a> {
    equation: Equation,
    operands: Vec<&'a BigUint>,
    result: BigUint,
}

/// Each equation over `a` and `b`, the four-operand ones also over `c` and `d`; of an operand that is 0 no inverse.
fn cases<'a>(prime: &BigUint, [a, b, c, d]: [&'a BigUint; 4], four: bool) -> Vec<Case<'a>> {
    let signed = |x: &BigUint| BigInt::from(x.clone());
    let residue = |x: BigInt| x.rem_euclid(&signed(prime)).magnitude().clone();
    let case = |equation: Equation, operands: &[&'a BigUint], result: BigInt| Case {
        equation,
        operands: operands.to_vec(),
        result: residue(result),
    };
    let [x, y, z, w] = [a, b, c, d].map(signed);
    let mut cases = vec![
        case(Equation::multiply(prime), &[a, b], &x * &y),
        case(sum(prime), &[a, b], &x + &y),
        case(difference(prime), &[a, b], &x - &y),
        case(square(prime), &[a], &x * &x),
    ];
    if four {
        cases.push(case(less(prime), &[a, b, c, d], &x * &y - &z * &w));
    }
    if let Some(found) = (a % prime).modinv(prime) {
        cases.push(case(inverse(prime), &[a], found.into()));
    }
    cases
}

fn record(chip: &ForeignChip, case: &Case, result: &BigUint) {
    let cells: Vec<_> = case.operands.iter().map(|value| any(chip, value)).collect();
    let operands: Vec<_> = cells.iter().map(Operand::Element).collect();
    chip.relate(&case.equation, &operands, result);
}

/// Every edge value meets every other, as the prime and as a residue that is not canonical.
#[test]
fn arithmetic_of_edge_values() {
    for field in Field::all() {
        for prime in field.primes() {
            let all = field.edges(prime);
            for (shift, of) in (0..all.len()).zip(SHAPES.into_iter().cycle()) {
                let at = |i: usize| &all[i % all.len()];
                let quadruples =
                    (0..all.len()).map(|i| [at(i), at(i + shift), at(2 * i), at(i + 3)]);
                let is_field = *prime == field.p;
                circuit(&field.layout(of), |chip| {
                    for four in quadruples {
                        cases(prime, four, is_field).iter().for_each(|case| {
                            record(chip, case, &case.result);
                        });
                    }
                })
                .assert_satisfied();
            }
        }
    }
}

/// A result is any number of the residue that fits; no other number is one.
#[test]
fn other_results() {
    for field in Field::all() {
        for prime in field.primes() {
            let all = field.edges(prime);
            let four = [&all[6], &all[2], &all[5], &all[6]];
            for case in cases(prime, four, *prime == field.p) {
                let holds = |result: &BigUint| {
                    let mut test =
                        circuit(&field.layout((8, 4)), |chip| record(chip, &case, result));
                    test.failing(vec![]).is_empty()
                };
                let good = &case.result;
                let next = good + prime;
                assert!(holds(if next <= field.top() { &next } else { good }));
                // The last one is right for a prime that is near.
                for wrong in
                    [(good + 1u8) % prime, field.top() - good, good ^ &(BigUint::one() << 250)]
                {
                    let is_right = (&wrong % prime) == *good;
                    assert_eq!(holds(&wrong), is_right, "{} bits", prime.bits());
                }
            }
        }
    }
}

/// `0·x = 1` has no witness.
#[test]
fn multiples_of_the_prime_have_no_inverse() {
    for field in Field::all() {
        for prime in field.primes() {
            for zero in [number(0), prime.clone()] {
                for hint in [0, 1, 7] {
                    let case = Case {
                        equation: inverse(prime),
                        operands: vec![&zero],
                        result: number(hint),
                    };
                    let build = |chip: &ForeignChip| record(chip, &case, &case.result);
                    let mut test = circuit(&field.layout((12, 2)), build);
                    assert!(test.failing(vec![]).contains(&"limbs".to_owned()));
                }
            }
        }
    }
}

/// A product of `a + b·u` and `c + d·u` where `u² = -1`, the second block of which has no operands of its own.
fn quadratic(field: &Field, of: (usize, usize), more: [u8; 2]) -> TestCircuit {
    let all = field.edges(&field.p);
    let [a, b, c, d] = [&all[2], &all[6], &all[5], &all[4]];
    circuit(&field.layout(of), |chip| {
        let cells = [a, c, b, d].map(|value| any(chip, value));
        let operands = cells.each_ref().map(Operand::Element);
        let p = &field.p;
        let first = (a * c + (p << p.bits()) * 4u8 - b * d + more[0]) % p;
        let first = chip.relate(&less(p), &operands, &first);
        chip.below(&[&first]).relate(&plus(p), &[], &((a * d + b * c + more[1]) % p));
    })
}

#[test]
fn a_product_in_a_quadratic_extension() {
    for field in Field::all() {
        for of in SHAPES {
            quadratic(&field, of, [0, 0]).assert_satisfied();
            for more in [[1, 0], [0, 1]] {
                let test = quadratic(&field, of, more);
                assert_eq!(test.false_relations(), Some(1), "{of:?}");
            }
        }
    }
}

/// Every number of a format and none beside: the top digit is short, also where lookups end behind it.
#[test]
fn elements_have_as_many_bits_as_the_prime() {
    for field in Field::all() {
        for of in SHAPES {
            let layout = field.layout(of);
            let block = block(&layout);
            let mut test = circuit(&layout, |chip| drop(any(chip, &number(1))));
            let failing = test.failing(result(&block, HISTORY, &field.top()));
            assert_eq!(failing, [""; 0], "{of:?}");
            let failing = test.failing(result(&block, HISTORY, &(field.top() + 1u8)));
            assert_eq!(failing, ["foreign: limb is below 2^t"], "{of:?}");
        }
    }
}

/// Canonical in the field and modulo an order that is shorter.
#[test]
fn bounds_of_each_prime() {
    for field in Field::all() {
        for prime in field.primes() {
            let bound = prime - 1u8;
            for (value, fits) in
                [(bound.clone(), true), (prime.clone(), false), (field.top(), false)]
            {
                let rest = if fits { &bound - &value } else { number(0) };
                let test = circuit(&field.layout((8, 4)), |chip| {
                    let element = any(chip, &value);
                    chip.relate(&at_most(&bound), &[Operand::Element(&element)], &rest);
                });
                assert_eq!(test.is_satisfied(), fits);
            }
        }
    }
}

/// The difference is told from multiples of the prime between -2p and 2p: an element must be below 2p.
#[test]
#[should_panic(expected = "an element is below twice the prime")]
fn digits_are_not_asked_for_modulo_a_shorter_prime() {
    let order = Field::curve25519().order.expect("it has one");
    let turned = Equation::result(&order, Form::from(Source::Turned));
    let turned = turned.differing(Source::Back(2), Given(0));
    let equations = [Equation::multiply(&Field::curve25519().p), turned.clone()];
    let gate = ForeignLayout::new(&native(), 8, 4, &equations);
    circuit(&Layout { k: 12, ..layout_of(8, vec![gate]) }, |chip| {
        let above = [9, 7].map(|value| any(chip, &number(value)));
        let (table, entry) = (chip.table(), (number(1), number(2)));
        let digit = Digit { table, digit: 1, entry };
        let mut digits = AssignedDigits::default();
        chip.below(&above.each_ref()).relate_digit(&turned, &mut digits, &digit, &number(2));
    });
}

#[test]
#[should_panic(expected = "a prime has no more bits than an element")]
fn a_longer_prime_is_refused() {
    let field = Field::curve25519();
    circuit(&field.layout((8, 4)), |chip| {
        let one = any(chip, &number(1));
        let operands = [Operand::Element(&one), Operand::Element(&one)];
        chip.relate(&Equation::multiply(&base_field()), &operands, &number(1));
    });
}

/// More products than the layout's bounds were derived for.
#[test]
#[should_panic(expected = "the block was made for this equation")]
fn a_wider_equation_is_refused() {
    let field = Field::bn254();
    circuit(&field.layout((8, 4)), |chip| {
        let wide = Equation::result(&field.p, (Given(0) * Given(1)) * (1 << 12));
        let one = any(chip, &number(1));
        let operands = [Operand::Element(&one), Operand::Element(&one)];
        chip.relate(&wide, &operands, &number(1 << 12));
    });
}

#[test]
fn each_block_has_the_cells_of_its_format() {
    // Lookups of 16 bits: lookups, and the cells of operands of a product and of four operands.
    let cells = |equations: &[Equation]| {
        let gate = ForeignLayout::new(&native(), 16, 1, equations);
        let block = Block::new(native(), &gate, 16);
        (block.format().limb_bits(), block.lookups(), block.operand_cells())
    };
    let product = |field: &Field| cells(&[Equation::multiply(&field.p)]);
    assert_eq!(Field::all().each_ref().map(product), [(48, 41, 12), (48, 41, 12), (48, 65, 16)]);
    let pairs = |field: &Field| cells(&[less(&field.p)]);
    assert_eq!(Field::all().each_ref().map(pairs), [(64, 48, 16), (64, 49, 16), (64, 69, 24)]);
    let order = |field: &Field| {
        cells(&field.primes().into_iter().map(Equation::multiply).collect::<Vec<_>>())
    };
    assert_eq!(order(&Field::curve25519()), (48, 42, 12));
    assert_eq!(order(&Field::bls12_381()), (32, 69, 24));
}

mod cells {
    use super::{
        super::cells::{free_cells, names, numbered},
        *,
    };

    /// Every cell of a block overwritten; what is free is listed.
    #[test]
    fn of_every_block() {
        for field in Field::all() {
            for (of, step) in [((8, 4), 1), ((12, 2), 13)] {
                let layout = field.layout(of);
                let (a, b) = (field.top() / 3u8, field.top() / 5u8);
                for prime in field.primes() {
                    let four = [&a, &b, &b, &a];
                    for case in cases(prime, four, *prime == field.p) {
                        let mut test = circuit(&layout, |chip| record(chip, &case, &case.result));
                        let id = HISTORY + case.operands.len();
                        let unused: Vec<_> = (case.operands.len()..4)
                            .map(|operand| format!("limb of operand {operand}"))
                            .collect();
                        let unused: Vec<_> = unused.iter().map(String::as_str).collect();
                        let is_product = !case.equation.products().is_empty();
                        let step = if is_product { step } else { 5 * step };
                        let free = numbered(free_cells(&layout, &mut test, id, step));
                        if step == 1 {
                            assert_eq!(free, names(&unused));
                        }
                        assert!(
                            free.iter().all(|name| unused.contains(&name.as_str())),
                            "{free:?}"
                        );
                    }
                }
            }
        }
    }

    /// Of a block that reads the operands above its own are free, and those above are bound.
    #[test]
    fn of_a_block_that_reads_operands_above() {
        for field in Field::all() {
            let mut test = quadratic(&field, (8, 4), [0, 0]);
            let layout = field.layout((8, 4));
            let own = [0, 1, 2, 3].map(|operand| format!("limb of operand {operand}"));
            let free = numbered(free_cells(&layout, &mut test, HISTORY + 5, 1));
            assert_eq!(free, own);
            let free = numbered(free_cells(&layout, &mut test, HISTORY + 4, 1));
            assert_eq!(free, [""; 0]);
        }
    }
}
