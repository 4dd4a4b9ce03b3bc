//! `BLS12381G1_XMD:SHA-256_SSWU_RO_`, RFC 9380 section 8.8.1.

use std::sync::OnceLock;

use ff::Field;
use halo2curves::{
    bls12_381::{Fq, G1Affine, G1},
    CurveAffine,
};

use super::{times_parameter, Isogenous};
use crate::{
    field::{element, hex},
    hash::to_curve::suite::Suite,
};

/// Hashes to G1 of BLS12-381.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bls12381G1;

/// The isogeny of appendix E.2: `(X(x)/(121·h²), y·Y(x)/(1331·h³))`. All polynomials have the highest coefficient 1,
/// which is left out, and go from the lowest power on.
pub struct Isogeny {
    /// Where the isogeny starts.
    pub curve: Isogenous<Fq>,
    /// `X`.
    pub x: Vec<Fq>,
    /// `Y`.
    pub y: Vec<Fq>,
    /// `h`.
    pub kernel: Vec<Fq>,
}

impl Isogeny {
    /// The factor of the denominator of `x`.
    pub const X_FACTOR: u64 = 121;
    /// The factor of the denominator of `y`.
    pub const Y_FACTOR: u64 = 1331;

    /// The isogeny, made once.
    pub fn get() -> &'static Self {
        static ISOGENY: OnceLock<Isogeny> = OnceLock::new();
        ISOGENY.get_or_init(|| {
            let times = |factor: u64, all: &[&str]| {
                all.iter().map(|one| Fq::from(factor) * constant(one)).collect()
            };
            let (a, b) = (constant(A), constant(B));
            Isogeny {
                curve: Isogenous { a, b, z: Fq::from(11) },
                x: times(Self::X_FACTOR, &X),
                y: times(Self::Y_FACTOR, &Y),
                kernel: times(1, &KERNEL),
            }
        })
    }

    /// The image of a point; `None` for one in the kernel.
    fn image(&self, [x, y]: [Fq; 2]) -> Option<[Fq; 2]> {
        let at = |polynomial: &[Fq]| polynomial.iter().rev().fold(Fq::ONE, |sum, c| sum * x + c);
        let inverse = Option::<Fq>::from(at(&self.kernel).invert())?;
        let over = |factor: u64| Fq::from(factor).invert().expect("a factor is not 0");
        let square = inverse.square();
        let image_x = at(&self.x) * square * over(Self::X_FACTOR);
        Some([image_x, y * at(&self.y) * square * inverse * over(Self::Y_FACTOR)])
    }
}

fn constant(digits: &str) -> Fq {
    element(&hex(digits))
}

impl Suite for Bls12381G1 {
    const NAME: &'static str = "BLS12381G1_XMD:SHA-256_SSWU_RO_";
    type Field = Fq;
    type Point = G1Affine;

    fn map(element: &Fq) -> G1Affine {
        let isogeny = Isogeny::get();
        match isogeny.image(isogeny.curve.map(element)) {
            Some([x, y]) => G1Affine::from_xy(x, y).expect("the image is on the curve"),
            None => G1Affine::default(),
        }
    }

    /// `(1 - x)·P` for the curve's parameter `x`.
    fn clear_cofactor(point: &G1) -> G1 {
        times_parameter(point) + point
    }
}

// Constants of the isogeny of degree 11, RFC 9380 appendix E.2, in hexadecimal, the lowest power of x first.

/// A' of the isogenous curve, section 8.8.1.
const A: &str =
    "00144698a3b8e9433d693a02c96d4982b0ea985383ee66a8d8e8981aefd881ac98936f8da0e0f97f5cf428082d584c1d";
/// B' of the isogenous curve, section 8.8.1.
const B: &str =
    "12e2908d11688030018b12e8753eee3b2016c1f0f24f4070a0b9c14fcef35ef55a23215a316ceaa5d1cc48e98e172be0";

