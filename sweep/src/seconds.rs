//! Times without the digits that our clocks cannot resolve.

/// Steps of a second, for times of milliseconds and more.
pub(crate) const MICROSECONDS: f64 = 1e6;
/// Steps of a second, for short times that are repeated many times.
pub(crate) const NANOSECONDS: f64 = 1e9;

/// The median of some seconds, in whole steps; zero if there are none.
pub(crate) fn median(mut seconds: Vec<f64>, steps: f64) -> f64 {
    seconds.sort_by(f64::total_cmp);
    let (low, high) = (seconds.len().saturating_sub(1) / 2, seconds.len() / 2);
    let at = |place: usize| seconds.get(place).copied().unwrap_or_default();
    rounded((at(low) + at(high)) / 2.0, steps)
}

/// Seconds in whole steps.
pub(crate) fn rounded(seconds: f64, steps: f64) -> f64 {
    (seconds * steps).round() / steps
}
