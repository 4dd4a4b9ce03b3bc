//! Places of BEEFY: authorities with an address, and without.

use muster_schemes::hash::keccak::keccak256;

use super::{super::beefy, *};

/// A place of BEEFY, with what is said of it.
#[derive(Clone, Copy)]
struct Authority {
    address: [u8; 20],
    flags: [u8; 2],
    name: Fr,
    weight: Fr,
    leaf: [Fr; 2],
}

/// Rows of what is said of two places.
const SAID: std::ops::Range<usize> = 0..8;

impl Authority {
    /// An authority with an address, one without, and one of an older release, in the place of this number.
    fn all(number: u64) -> [Self; 3] {
        let above = power_of_two(160);
        let address: [u8; 20] = sha256(&[number as u8])[..20].try_into().expect("20 bytes of 32");
        let own = Self {
            address,
            flags: [0, 0],
            name: biguint_to_fe(&BigUint::from_bytes_be(&address)),
            weight: Fr::one(),
            leaf: halves(&keccak256(&address)),
        };
        let (address, leaf) = ([0; 20], halves(&keccak256(&[0; 20])));
        let zeros = Self { address, flags: [1, 0], name: above + Fr::from(number), leaf, ..own };
        let (name, leaf) = (above + zeros.name, halves(&keccak256(&[])));
        [own, zeros, Self { flags: [1, 1], name, leaf, ..zeros }]
    }

    /// Adds so many times what is between the hash of no bytes and that of zeros.
    fn adds(&mut self, times: u64) {
        let [_, zeros, bare] = Self::all(0);
        for (half, (zeros, bare)) in self.leaf.iter_mut().zip(zeros.leaf.iter().zip(bare.leaf)) {
            *half += Fr::from(times) * (bare - zeros);
        }
    }
}

/// The first and the last 16 bytes.
fn halves(hash: &[u8; 32]) -> [Fr; 2] {
    let (high, low) = hash.split_at(16);
    [high, low].map(|half| biguint_to_fe(&BigUint::from_bytes_be(half)))
}

fn authorities(places: [Authority; 2]) -> TestCircuit {
    TestCircuit::new(Layout { keccak_lanes: 1, ..layout(13, &[]) }, |ctx| {
        let said = places.map(|one| {
            let said = [one.name, one.weight, one.leaf[0], one.leaf[1]];
            said.map(|number| ctx.load_witness(number))
        });
        for (number, (own, [name, weight, high, low])) in places.iter().zip(said).enumerate() {
            let used = bits(ctx, 1, 1)[0];
            assert_is(ctx, &used.cell(), Fr::one());
            let place = AssignedPlace { name, weight, used };
            let bytes = [&own.address[..], &own.flags].concat();
            let leaf = beefy::leaf(ctx, (number, &place), &bytes);
            for (found, said) in leaf.iter().zip([high, low]) {
                vertical::assert_equal(ctx, found, &said);
            }
        }
    })
}

/// What is said of a place of BEEFY, and the flags that it is filled with: whatever is not so is refused by one constraint.
#[test]
fn places_of_authorities_are_what_their_names_say() {
    let above = power_of_two(160);
    for number in [0, 1] {
        let others = [0, 1].map(|number| Authority::all(number)[0]);
        let refused = |lie: Authority| {
            let mut places = others;
            places[number as usize] = lie;
            let Walk { sums, copies } = authorities(places).walk(SAID);
            assert!(sums + copies > 0, "{number}, {:?}", lie.flags);
        };
        for own in Authority::all(number) {
            let mut places = others;
            places[number as usize] = own;
            authorities(places).assert_satisfied();
            let one = Fr::one();
            refused(Authority { name: own.name + one, ..own });
            refused(Authority { leaf: [own.leaf[0] + one, own.leaf[1]], ..own });
            refused(Authority { leaf: [own.leaf[0], own.leaf[1] + one], ..own });
        }
        let [own, zeros, bare] = Authority::all(number);
        // An authority in an empty place, and one for whom no bytes are hashed.
        refused(Authority { flags: [1, 0], name: own.name + zeros.name, ..own });
        let mut lie = Authority { flags: [0, 1], name: own.name + above, ..own };
        lie.adds(1);
        refused(lie);
        // Flags that are no bits.
        refused(Authority { flags: [2, 0], name: zeros.name + zeros.name, ..zeros });
        let mut lie = Authority { flags: [1, 2], name: bare.name + above, ..bare };
        lie.adds(1);
        refused(lie);
    }
}
