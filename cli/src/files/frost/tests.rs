use muster_prover::output::Secret;

use super::Kind;

/// The library knows no FROST, but overwrites no secret of it.
#[test]
fn secret_parcels_are_those_of_frost() {
    // A kind that is missing here does not compile.
    let all = |kind| match kind {
        Kind::DkgSecret
        | Kind::DkgCommitment
        | Kind::DkgState
        | Kind::DkgShare
        | Kind::Refresh
        | Kind::RefreshSecret
        | Kind::RefreshCommitment
        | Kind::RefreshState
        | Kind::RefreshShare
        | Kind::RepairPart
        | Kind::RepairSum => 11,
    };
    let kinds = [
        Kind::DkgSecret,
        Kind::DkgCommitment,
        Kind::DkgState,
        Kind::DkgShare,
        Kind::Refresh,
        Kind::RefreshSecret,
        Kind::RefreshCommitment,
        Kind::RefreshState,
        Kind::RefreshShare,
        Kind::RepairPart,
        Kind::RepairSum,
    ];
    assert_eq!(kinds.len(), all(kinds[0]));
    for kind in kinds {
        assert_eq!(Secret::parcel(kind.as_str()).is_some(), kind.is_secret(), "{kind}");
    }
}
