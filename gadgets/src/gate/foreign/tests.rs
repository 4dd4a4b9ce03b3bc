use halo2_base::halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner},
    dev::MockProver,
    plonk::{Circuit, Error},
};
use num_bigint::{BigInt, RandBigInt};
use num_traits::{Euclid, One, Zero};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::*;

/// Bits of a lookup: few, so that the table is short.
const LOOKUP: usize = 8;
const K: u32 = 11;

fn hex(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 16).expect("hex")
}

fn native() -> BigUint {
    halo2_base::utils::modulus::<Fr>()
}

fn base_field() -> BigUint {
    hex("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f")
}

fn scalar_field() -> BigUint {
    hex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
}

fn block() -> Block {
    let p = base_field();
    let equations = [
        Equation::product(&p),
        Equation::slope(&p),
        Equation::product_less_two(&p),
        Equation::product_of_difference(&p),
        Equation::product(&scalar_field()),
        Equation { modulus: p, ..Equation::default() },
    ];
    Block::new(&native(), LOOKUP, &equations)
}

/// Some relations, ready to be checked.
struct Relations {
    chip: ForeignChip,
    copies: SharedCopyConstraintManager<Fr>,
    /// Cells of the two columns to overwrite.
    forged: RefCell<Vec<(usize, usize, Fr)>>,
}

impl Relations {
    fn new(build: impl FnOnce(&ForeignChip)) -> Self {
        let copies = SharedCopyConstraintManager::<Fr>::default();
        let chip = ForeignChip::new(&block(), 1, copies.clone(), false);
        build(&chip);
        Self { chip, copies, forged: RefCell::default() }
    }

    fn holds(&self) -> bool {
        let prover = MockProver::run(K, self, vec![]).expect("the rows fit");
        prover.verify().is_ok()
    }

    fn holds_with(&self, forged: Vec<(usize, usize, Fr)>) -> bool {
        *self.forged.borrow_mut() = forged;
        let holds = self.holds();
        self.forged.borrow_mut().clear();
        holds
    }
}

#[derive(Clone, Debug)]
struct TestConfig {
    gate: ForeignConfig,
    table: Column<Fixed>,
    constants: Column<Fixed>,
}

impl Circuit<Fr> for Relations {
    type Config = TestConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        unreachable!("tests keep their witness")
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> TestConfig {
        let (table, constants) = (meta.fixed_column(), meta.fixed_column());
        meta.enable_equality(constants);
        TestConfig { gate: ForeignConfig::configure(meta, &block(), table, 1), table, constants }
    }

    fn synthesize(&self, config: TestConfig, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        layouter.assign_region(
            || "relations",
            |mut region| {
                for value in 0..1usize << LOOKUP {
                    region.assign_fixed(config.table, value, Fr::from(value as u64));
                }
                self.chip.assign_raw(&(config.gate.clone(), 1 << K), &mut region);
                let lane = &config.gate.lanes[0];
                for (column, row, value) in self.forged.borrow().iter() {
                    let column = [lane.sums, lane.operands][*column];
                    region.assign_advice(column, *row, Value::known(*value));
                }
                self.copies.assign_raw(&vec![config.constants], &mut region);
                Ok(())
            },
        )
    }
}

/// An element of which nothing is said but its range: the result of an equation without terms.
fn any(chip: &ForeignChip, value: &BigUint) -> AssignedLimbs {
    let free = Equation { modulus: base_field(), ..Equation::default() };
    chip.relate(&free, &[], value)
}

fn product_of(chip: &ForeignChip, modulus: &BigUint, a: &BigUint, b: &BigUint, c: &BigUint) {
    let (a, b) = (any(chip, a), any(chip, b));
    chip.relate(&Equation::product(modulus), &[&a, &b], c);
}

fn edges(p: &BigUint) -> Vec<BigUint> {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let one = BigUint::one();
    let top = (BigUint::one() << 256) - 1u8;
    vec![BigUint::zero(), one, p - 1u8, p.clone(), p + 1u8, top, rng.gen_biguint(256)]
}

#[test]
fn products_of_edge_values() {
    for p in [base_field(), scalar_field()] {
        for a in edges(&p) {
            let b = &edges(&p)[6];
            let c = (&a * b) % &p;
            assert!(Relations::new(|chip| product_of(chip, &p, &a, b, &c)).holds());
            for wrong in [(&c + 1u8) % &p, (&c * 2u8 + 3u8) % &p, (&a * b) % (&p - 2u8)] {
                let holds = Relations::new(|chip| product_of(chip, &p, &a, b, &wrong)).holds();
                assert_eq!(holds, wrong == c, "{a} {b} {wrong}");
            }
        }
    }
}

/// A result is any representative that fits its limbs: it is not canonical.
#[test]
fn results_are_not_canonical() {
    let p = base_field();
    let (a, b) = (BigUint::from(3u8), BigUint::from(5u8));
    for c in [15u64.into(), &p + 15u8] {
        assert!(Relations::new(|chip| product_of(chip, &p, &a, &b, &c)).holds());
    }
}

