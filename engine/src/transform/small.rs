use halo2curves::ff::PrimeField;

/// The transform of few elements, by halves: the even places and the odd places.
pub(super) fn transform<F: PrimeField>(elements: &mut [F], root: F) {
    if elements.len() == 1 {
        return;
    }
    let half = |first: usize| {
        let mut part: Vec<F> = elements.iter().skip(first).step_by(2).copied().collect();
        transform(&mut part, root.square());
        part
    };
    let (even, mut odd) = (half(0), half(1));
    scale(&mut odd, F::ONE, root);
    let (low, high) = elements.split_at_mut(even.len());
    for ((low, high), (even, odd)) in low.iter_mut().zip(high).zip(even.iter().zip(&odd)) {
        *low = *even + odd;
        *high = *even - odd;
    }
}

/// Multiplies element `i` by `first·baseⁱ`.
pub(super) fn scale<F: PrimeField>(elements: &mut [F], first: F, base: F) {
    let mut power = first;
    for element in elements {
        *element *= power;
        power *= base;
    }
}
