//! Parameters, points, encodings, names.