/// `3·5 = 15` among other relations, in blocks 0 to 2.
fn small_product() -> Relations {
    let (a, b, c) = (3u8.into(), 5u8.into(), 15u8.into());
    Relations::new(|chip| product_of(chip, &base_field(), &a, &b, &c))
}

#[test]
fn every_cell_is_bound() {
    let test = small_product();
    assert!(test.holds());
    let rows = block().rows();
    let limbs = block().format().limbs();
    for row in (0..rows).step_by(3) {
        assert!(!test.holds_with(vec![(0, 2 * rows + row, Fr::from(1 << 20))]), "sum {row}");
        assert!(!test.holds_with(vec![(0, 2 * rows + row, -Fr::one())]), "sum {row}");
    }
    for row in 0..OPERANDS * limbs {
        assert!(!test.holds_with(vec![(1, 2 * rows + row, Fr::from(7))]), "operand {row}");
    }
}

/// The cells of a number at a row of block 2.
fn sums_at(row: usize, number: &BigUint, lookups: usize) -> Vec<(usize, usize, Fr)> {
    let first = 2 * block().rows() + row;
    (0..lookups).map(|i| (0, first + i, biguint_to_fe(&(number >> (i * LOOKUP))))).collect()
}

/// A quotient that satisfies the relation modulo the native prime alone, for a wrong result: the
/// limbs speak against it, whether the carries are those of the integers or those of the field.
#[test]
fn a_quotient_modulo_the_native_prime_alone() {
    let (p, r, block) = (base_field(), native(), block());
    let test = small_product();
    let format = block.format().with_modulus(&p);
    let (_, _, checks) = Equation::product(&p).checks(&block);
    let wrong = BigUint::from(16u8);
    // 15 - 16 = q·p (mod r)
    let inverse = p.modpow(&(&r - 2u8), &r);
    let quotient = ((&r - 1u8) * inverse) % &r;
    let shifted = (BigInt::from(quotient) - &checks.quotient.offset)
        .rem_euclid(&BigInt::from(r.clone()))
        .magnitude()
        .clone();
    let mut forged = vec![];
    let lookups = format.limb_bits() / LOOKUP;
    for (rows, number, bits) in [
        (block.result_rows(), &wrong, format.element_bits()),
        (block.quotient_rows(), &shifted, checks.quotient.bits),
    ] {
        for (row, limb) in rows.iter().zip(format.split(number, format.limb_widths(bits).len())) {
            forged.extend(sums_at(*row, &limb, lookups));
        }
    }
    assert!(!test.holds_with(forged.clone()), "carries of the true relation");
    for carry in [BigUint::zero(), BigUint::one() << (block.widths().carry - 1)] {
        let mut forged = forged.clone();
        for group in 0..block.widths().carries {
            let row = block.carry_row(group);
            forged.extend(sums_at(row, &carry, block.widths().carry / LOOKUP));
        }
        assert!(!test.holds_with(forged), "carries {carry}");
    }
}

/// A slope, and the coordinates that follow from it, against arithmetic in the field.
#[test]
fn a_chord_addition() {
    let p = base_field();
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let mut number = || rng.gen_biguint_below(&p);
    let (x1, y1, x2, y2) = (number(), number(), number(), number());
    let less = |a: &BigUint, b: &BigUint| (a + &p - b) % &p;
    let inverse = less(&x2, &x1).modpow(&(&p - 2u8), &p);
    let slope = (less(&y2, &y1) * inverse) % &p;
    let x3 = less(&less(&((&slope * &slope) % &p), &x1), &x2);
    let y3 = less(&((&slope * less(&x1, &x3)) % &p), &y1);
    let build = |slope: &BigUint, x3: &BigUint, y3: &BigUint| {
        Relations::new(|chip| {
            let [x1, y1, x2, y2] = [&x1, &y1, &x2, &y2].map(|value| any(chip, value));
            let slope = chip.relate(&Equation::slope(&p), &[&y2, &x2, &x1, &y1], slope);
            let sum = Equation::product_less_two(&p);
            let x3 = chip.relate(&sum, &[&slope, &slope, &x1, &x2], x3);
            chip.relate(&Equation::product_of_difference(&p), &[&slope, &x1, &x3, &y1], y3);
        })
    };
    assert!(build(&slope, &x3, &y3).holds());
    let next = |value: &BigUint| (value + 1u8) % &p;
    assert!(!build(&next(&slope), &x3, &y3).holds());
    assert!(!build(&slope, &next(&x3), &y3).holds());
    assert!(!build(&slope, &x3, &next(&y3)).holds());
}

#[test]
fn rows_of_a_relation() {
    let p = base_field();
    let block = Block::new(&native(), 16, &[Equation::product(&p), Equation::slope(&p)]);
    assert_eq!(block.rows(), 41);
}
