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
    /// @param evmKey The bytes of an EVM key.
    /// @return name Their hash, the name of the key from now on.
    function register(bytes memory evmKey) external returns (bytes32 name) {
        name = keccak256(evmKey);
        if (!isRegistered(name)) {
            _checkKey(evmKey);
            emit KeyRegistered(name, _store(evmKey, name));
        }
    }

    /// @dev Returns the digest in the key.
    function _store(bytes memory evmKey, bytes32 name) private returns (bytes32 digest) {
        digest = bytes32(_wordOf(evmKey, KEY_DIGEST));
        bytes memory code = _storeCode(evmKey);
        bytes memory creator = CREATOR;
        assembly ("memory-safe") {
            let made := create2(0, add(creator, 32), mload(creator), name)
            pop(call(gas(), made, 0, add(code, 32), mload(code), 0, 0))
        }
        if (!isRegistered(name)) revert NotStored();
    }

    /// @dev What makes a store: code that returns what follows it (PUSH2 length, DUP1, PUSH1 10,
    /// RETURNDATASIZE, CODECOPY, RETURNDATASIZE, RETURN). That is a byte 0 (STOP), so that nobody can
    /// run a key, and the key.
    function _storeCode(bytes memory evmKey) private pure returns (bytes memory) {
        return abi.encodePacked(hex"61", uint16(evmKey.length + 1), hex"80600a3d393df300", evmKey);
    }

    /// @notice The address whose code is a 0 byte and the key of this name, once it is registered.
    function keyStore(bytes32 name) public view returns (address store) {
        assembly ("memory-safe") {
            // CREATE2: keccak256(0xff ‖ this contract ‖ salt ‖ hash of the code that creates).
            let place := mload(0x40)
            mstore(place, or(shl(160, 0xff), address()))
            mstore(add(place, 32), name)
            mstore(add(place, 64), CREATOR_HASH)
            let creator := keccak256(add(place, 11), 85)
            // CREATE: keccak256 of the RLP of the creator and its nonce, which is 1.
            mstore(place, or(or(shl(168, 0xd694), shl(8, shr(96, shl(96, creator)))), 1))
            store := shr(96, shl(96, keccak256(add(place, 9), 23)))
        }
    }

    /// @notice Whether a key of this name is registered.
    function isRegistered(bytes32 name) public view returns (bool) {
        return keyStore(name).code.length != 0;
    }

    /// @notice The bytes of a registered key; none if there is no key of this name.
    function keyBytes(bytes32 name) public view returns (bytes memory evmKey) {
        uint256 place;
        assembly ("memory-safe") {
            evmKey := mload(0x40)
            place := add(evmKey, 32)
        }
        uint256 size = _copyKey(name, place);
        assembly ("memory-safe") {
            mstore(evmKey, size)
            mstore(0x40, add(place, size))
        }
    }

    /// @dev Copies the bytes of a registered key to memory that is free; none if there is no key of this
    /// name. Returns how many.
    function _copyKey(bytes32 name, uint256 place) internal view returns (uint256 size) {
        address store = keyStore(name);
        assembly ("memory-safe") {
            size := extcodesize(store)
            if size {
                size := sub(size, 1)
                extcodecopy(store, place, 1, size)
                // An address has 160 bits: with much work, another contract could come to have it.
                if iszero(eq(keccak256(place, size), name)) { size := 0 }
            }
        }
    }

    /// @dev Reverts unless these bytes are a key that the verifier can take without any further check:
    /// no precompile that it calls can fail on the points. The steps are short, so that a compiler has
    /// room on the stack without its optimizer, too.
    function _checkKey(bytes memory evmKey) private view {
        _checkLength(evmKey.length);
        _checkTag(bytes16(bytes32(_wordOf(evmKey, 0))));
        _checkNumbers(evmKey);
        _checkPoints(evmKey);
        _checkTau(evmKey);
    }

    function _checkLength(uint256 length) private pure {
        if (length < KEY_PACKS || length % 64 != 0 || length > 24_575) {
            revert WrongKeyLength(length);
        }
    }

    function _checkTag(bytes16 tag) private pure {
        if (tag != "muster-evm-key-1") revert NotAKey();
    }

    function _checkNumbers(bytes memory evmKey) private pure {
        _checkRows(_numberOf(evmKey, 16), _numberOf(evmKey, 20), _packsOf(evmKey));
    }

    /// @dev How many packs a key has, in all rounds.
    function _packsOf(bytes memory evmKey) private pure returns (uint256 packs) {
        assembly ("memory-safe") {
            let head := mload(add(evmKey, 32))
            packs := shr(6, sub(mload(evmKey), KEY_PACKS))
            packs := add(packs, and(shr(32, head), 0xffffffff))
            packs := add(packs, and(head, 0xffffffff))
        }
    }

    function _checkRows(uint256 logRows, uint256 inputs, uint256 packs) private pure {
        bool ok;
        assembly ("memory-safe") {
            let rows := add(add(inputs, packs), add(MORE_INPUTS, OTHER_ROWS))
            ok := iszero(or(gt(logRows, MAX_LOG_ROWS), gt(inputs, MAX_INPUTS)))
            ok := and(ok, iszero(or(iszero(packs), gt(packs, MAX_PACKS))))
            ok := and(ok, iszero(gt(rows, shl(logRows, 1))))
        }
        if (!ok) revert WrongKeyNumbers(logRows, inputs, packs);
    }

    function _checkPoints(bytes memory evmKey) private pure {
        for (uint256 place = KEY_DECIDER; place < evmKey.length; place += 64) {
            if (!_isPoint(evmKey, place)) revert NotAPoint((place - KEY_DECIDER) / 64);
        }
    }

    /// @dev EIP-197 says that the precompile fails unless a point of G2 has coordinates below the
    /// modulus, is on the twist and in the subgroup. The pairing of the identity with it is 1.
    function _checkTau(bytes memory evmKey) private view {
        bool ok;
        assembly ("memory-safe") {
            let tau := add(add(evmKey, 32), KEY_TAU)
            let x1 := mload(tau)
            let x0 := mload(add(tau, 32))
            let y1 := mload(add(tau, 64))
            let y0 := mload(add(tau, 96))
            let input := mload(0x40)
            mstore(input, 0)
            mstore(add(input, 32), 0)
            mstore(add(input, 64), x1)
            mstore(add(input, 96), x0)
            mstore(add(input, 128), y1)
            mstore(add(input, 160), y0)
            ok := staticcall(gas(), 8, input, 192, input, 32)
            ok := and(ok, and(eq(returndatasize(), 32), eq(mload(input), 1)))
            // Neither the identity nor [1]₂.
            ok := and(ok, gt(or(or(x1, x0), or(y1, y0)), 0))
            x1 := or(xor(x1, G2_X_1), xor(x0, G2_X_0))
            y1 := or(xor(y1, G2_Y_1), xor(y0, G2_Y_0))
            ok := and(ok, gt(or(x1, y1), 0))
        }
        if (!ok) revert WrongTau();
    }

    /// @dev On the curve, or the identity, whose coordinates are 0.
    function _isPoint(bytes memory evmKey, uint256 place) private pure returns (bool ok) {
        assembly ("memory-safe") {
            let x := mload(add(add(evmKey, 32), place))
            let y := mload(add(add(evmKey, 64), place))
            let cubic := addmod(mulmod(mulmod(x, x, Q), x, Q), 3, Q)
            ok := and(and(lt(x, Q), lt(y, Q)), eq(mulmod(y, y, Q), cubic))
            ok := or(ok, iszero(or(x, y)))
        }
    }

    /// @dev The number of four bytes that begins at this byte of a key.
    function _numberOf(bytes memory evmKey, uint256 place) private pure returns (uint256) {
        return _wordOf(evmKey, place) >> 224;
    }

    /// @dev The word of a key that begins at this byte.
    function _wordOf(bytes memory evmKey, uint256 place) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(add(evmKey, 32), place))
        }
    }
}
