// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @dev Stands for a generated verifier: takes public inputs and proof as bare calldata, returns
/// the word 1 if they were registered, reverts otherwise. Calldata from the registrar is registered.
///
/// What these tests are about is what the contracts do with a verdict. Whether the verdict is right
/// is tested in `Generated.t.sol`, with real proofs and the generated verifiers.
contract StubHalo2 {
    address private immutable REGISTRAR = msg.sender;
    mapping(bytes32 => bool) private _good;

    error Refused();

    fallback(bytes calldata input) external returns (bytes memory) {
        bytes32 key = keccak256(input);
        if (msg.sender == REGISTRAR) _good[key] = true;
        else if (!_good[key]) revert Refused();
        return abi.encode(1);
    }
}
