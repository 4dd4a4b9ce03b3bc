// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title The EVM keys of circuits, by their names.
/// @notice Anybody may register a key. Its name is the hash of its bytes, so a key cannot be changed,
/// taken away or put in place of another, and it does not matter who registered it. That a key is
/// registered says nothing about what its proofs show: a caller must have the name from somebody who
/// made the key from the circuit, or make it themselves.
/// @dev An EVM key (section 9 of verifier/SPEC.md), numbers big-endian:
///
/// ```
///   0   16  "muster-evm-key-1"
///  16    4  k₂: the decider has 2^k₂ rows
///  20    4  how many public inputs
///  24    4  how many packs of round 1
///  28    4  how many packs of round 2
///  32   32  digest of the key
///  64  128  [τ]₂
/// 192   64  K₂, commitment to what is fixed in the decider
/// 256   64  each: commitments to the packs of round 0
/// ```
///
/// A key is the code of an address that follows from its name alone: CREATE2 with the name as salt
/// makes a creator, the same few bytes for every key, and the creator's first contract holds the key.
/// Whoever looks a key up reads no storage.
contract MusterKeys {
    /// @dev Modulus of the field over which the curve is defined.
    uint256 internal constant Q =
        21888242871839275222246405745257275088696311157297823662689037894645226208583;
    /// @dev Order of the groups: modulus of scalars.
    uint256 internal constant R =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;

    /// @dev The generator `[1]₂`, as EIP-197 has it.
    uint256 internal constant G2_X_1 =
        0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2;
    uint256 internal constant G2_X_0 =
        0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed;
    uint256 internal constant G2_Y_1 =
        0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b;
    uint256 internal constant G2_Y_0 =
        0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa;

    /// @dev Where things stand in a key.
    uint256 internal constant KEY_DIGEST = 32;
    uint256 internal constant KEY_TAU = 64;
    uint256 internal constant KEY_DECIDER = 192;
    uint256 internal constant KEY_PACKS = 256;

    /// @dev The greatest k₂ of section 9, and the greatest numbers of inputs and of packs.
    uint256 internal constant MAX_LOG_ROWS = 20;
    uint256 internal constant MAX_INPUTS = 1024;
    uint256 internal constant MAX_PACKS = 16_384;
    /// @dev Public inputs of the decider besides a circuit's own and one for each pack: eight
    /// challenges and `R`.
    uint256 internal constant MORE_INPUTS = 9;
    /// @dev Rows of a decider that hold no public input, at least: zero, one, and four random ones.
    uint256 internal constant OTHER_ROWS = 6;

    /// @dev Code of a creator: CALLDATACOPY of everything, CREATE of it. It is called once, here, when
    /// it has just been made. Others may call it later, and get contracts at other addresses.
    bytes private constant CREATOR = hex"67363d3d37363d34f03d5260086018f3";
    /// @dev Its hash. The compiler would hash it anew each time.
    bytes32 private constant CREATOR_HASH =
        0x21c35dbe1b344a2488cf3321d6ce542f8e9f305544ff09e4993a62319a497c1f;

    /// @notice Somebody registered a key.
    /// @param name The hash of its bytes.
    /// @param digest Digest of the key that it was made from, as it says.
    event KeyRegistered(bytes32 indexed name, bytes32 indexed digest);

    /// @notice The bytes do not begin with `muster-evm-key-1`.
    error NotAKey();
    /// @notice A key is 256 bytes and 64 for each pack of round 0, and has room in a contract.
    error WrongKeyLength(uint256 length);
    /// @notice A number in the key is not what any circuit has.
    error WrongKeyNumbers(uint256 logRows, uint256 inputs, uint256 packs);
    /// @notice A commitment (0 is K₂, the others are packs) is neither a point of the curve, its
    /// coordinates below the modulus, nor the identity.
    error NotAPoint(uint256 index);
    /// @notice [τ]₂ is not a point of the twist, or of the subgroup, or it is the identity or [1]₂; or
    /// there was not enough gas to find out.
    error WrongTau();
    /// @notice The key could not be stored; perhaps for lack of gas.
    error NotStored();

    /// @notice Registers a key. To register it once more changes nothing.
    /// @param evmKey The bytes that `muster export-key --evm` writes.
    /// @return name Their hash, the name of the key from now on.
    function register(bytes calldata evmKey) external returns (bytes32 name) {
        name = keccak256(evmKey);
        address store = keyStore(name);
        if (store.code.length != 0) return name;
        _checkKey(evmKey);
        // What comes first is the code that returns the rest: PUSH2 length, DUP1, PUSH1 10,
        // RETURNDATASIZE, CODECOPY, RETURNDATASIZE, RETURN. The byte 0 (STOP) keeps anybody from
        // running a key.
        bytes memory init =
            abi.encodePacked(hex"61", uint16(evmKey.length + 1), hex"80600a3d393df300", evmKey);
        bytes memory creator = CREATOR;
        address made;
        assembly ("memory-safe") {
            made := create2(0, add(creator, 32), mload(creator), name)
        }
        if (made == address(0)) revert NotStored();
        (bool called,) = made.call(init);
        if (!called || store.code.length != evmKey.length + 1) revert NotStored();
        emit KeyRegistered(name, bytes32(evmKey[KEY_DIGEST:]));
    }

    /// @notice The address whose code is a 0 byte and the key of this name, once it is registered.
    function keyStore(bytes32 name) public view returns (address store) {
        assembly ("memory-safe") {
            // CREATE2: keccak256(0xff ‖ this contract ‖ salt ‖ hash of the code that creates).
            let at := mload(0x40)
            mstore(at, or(shl(160, 0xff), address()))
            mstore(add(at, 32), name)
            mstore(add(at, 64), CREATOR_HASH)
            let creator := keccak256(add(at, 11), 85)
            // CREATE: keccak256 of the RLP of the creator and its nonce, which is 1.
            mstore(at, or(or(shl(168, 0xd694), shl(8, shr(96, shl(96, creator)))), 1))
            store := shr(96, shl(96, keccak256(add(at, 9), 23)))
        }
    }

    /// @notice Whether a key of this name is registered.
    function isRegistered(bytes32 name) external view returns (bool) {
        return keyStore(name).code.length != 0;
    }

    /// @notice The bytes of a registered key; none if there is no key of this name.
    function keyBytes(bytes32 name) external view returns (bytes memory evmKey) {
        bytes memory code = keyStore(name).code;
        if (code.length == 0) return code;
        // The 0 byte in front becomes the last byte of the length, which then covers the rest.
        uint256 length = code.length - 1;
        assembly ("memory-safe") {
            evmKey := add(code, 1)
            mstore(evmKey, length)
        }
    }

    /// @dev Reverts unless these bytes are a key that the verifier can take without any further check:
    /// no precompile that it calls can fail on the points.
    function _checkKey(bytes calldata evmKey) private view {
        uint256 length = evmKey.length;
        if (length < KEY_PACKS || length % 64 != 0 || length > 24_575) {
            revert WrongKeyLength(length);
        }
        if (bytes16(evmKey[:16]) != "muster-evm-key-1") revert NotAKey();
        uint256 logRows = uint32(bytes4(evmKey[16:]));
        uint256 inputs = uint32(bytes4(evmKey[20:]));
        uint256 packs = uint256(uint32(bytes4(evmKey[24:]))) + uint32(bytes4(evmKey[28:]))
            + (length - KEY_PACKS) / 64;
        if (
            logRows > MAX_LOG_ROWS || inputs > MAX_INPUTS || packs == 0 || packs > MAX_PACKS
                || inputs + packs + MORE_INPUTS + OTHER_ROWS > 2 ** logRows
        ) revert WrongKeyNumbers(logRows, inputs, packs);
        for (uint256 at = KEY_DECIDER; at < length; at += 64) {
            uint256 x = uint256(bytes32(evmKey[at:]));
            uint256 y = uint256(bytes32(evmKey[at + 32:]));
            if ((x | y) != 0 && !_onCurve(x, y)) revert NotAPoint((at - KEY_DECIDER) / 64);
        }
        _checkTau(evmKey);
    }

    /// @dev EIP-197 says that the precompile fails unless a point of G2 has coordinates below the
    /// modulus, is on the twist and in the subgroup. The pairing of the identity with it is 1.
    function _checkTau(bytes calldata evmKey) private view {
        bytes memory tau = evmKey[KEY_TAU:KEY_DECIDER];
        if (
            keccak256(tau) == keccak256(new bytes(128))
                || keccak256(tau) == keccak256(abi.encode(G2_X_1, G2_X_0, G2_Y_1, G2_Y_0))
        ) revert WrongTau();
        (bool success, bytes memory result) =
            address(8).staticcall(abi.encodePacked(new bytes(64), tau));
        if (!success || result.length != 32 || abi.decode(result, (uint256)) != 1) {
            revert WrongTau();
        }
    }

    function _onCurve(uint256 x, uint256 y) private pure returns (bool) {
        return x < Q && y < Q && mulmod(y, y, Q) == addmod(mulmod(mulmod(x, x, Q), x, Q), 3, Q);
    }
}
