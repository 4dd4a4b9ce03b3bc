//! Scalars and points that are overwritten when they are dropped. `zeroize` has no implementation for them.

use std::ops::{Deref, DerefMut};

use ff::Field as _;
use group::Group as _;

use super::{Fr, G1Affine, G1Projective};

/// What [`Secret`] overwrites.
pub trait Wipe {
    /// Overwrites the value.
    fn wipe(&mut self);
}

impl Wipe for Fr {
    fn wipe(&mut self) {
        *self = Fr::ZERO;
        std::hint::black_box(self);
    }
}

impl Wipe for G1Affine {
    fn wipe(&mut self) {
        *self = Self::default();
        std::hint::black_box(self);
    }
}

impl Wipe for G1Projective {
    fn wipe(&mut self) {
        *self = Self::identity();
        std::hint::black_box(self);
    }
}

impl<T: Wipe> Wipe for Vec<T> {
    fn wipe(&mut self) {
        self.iter_mut().for_each(T::wipe);
    }
}

impl<T: Wipe, const N: usize> Wipe for [T; N] {
    fn wipe(&mut self) {
        self.iter_mut().for_each(T::wipe);
    }
}

/// A value that is overwritten when it is dropped.
#[derive(Clone)]
pub struct Secret<T: Wipe>(T);

impl<T: Wipe> Secret<T> {
    /// Keeps a value.
    pub fn new(value: T) -> Self {
        Self(value)
    }
}

impl<T: Wipe> Deref for Secret<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Wipe> DerefMut for Secret<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Wipe> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.wipe();
    }
}
