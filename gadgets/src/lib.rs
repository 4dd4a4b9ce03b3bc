#![doc = include_str!("../README.md")]

pub mod curve;
pub mod field;
pub mod hash;
pub mod membership;
pub mod signature;
#[cfg(test)]
mod tests {
    mod golden;
}

#[cfg(test)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
