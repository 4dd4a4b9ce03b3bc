//! Bytes in base 58, as in Bitcoin, and in base 64 (RFC 4648, section 4), as Go writes them in JSON. Errors are the reason in
//! words.

const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Reads exactly `N` bytes in base 58. The time grows with the square of `N`, whatever the text.
pub(super) fn from_base58<const N: usize>(text: &str) -> Result<[u8; N], String> {
    // A byte takes 1.37 digits.
    if text.len() > 2 * N {
        return Err(format!("{} characters, too many for {N} bytes in base58", text.len()));
    }
    let mut bytes = [0u8; N];
    for digit in text.bytes() {
        let place = BASE58.iter().position(|known| *known == digit);
        let mut carry = place.ok_or("not base58")? as u32;
        for byte in bytes.iter_mut().rev() {
            carry += 58 * u32::from(*byte);
            *byte = carry as u8;
            carry >>= 8;
        }
        if carry > 0 {
            return Err(format!("more than {N} bytes in base58"));
        }
    }
    // A zero byte in front is a digit 1, so that bytes have one text.
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let ones = text.bytes().take_while(|digit| *digit == BASE58[0]).count();
    (zeros == ones).then_some(bytes).ok_or_else(|| format!("not {N} bytes in base58"))
}

/// The text of bytes in base 58.
pub(super) fn to_base58(bytes: &[u8]) -> String {
    let mut digits: Vec<u8> = vec![];
    for byte in bytes {
        let mut carry = u32::from(*byte);
        for digit in &mut digits {
            carry += u32::from(*digit) << 8;
            *digit = (carry % 58) as u8;
            carry /= 58;
        }
        while carry > 0 {
            digits.push((carry % 58) as u8);
            carry /= 58;
        }
    }
    digits.extend(bytes.iter().take_while(|byte| **byte == 0).map(|_| 0));
    digits.iter().rev().map(|digit| char::from(BASE58[usize::from(*digit)])).collect()
}

/// Reads exactly `N` bytes in base 64, in their canonical encoding: padded, and with zero bits after the last byte.
pub(super) fn from_base64<const N: usize>(text: &str) -> Result<[u8; N], String> {
    let bytes = from_base64_any(text)?;
    let found = bytes.len();
    bytes.try_into().map_err(|_| format!("expected {N} bytes in base64, found {found}"))
}

/// Reads any number of bytes in base 64, in their canonical encoding.
pub(super) fn from_base64_any(text: &str) -> Result<Vec<u8>, String> {
    let sextets = text.trim_end_matches('=').bytes().map(sextet).collect::<Option<Vec<u32>>>();
    let bytes: Option<Vec<u8>> = sextets.map(|sextets| {
        let of = |four: &[u32]| {
            let number = (0..4).fold(0, |number, i| number << 6 | four.get(i).unwrap_or(&0));
            number.to_be_bytes().into_iter().skip(1).take(four.len() * 6 / 8)
        };
        sextets.chunks(4).flat_map(of).collect()
    });
    bytes.filter(|bytes| to_base64(bytes) == text).ok_or_else(|| "not base64".to_owned())
}

/// The place of a digit in the alphabet of base 64.
fn sextet(digit: u8) -> Option<u32> {
    let place = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(place.into())
}

/// The text of bytes in base 64.
pub(super) fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let number =
            (0..3).fold(0, |number, i| number << 8 | u32::from(*chunk.get(i).unwrap_or(&0)));
        let digits = (0..4).map(|i| BASE64[(number >> (18 - 6 * i)) as usize & 63] as char);
        text.extend(digits.take(chunk.len() + 1));
        text.extend(std::iter::repeat_n('=', 3 - chunk.len()));
    }
    text
}
