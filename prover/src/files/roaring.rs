//! Sets of small numbers in the portable format of Roaring bitmaps (RoaringFormatSpec), as Sui writes its signers.

/// The first two bytes, without and with runs.
const NO_RUNS: u16 = 12346;
const RUNS: u16 = 12347;
/// Most numbers in a list. Those that are more are written as bits.
const MAX_LISTED: usize = 4096;

/// The numbers of a set, in order. All are below `bound`, which is 65,536 at most.
pub(super) fn numbers(mut rest: &[u8], bound: usize) -> Result<Vec<usize>, String> {
    let cookie = word(&mut rest)?;
    let high = word(&mut rest)?;
    let (containers, has_runs) = match cookie {
        NO_RUNS if high == 0 => {
            let (low, high) = (word(&mut rest)?, word(&mut rest)?);
            (usize::from(low) | usize::from(high) << 16, false)
        }
        RUNS => {
            let count = usize::from(high) + 1;
            let flags = take(&mut rest, count.div_ceil(8))?;
            (count, flags[0] & 1 == 1)
        }
        _ => return Err("not a Roaring bitmap".into()),
    };
    match containers {
        0 => return end(rest).map(|()| vec![]),
        1 => {}
        more => return Err(format!("numbers of 65,536 and above, in {more} containers")),
    }
    if word(&mut rest)? != 0 {
        return Err("numbers of 65,536 and above".into());
    }
    let count = usize::from(word(&mut rest)?) + 1;
    // Few containers with runs have no offsets.
    if cookie == NO_RUNS {
        take(&mut rest, 4)?;
    }
    let mut numbers = vec![];
    let mut add = |number: usize| match numbers.last() {
        _ if number >= bound => Err(format!("{number}, but there are only {bound}")),
        Some(before) if *before >= number => Err(format!("{number} does not follow {before}")),
        _ => {
            numbers.push(number);
            Ok(())
        }
    };
    if has_runs {
        for _ in 0..word(&mut rest)? {
            let (first, more) = (usize::from(word(&mut rest)?), usize::from(word(&mut rest)?));
            (first..=first + more).try_for_each(&mut add)?;
        }
    } else if count <= MAX_LISTED {
        (0..count).try_for_each(|_| add(word(&mut rest)?.into()))?;
    } else {
        return Err(format!("{count} numbers, but there are only {bound}"));
    }
    end(rest)?;
    if numbers.len() != count {
        return Err(format!("{} numbers, but it says {count}", numbers.len()));
    }
    Ok(numbers)
}

/// The next bytes of the rest.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], String> {
    rest.split_off(..count).ok_or_else(|| "it ends too early".to_owned())
}

/// The next two bytes, the lowest first.
fn word(rest: &mut &[u8]) -> Result<u16, String> {
    let bytes = take(rest, 2)?;
    Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
}

fn end(rest: &[u8]) -> Result<(), String> {
    rest.is_empty().then_some(()).ok_or_else(|| format!("{} bytes behind it", rest.len()))
}
