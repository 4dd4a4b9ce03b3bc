// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../src/MusterVerifier.sol";

/// @dev The cheatcodes of forge that the script uses.
interface ScriptVm {
    function startBroadcast() external;
    function stopBroadcast() external;
}

/// @title Deploys `MusterVerifier` where it is on every chain.
/// @notice By way of the deterministic deployment proxy, with salt 0: the address follows from the creation
/// code alone, so that it does not matter who deploys, and whoever finds code there knows which it is.
///
/// `forge script script/Deploy.s.sol --rpc-url URL --account NAME --broadcast`; without the last argument it only
/// says the address.
contract Deploy {
    /// @notice The proxy of github.com/Arachnid/deterministic-deployment-proxy.
    address public constant PROXY = 0x4e59b44847b379578588920cA78FbF26c0B4956C;

    ScriptVm private constant VM =
        ScriptVm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @notice The chain has no such proxy.
    error NoProxy();
    /// @notice The proxy made nothing.
    error NotDeployed();

    /// @notice Deploys the verifier unless it is there.
    function run() external returns (address verifier) {
        verifier = predicted();
        if (verifier.code.length != 0) return verifier;
        if (PROXY.code.length == 0) revert NoProxy();
        VM.startBroadcast();
        (bool ok,) = PROXY.call(abi.encodePacked(bytes32(0), type(MusterVerifier).creationCode));
        VM.stopBroadcast();
        if (!ok || verifier.code.length == 0) revert NotDeployed();
    }

    /// @notice The address that it has.
    function predicted() public pure returns (address) {
        bytes32 code = keccak256(type(MusterVerifier).creationCode);
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), PROXY, bytes32(0), code));
        return address(uint160(uint256(hash)));
    }
}
