// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IMusterVerifier} from "./interfaces/IMusterVerifier.sol";

/// @title Finds a verifier by the first four bytes of its hash.
/// @notice A route is added once and frozen at most once. It is never replaced, removed or thawed,
/// so where a hash leads never changes; the owner can only stop it. The hash does not bind the kind of
/// wrapper or its arguments, so callers trust the owner to have checked these.
contract MusterRouter {
    /// @notice Where a selector leads.
    struct Route {
        address verifier;
        bool frozen;
        bytes32 verifierHash;
    }

    /// @notice The only account that adds and freezes routes.
    address public immutable OWNER;

    mapping(bytes4 => Route) private _routes;

    /// @notice A route was added.
    event RouteAdded(bytes4 indexed selector, bytes32 indexed verifierHash, address verifier);
    /// @notice A route was frozen, for good.
    event RouteFrozen(bytes4 indexed selector, bytes32 indexed verifierHash, address verifier);

    /// @notice The owner would be the zero address.
    error ZeroOwner();
    /// @notice The caller is not the owner.
    error NotOwner(address caller);
    /// @notice The address has no code.
    error NoCode(address verifier);
    /// @notice The verifier names itself by zero, which an address without the function would seem to.
    error ZeroHash(address verifier);
    /// @notice The selector is taken, even if its route is frozen.
    error RouteExists(bytes4 selector, address verifier);
    /// @notice No route has this selector.
    error RouteNotFound(bytes4 selector);
    /// @notice The route is frozen.
    error RouteIsFrozen(bytes4 selector);
    /// @notice The route of this selector leads to a verifier with another hash.
    error WrongVerifier(bytes32 expected, bytes32 actual);

    modifier onlyOwner() {
        if (msg.sender != OWNER) revert NotOwner(msg.sender);
        _;
    }

    /// @param owner The account that adds and freezes routes.
    constructor(address owner) {
        if (owner == address(0)) revert ZeroOwner();
        OWNER = owner;
    }

    /// @notice Adds the route that `verifier` names itself by. Only the owner.
    /// @param verifier A `MusterVerifier`, or a contract of the same interface.
    function addRoute(address verifier) external onlyOwner {
        if (verifier.code.length == 0) revert NoCode(verifier);
        bytes32 verifierHash = IMusterVerifier(verifier).VERIFIER_HASH();
        if (verifierHash == 0) revert ZeroHash(verifier);
        bytes4 selector = _selectorOf(verifierHash);
        Route storage route = _routes[selector];
        if (route.verifier != address(0)) revert RouteExists(selector, route.verifier);
        route.verifier = verifier;
        route.verifierHash = verifierHash;
        emit RouteAdded(selector, verifierHash, verifier);
    }

    /// @notice Freezes a route for good. Only the owner.
    /// @param selector First four bytes of the verifier's hash.
    function freezeRoute(bytes4 selector) external onlyOwner {
        Route storage route = _liveRoute(selector);
        route.frozen = true;
        emit RouteFrozen(selector, route.verifierHash, route.verifier);
    }

    /// @notice Checks a proof with the verifier of this hash; reverts unless it verifies.
    /// @param verifierHash Hash of the verifier. All of it must agree, not only the selector.
    /// @param publicValues The public inputs, 32 bytes each, big-endian.
    /// @param proofBytes The proof.
    function verifyProof(
        bytes32 verifierHash,
        bytes calldata publicValues,
        bytes calldata proofBytes
    ) external view {
        Route storage route = _liveRoute(_selectorOf(verifierHash));
        if (route.verifierHash != verifierHash) {
            revert WrongVerifier(route.verifierHash, verifierHash);
        }
        IMusterVerifier(route.verifier).verifyProof(verifierHash, publicValues, proofBytes);
    }

    /// @notice The route of a selector; its verifier is zero if there is none.
    /// @param selector First four bytes of a verifier's hash.
    function routes(bytes4 selector) external view returns (Route memory) {
        return _routes[selector];
    }

    function _liveRoute(bytes4 selector) private view returns (Route storage route) {
        route = _routes[selector];
        if (route.verifier == address(0)) revert RouteNotFound(selector);
        if (route.frozen) revert RouteIsFrozen(selector);
    }

    function _selectorOf(bytes32 verifierHash) private pure returns (bytes4) {
        // The first four bytes are meant; callers compare the whole hash, too.
        // forge-lint: disable-next-line(unsafe-typecast)
        return bytes4(verifierHash);
    }
}
