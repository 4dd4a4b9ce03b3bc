// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @dev Stands for a generated verifier: takes public inputs and proof as bare calldata, returns
/// nothing if they were registered, reverts otherwise. Calldata from the registrar is registered.
///
/// What these tests are about is what the contracts do with a verdict. Whether the verdict is right
/// is tested in `Generated.t.sol`, with real proofs and the generated verifiers.
contract StubHalo2 {
    address private immutable REGISTRAR = msg.sender;
    mapping(bytes32 => bool) private _good;

    error Refused();

    fallback() external {
        bytes32 key = keccak256(msg.data);
        if (msg.sender == REGISTRAR) _good[key] = true;
        else if (!_good[key]) revert Refused();
    }
}
