//! Base64 (RFC 4648, section 4), as Go writes bytes in JSON.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Reads exactly `N` bytes, in their canonical encoding: padded, and with zero bits after the last byte.
///
/// # Errors
///
/// The reason in words.
pub(super) fn decode<const N: usize>(text: &str) -> Result<[u8; N], String> {
    let bytes = decode_any(text)?;
    let found = bytes.len();
    bytes.try_into().map_err(|_| format!("expected {N} bytes in base64, found {found}"))
}

/// Reads any number of bytes, in their canonical encoding.
///
/// # Errors
///
/// The reason in words.
pub(super) fn decode_any(text: &str) -> Result<Vec<u8>, String> {
    let wrong = || "not base64".to_owned();
    let digits = text.trim_end_matches('=');
    let sextets = digits.bytes().map(sextet);
    let sextets: Vec<usize> = sextets.collect::<Option<_>>().ok_or_else(wrong)?;
    let bytes: Vec<u8> = (0..sextets.len() * 6 / 8).map(|place| byte(&sextets, place)).collect();
    if encode(&bytes) == text {
        Ok(bytes)
    } else {
        Err(wrong())
    }
}

/// The place of a digit in the alphabet.
fn sextet(digit: u8) -> Option<usize> {
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

/// Byte number `place`, from the two digits that it lies in.
fn byte(sextets: &[usize], place: usize) -> u8 {
    let (first, offset) = (8 * place / 6, 8 * place % 6);
    let pair = sextets[first] << 6 | sextets[first + 1];
    (pair >> (4 - offset)) as u8
}

fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let number =
            (0..3).fold(0, |number, i| number << 8 | u32::from(*chunk.get(i).unwrap_or(&0)));
        let digits = (0..4).map(|i| ALPHABET[(number >> (18 - 6 * i)) as usize & 63] as char);
        text.extend(digits.take(chunk.len() + 1));
        text.extend(std::iter::repeat_n('=', 3 - chunk.len()));
    }
    text
}

#[cfg(test)]
mod tests;
