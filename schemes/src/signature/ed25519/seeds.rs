//! Seeds that are in print, or that anyone would try first.

use super::point::WIDTH;

/// The secret keys of RFC 8032: the five of section 7.1, of which the last is that of section 7.3 as well, and the two
/// of section 7.2.
const RFC_8032: [&str; 7] = [
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
    "f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5",
    "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
    "0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6",
    "ab9c2853ce297ddab85c993b3ae14bcad39b2c682beabc27d6d4eb20711d6560",
];

/// Those of RFC 8032, one byte 32 times, and the numbers that fit in a byte, in either byte order.
pub(crate) fn published_seeds() -> impl Iterator<Item = [u8; WIDTH]> {
    let plain = (0..=u8::MAX).flat_map(|byte| {
        let [mut first, mut last] = [[0; WIDTH]; 2];
        (first[0], last[WIDTH - 1]) = (byte, byte);
        [[byte; WIDTH], first, last]
    });
    let read = |text: &str| {
        let mut seed = [0; WIDTH];
        hex::decode_to_slice(text, &mut seed).expect("32 bytes in hex");
        seed
    };
    RFC_8032.into_iter().map(read).chain(plain)
}
