//! Every advice cell of the smallest circuit matters, but for those that are named here with the reason.
