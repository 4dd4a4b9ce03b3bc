//! Sets of small numbers in the portable format of Roaring bitmaps (RoaringFormatSpec), as Sui writes its signers.

/// The first two bytes, without and with runs.
const NO_RUNS: u16 = 12346;
const RUNS: u16 = 12347;
/// Most numbers in a list. Those that are more are written as bits.
const MAX_LISTED: usize = 4096;

/// The numbers of a set, in order. All are below `bound`, which is 65,536 at most.
pub(super) fn numbers(bytes: &[u8], bound: usize) -> Result<Vec<usize>, String> {
    let mut rest = Words(bytes);
    let cookie = rest.word()?;
    let high = rest.word()?;
    let (containers, has_runs) = match cookie {
        NO_RUNS if high == 0 => {
            let (low, high) = (rest.word()?, rest.word()?);
            (usize::from(low) | usize::from(high) << 16, false)
        }
        RUNS => {
            let count = usize::from(high) + 1;
            let flags = rest.bytes(count.div_ceil(8))?;
            (count, flags[0] & 1 == 1)
        }
        _ => return Err("not a Roaring bitmap".into()),
    };
    match containers {
        0 => return rest.end().map(|()| vec![]),
        1 => {}
        more => return Err(format!("numbers of 65,536 and above, in {more} containers")),
    }
    if rest.word()? != 0 {
        return Err("numbers of 65,536 and above".into());
    }
    let count = usize::from(rest.word()?) + 1;
    // Few containers with runs have no offsets.
    if cookie == NO_RUNS {
        rest.bytes(4)?;
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
        for _ in 0..rest.word()? {
            let (first, more) = (usize::from(rest.word()?), usize::from(rest.word()?));
            (first..=first + more).try_for_each(&mut add)?;
        }
    } else if count <= MAX_LISTED {
        (0..count).try_for_each(|_| add(rest.word()?.into()))?;
    } else {
        return Err(format!("{count} numbers, but there are only {bound}"));
    }
    rest.end()?;
    if numbers.len() != count {
        return Err(format!("{} numbers, but it says {count}", numbers.len()));
    }
    Ok(numbers)
}

/// What is left, in words of two bytes, the lowest first.
struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (first, rest) = self.0.split_at_checked(count).ok_or("it ends too early")?;
        self.0 = rest;
        Ok(first)
    }

    fn word(&mut self) -> Result<u16, String> {
        let bytes = self.bytes(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn end(&self) -> Result<(), String> {
        self.0.is_empty().then_some(()).ok_or_else(|| format!("{} bytes behind it", self.0.len()))
    }
}
