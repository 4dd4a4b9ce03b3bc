// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IMusterVerifier} from "./interfaces/IMusterVerifier.sol";

/// @title Several proofs by one call, and which of them does not hold.
library MusterClaims {
    /// @notice The place of the first proof that does not hold; how many there are if all do. Only if one does not, they are asked about
    /// one by one.
    function firstFalse(IMusterVerifier verifier, IMusterVerifier.Claim[] memory claims)
        internal
        view
        returns (uint256 place)
    {
        if (verifier.verifyAll(claims)) return claims.length;
        // The last one is false if no other is.
        while (place + 1 < claims.length && _holds(verifier, claims[place])) {
            ++place;
        }
    }

    function _holds(IMusterVerifier verifier, IMusterVerifier.Claim memory claim)
        private
        view
        returns (bool)
    {
        return verifier.verify(claim.name, claim.inputs, claim.proof);
    }
}