/// k_(1,0) to k_(1,10), of the numerator of x. k_(1,11) is 1/121.
const X: [&str; 11] = [
    "11a05f2b1e833340b809101dd99815856b303e88a2d7005ff2627b56cdb4e2c85610c2d5f2e62d6eaeac1662734649b7",
    "17294ed3e943ab2f0588bab22147a81c7c17e75b2f6a8417f565e33c70d1e86b4838f2a6f318c356e834eef1b3cb83bb",
    "0d54005db97678ec1d1048c5d10a9a1bce032473295983e56878e501ec68e25c958c3e3d2a09729fe0179f9dac9edcb0",
    "1778e7166fcc6db74e0609d307e55412d7f5e4656a8dbf25f1b33289f1b330835336e25ce3107193c5b388641d9b6861",
    "0e99726a3199f4436642b4b3e4118e5499db995a1257fb3f086eeb65982fac18985a286f301e77c451154ce9ac8895d9",
    "1630c3250d7313ff01d1201bf7a74ab5db3cb17dd952799b9ed3ab9097e68f90a0870d2dcae73d19cd13c1c66f652983",
    "0d6ed6553fe44d296a3726c38ae652bfb11586264f0f8ce19008e218f9c86b2a8da25128c1052ecaddd7f225a139ed84",
    "17b81e7701abdbe2e8743884d1117e53356de5ab275b4db1a682c62ef0f2753339b7c8f8c8f475af9ccb5618e3f0c88e",
    "080d3cf1f9a78fc47b90b33563be990dc43b756ce79f5574a2c596c928c5d1de4fa295f296b74e956d71986a8497e317",
    "169b1f8e1bcfa7c42e0c37515d138f22dd2ecb803a0c5c99676314baf4bb1b7fa3190b2edc0327797f241067be390c9e",
    "10321da079ce07e272d8ec09d2565b0dfa7dccdde6787f96d50af36003b14866f69b771f8c285decca67df3f1605fb7b",
];

/// k_(3,0) to k_(3,14), of the numerator of y. k_(3,15) is 1/1331.
const Y: [&str; 15] = [
    "090d97c81ba24ee0259d1f094980dcfa11ad138e48a869522b52af6c956543d3cd0c7aee9b3ba3c2be9845719707bb33",
    "134996a104ee5811d51036d776fb46831223e96c254f383d0f906343eb67ad34d6c56711962fa8bfe097e75a2e41c696",
    "00cc786baa966e66f4a384c86a3b49942552e2d658a31ce2c344be4b91400da7d26d521628b00523b8dfe240c72de1f6",
    "01f86376e8981c217898751ad8746757d42aa7b90eeb791c09e4a3ec03251cf9de405aba9ec61deca6355c77b0e5f4cb",
    "08cc03fdefe0ff135caf4fe2a21529c4195536fbe3ce50b879833fd221351adc2ee7f8dc099040a841b6daecf2e8fedb",
    "16603fca40634b6a2211e11db8f0a6a074a7d0d4afadb7bd76505c3d3ad5544e203f6326c95a807299b23ab13633a5f0",
    "04ab0b9bcfac1bbcb2c977d027796b3ce75bb8ca2be184cb5231413c4d634f3747a87ac2460f415ec961f8855fe9d6f2",
    "0987c8d5333ab86fde9926bd2ca6c674170a05bfe3bdd81ffd038da6c26c842642f64550fedfe935a15e4ca31870fb29",
    "09fc4018bd96684be88c9e221e4da1bb8f3abd16679dc26c1e8b6e6a1f20cabe69d65201c78607a360370e577bdba587",
    "0e1bba7a1186bdb5223abde7ada14a23c42a0ca7915af6fe06985e7ed1e4d43b9b3f7055dd4eba6f2bafaaebca731c30",
    "19713e47937cd1be0dfd0b8f1d43fb93cd2fcbcb6caf493fd1183e416389e61031bf3a5cce3fbafce813711ad011c132",
    "18b46a908f36f6deb918c143fed2edcc523559b8aaf0c2462e6bfe7f911f643249d9cdf41b44d606ce07c8a4d0074d8e",
    "0b182cac101b9399d155096004f53f447aa7b12a3426b08ec02710e807b4633f06c851c1919211f20d4c04f00b971ef8",
    "0245a394ad1eca9b72fc00ae7be315dc757b3b080d4c158013e6632d3c40659cc6cf90ad1c232a6442d9d3f5db980133",
    "05c129645e44cf1102a159f748c4a3fc5e673d81d7e86568d9ab0f5d396a7ce46ba1049b6579afb7866b1e715475224b",
];

/// A polynomial h of degree 5 with the highest coefficient 1, whose square is the denominator of x and whose cube that of y.
const KERNEL: [&str; 5] = [
    "133341fb0962a34cb0504a9c4fada0a5090d38679b4c040d5d1c3afb023a3409fcc0815fea66d8b02bbef9c8b5a66e07",
    "0264908af037bcede00d054cf5d4775e83eb6cf63c76b969f8ed174fb59fcff78d201f46f6cfc4ed6552e59ce75177b0",
    "1335c502c1f54c49aceea65e87fd7203ba0f626f305fc0cfd606a5dae9f3c8e81a4b3b69600129fabd307c69bf319d39",
    "094440f65f408a6e930e16e3e92dd17bf60d6e9679a8d3d58593de55ac23703042d609537eb3549aac234d896ca82944",
    "04afe09d5cf4956a23b6b71f59d2b3407b415a774b7be81bbb6fa99cbc798e0ac98ba725a5bc328016b1c268b4766e85",
];
