// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IMusterVerifier} from "./interfaces/IMusterVerifier.sol";

/// @title A generated Halo2 verifier with everything checked that it does not check itself.
/// @notice A generated verifier takes the public inputs, 32 bytes each, followed by the proof. What
/// the verifiers that Muster generates check themselves is checked here again, since others reduce
/// public inputs modulo the scalar field, ignore surplus calldata and burn all of their gas on
/// failure; and a call to an address without code succeeds. This contract closes all four.
/// @dev No owner, no storage. Address and code of the verifier, length of a proof and gas are fixed
/// at construction, as the deployer states them.
contract MusterVerifier is IMusterVerifier {
    /// @notice Order of BN254's scalar field; every public input is below it.
    uint256 public constant SCALAR_MODULUS =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;
    /// @notice Number of public inputs: key-set root, threshold, message.
    uint256 public constant PUBLIC_INPUTS = 3;
    /// @notice Least size of a generated verifier's code. Miscompiled ones have 57 bytes, proxies
    /// and delegated accounts fewer; real ones several thousand.
    uint256 public constant MIN_CODE_SIZE = 1024;
    /// @notice Tag under `VERIFIER_HASH`.
    bytes32 public constant VERIFIER_TAG = keccak256("muster/verifier/v1");

    /// @dev Gas spent between the check of the gas left and the call, rounded up.
    uint256 private constant CALL_RESERVE = 5000;

    /// @notice The generated verifier.
    address public immutable VERIFIER;
    /// @notice Hash of the generated verifier's code, which it must keep.
    bytes32 public immutable VERIFIER_CODE_HASH;
    /// @notice Digest of the verifying key, as the exporter of the verifier states it.
    bytes32 public immutable VERIFYING_KEY_DIGEST;
    /// @inheritdoc IMusterVerifier
    /// @dev `keccak256(abi.encode(VERIFIER_TAG, VERIFYING_KEY_DIGEST, VERIFIER_CODE_HASH))`. It binds
    /// neither the kind of wrapper nor `PROOF_LENGTH` nor `GAS_CAP`: compare these as well.
    bytes32 public immutable VERIFIER_HASH;
    /// @notice Length of a proof in bytes.
    uint256 public immutable PROOF_LENGTH;
    /// @notice Gas given to the generated verifier; a bad proof wastes no more. If it is below what a
    /// good proof takes, every proof is refused.
    uint256 public immutable GAS_CAP;

    /// @notice The generated verifier has no code, or too little to be one.
    error CodeTooSmall(address verifier, uint256 size);
    /// @notice The generated verifier's code is not what it was at construction.
    error CodeChanged(bytes32 expected, bytes32 actual);
    /// @notice A proof length or a gas cap of zero.
    error ZeroParameter();
    /// @notice A number of public inputs, or of their bytes, other than the expected one.
    error WrongInputLength(uint256 expected, uint256 actual);
    /// @notice A public input at or above the scalar modulus.
    error InputNotCanonical(uint256 index, uint256 value);
    /// @notice A proof shorter or longer than the verifying key asks for.
    error WrongProofLength(uint256 expected, uint256 actual);
    /// @notice Too little gas left to give the verifier its cap; says nothing about the proof.
    error InsufficientGas(uint256 required, uint256 available);
    /// @notice The caller means another verifier.
    error WrongVerifier(bytes32 expected, bytes32 actual);
    /// @notice The proof does not verify.
    error ProofRejected();

    /// @param verifier The generated verifier, of as many public inputs as this contract hands on.
    /// @param verifyingKeyDigest Digest of its verifying key. Like all that follows it is stated, not
    /// checked: compare the arguments and the code with an export of your own.
    /// @param proofLength Length of its proofs in bytes. Of a verifier of more public inputs a greater
    /// length would leave these to those who submit.
    /// @param gasCap Gas for one verification, with room to spare.
    constructor(address verifier, bytes32 verifyingKeyDigest, uint256 proofLength, uint256 gasCap) {
        uint256 size = verifier.code.length;
        if (size < MIN_CODE_SIZE) revert CodeTooSmall(verifier, size);
        if (proofLength == 0 || gasCap == 0) revert ZeroParameter();
        VERIFIER = verifier;
        VERIFIER_CODE_HASH = verifier.codehash;
        VERIFYING_KEY_DIGEST = verifyingKeyDigest;
        VERIFIER_HASH = keccak256(abi.encode(VERIFIER_TAG, verifyingKeyDigest, verifier.codehash));
        PROOF_LENGTH = proofLength;
        GAS_CAP = gasCap;
    }

    /// @inheritdoc IMusterVerifier
    function verify(bytes calldata proof, uint256[] calldata publicInputs)
        external
        view
        virtual
        returns (bool)
    {
        if (publicInputs.length != PUBLIC_INPUTS) {
            revert WrongInputLength(PUBLIC_INPUTS, publicInputs.length);
        }
        return _verify(proof, [publicInputs[0], publicInputs[1], publicInputs[2]]);
    }

    /// @inheritdoc IMusterVerifier
    function verifyProof(
        bytes32 verifierHash,
        bytes calldata publicValues,
        bytes calldata proofBytes
    ) external view virtual {
        if (verifierHash != VERIFIER_HASH) {
            revert WrongVerifier(VERIFIER_HASH, verifierHash);
        }
        if (publicValues.length != PUBLIC_INPUTS * 32) {
            revert WrongInputLength(PUBLIC_INPUTS * 32, publicValues.length);
        }
        if (!_verify(proofBytes, abi.decode(publicValues, (uint256[3])))) revert ProofRejected();
    }

    function _verify(bytes calldata proof, uint256[3] memory inputs) private view returns (bool) {
        for (uint256 i = 0; i < _canonicalInputs(); ++i) {
            if (inputs[i] >= SCALAR_MODULUS) revert InputNotCanonical(i, inputs[i]);
        }
        if (proof.length != PROOF_LENGTH) revert WrongProofLength(PROOF_LENGTH, proof.length);
        // An address that lost its code has another code hash, too.
        bytes32 codeHash = VERIFIER.codehash;
        if (codeHash != VERIFIER_CODE_HASH) revert CodeChanged(VERIFIER_CODE_HASH, codeHash);
        return _call(_input(inputs, proof));
    }

    /// @dev How many public inputs, from the first, are handed on as they are, and so must be
    /// canonical.
    function _canonicalInputs() internal pure virtual returns (uint256) {
        return PUBLIC_INPUTS;
    }

    /// @dev What the generated verifier takes.
    function _input(uint256[3] memory inputs, bytes calldata proof)
        internal
        pure
        virtual
        returns (bytes memory)
    {
        return abi.encodePacked(inputs, proof);
    }

    /// @dev Success is a call that succeeds and returns the word 1, as no contract does by chance. At
    /// most one word is copied, whatever is returned.
    function _call(bytes memory input) internal view returns (bool) {
        _requireGas();
        address verifier = VERIFIER;
        uint256 gasCap = GAS_CAP;
        bool success;
        uint256 size;
        uint256 word;
        assembly ("memory-safe") {
            // The first word of memory is scratch space.
            success := staticcall(gasCap, verifier, add(input, 32), mload(input), 0, 32)
            size := returndatasize()
            word := mload(0)
        }
        return success && size == 32 && word == 1;
    }

    /// @dev A call gets at most 63/64 of the gas left (EIP-150). With less than the cap a good proof
    /// could fail, so that `false` would no longer mean a bad one.
    function _requireGas() private view {
        uint256 required = GAS_CAP + GAS_CAP / 63 + CALL_RESERVE;
        uint256 available = gasleft();
        if (available < required) revert InsufficientGas(required, available);
    }
}
