use super::program::{Operand, Step};

/// Maps registers, each written once, to places that can be used again after a register's last read. Returns
/// how many places there are.
pub(super) fn assign(steps: &mut [Step], pairs: &mut [[Operand; 2]]) -> usize {
    let mut last_reads = vec![];
    for (place, step) in steps.iter().enumerate() {
        read(step, pairs, |register| {
            let register = register as usize;
            last_reads.resize(last_reads.len().max(register + 1), 0);
            last_reads[register] = place;
        });
    }
    let mut places = vec![0; steps.len()];
    let mut free: Vec<u32> = vec![];
    let mut count = 0;
    for (place, step) in steps.iter_mut().enumerate() {
        let mut ending = vec![];
        read(step, pairs, |register| {
            if last_reads[register as usize] == place {
                ending.push(register);
            }
        });
        rename(step, pairs, |register| places[register as usize]);
        ending.sort_unstable();
        ending.dedup();
        free.extend(ending.into_iter().map(|register| places[register as usize]));
        if let Some(to) = written(step) {
            let free = free.pop().unwrap_or_else(|| {
                count += 1;
                count - 1
            });
            places[*to as usize] = free;
            *to = free;
        }
    }
    count as usize
}

/// The register that a step writes, after all its reads.
fn written(step: &mut Step) -> Option<&mut u32> {
    match step {
        Step::Load { to, .. }
        | Step::Add { to, .. }
        | Step::Sub { to, .. }
        | Step::Dot { to, .. } => Some(to),
        Step::Store { .. } => None,
    }
}

fn read(step: &Step, pairs: &[[Operand; 2]], mut each: impl FnMut(u32)) {
    let mut each = |operand: &Operand| {
        if let Operand::Register(register) = operand {
            each(*register);
        }
    };
    match step {
        Step::Load { .. } => {}
        Step::Add { left, right, .. } | Step::Sub { left, right, .. } => {
            each(left);
            each(right);
        }
        Step::Dot { first, count, .. } => {
            pairs[*first as usize..][..*count as usize].iter().flatten().for_each(each);
        }
        Step::Store { from, .. } => each(from),
    }
}

fn rename(step: &mut Step, pairs: &mut [[Operand; 2]], to: impl Fn(u32) -> u32) {
    let each = |operand: &mut Operand| {
        if let Operand::Register(register) = operand {
            *register = to(*register);
        }
    };
    match step {
        Step::Load { .. } => {}
        Step::Add { left, right, .. } | Step::Sub { left, right, .. } => {
            each(left);
            each(right);
        }
        Step::Dot { first, count, .. } => {
            pairs[*first as usize..][..*count as usize].iter_mut().flatten().for_each(each);
        }
        Step::Store { from, .. } => each(from),
    }
}
