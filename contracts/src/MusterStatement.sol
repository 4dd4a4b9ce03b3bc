// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title The public inputs of a statement, as `MusterVerifier` takes them.
/// @notice A statement says that distinct members of the set with this root signed this message, that
/// their weights add up to at least this threshold and, if the key's statements name the signers, that
/// they are exactly those of the mask. There is one function for each kind of message, and the key
/// decides which one is right. No contract can tell: inputs of two kinds may be equally many. So fix the
/// function in your code, as you fix the name of the key, and never let whoever brings a proof choose.
///
/// Root, threshold and message are what the caller expects, not what came with the proof. Every function
/// reverts for anything that `muster verify` would call malformed, with an error that names it; only
/// whether a point is in its group is left to the circuit, which takes no others.
/// @dev All functions are internal: a contract has the code of those that it calls, and nothing is
/// deployed. An argument that lies in calldata is copied to memory.
library MusterStatement {
    /// @notice Order of BN254's scalar field: every public input is below it.
    uint256 internal constant SCALAR_MODULUS =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;
    /// @notice The weights of a set add up to less than 2 to this power, so no threshold is as large.
    uint256 internal constant THRESHOLD_BITS = 60;
    /// @notice The most bytes of a message that is public itself.
    uint256 internal constant MAX_PLAIN_BYTES = 64;
    /// @notice Members that a word of a mask has bits for.
    uint256 internal constant MASK_WORD_BITS = 248;
    /// @notice The most members of a set whose statements name the signers.
    uint256 internal constant MAX_MASKED = 16_384;

    /// @dev The prime of BN254's coordinates.
    uint256 private constant BN254_PRIME =
        21888242871839275222246405745257275088696311157297823662689037894645226208583;
    /// @dev The prime of BLS12-381's coordinates: what is above its low 256 bits, and these.
    uint256 private constant BLS12381_PRIME_HIGH = 0x1a0111ea397fe69a4b1ba7b6434bacd7;
    uint256 private constant BLS12381_PRIME_LOW =
        0x64774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab;
    /// @dev Where the message begins among the inputs: behind root and threshold.
    uint256 private constant MESSAGE = 2;

    /// @notice A root that is zero, which no set has, or not below the scalar modulus.
    error RootOutOfRange(uint256 root);
    /// @notice A threshold of zero, which nobody has to meet, or of 2^60 or more, which no set can.
    error ThresholdOutOfRange(uint256 threshold);
    /// @notice A message that is to be a field element, but is not below the scalar modulus.
    error ElementOutOfRange(uint256 element);
    /// @notice A message of more bytes than can be public.
    error MessageTooLong(uint256 most, uint256 actual);
    /// @notice The number at this place of a point, counted as the caller gave it, is not below the prime of
    /// the curve. Circuits take it for its residue, but a point has one form here.
    error CoordinateOutOfRange(uint256 index);
    /// @notice Fewer inputs than root, threshold and any message have.
    error StatementTooShort(uint256 actual);
    /// @notice No key for sets of so many members has statements that name the signers; or a translation has none.
    error MembersOutOfRange(uint256 members);
    /// @notice Members who weigh nothing together, or 2^60 or more, which no set does.
    error TotalOutOfRange(uint256 total);
    /// @notice A mask with more or fewer words than a set with room for these members has.
    error WrongMaskLength(uint256 expected, uint256 actual);
    /// @notice This word of the mask has a bit that stands for nobody.
    error MaskBitForNobody(uint256 index, uint256 word);
    /// @notice A mask has no bit for this member.
    error NoSuchMember(uint256 member);

    // ------------------------------------------------------------------------------ Messages

    /// @notice The members signed a field element (`schnorr-babyjubjub`, `eddsa-babyjubjub`, `musig-babyjubjub`).
    /// @param root Root of the set.
    /// @param threshold Least sum of the signers' weights.
    /// @param element What they signed.
    function ofElement(uint256 root, uint256 threshold, uint256 element)
        internal
        pure
        returns (uint256[] memory inputs)
    {
        inputs = _begin(root, threshold, 1);
        if (element >= SCALAR_MODULUS) revert ElementOutOfRange(element);
        inputs[MESSAGE] = element;
    }

    /// @notice The members signed a digest of 32 bytes (ECDSA, BIP-340, most of BLS), or bytes that have
    /// this SHA-256 (`ed25519` and the form `sha256:N`) or, for CometBFT, this SHA-256 of what they share.
    /// @param root Root of the set.
    /// @param threshold Least sum of the signers' weights.
    /// @param digest The digest. If bytes were signed, hash those that you expect.
    function ofDigest(uint256 root, uint256 threshold, bytes32 digest)
        internal
        pure
        returns (uint256[] memory inputs)
    {
        inputs = _begin(root, threshold, 2);
        _putHalves(inputs, MESSAGE, uint256(digest));
    }

    /// @notice The members signed bytes that are public themselves (the form `bytes:N`).
    /// @dev Three inputs of 24, 24 and 17 bytes: the message with zeros behind it, 64 bytes in all, and
    /// its length. So a message and the same with a zero behind it are two messages. Under a key for N
    /// bytes no proof is of a longer message.
    /// @param root Root of the set.
    /// @param threshold Least sum of the signers' weights.
    /// @param message What they signed, at most 64 bytes.
    function ofPlain(uint256 root, uint256 threshold, bytes memory message)
        internal
        pure
        returns (uint256[] memory inputs)
    {
        inputs = _begin(root, threshold, 3);
        uint256 length = message.length;
        if (length > MAX_PLAIN_BYTES) revert MessageTooLong(MAX_PLAIN_BYTES, length);
        bytes memory padded = bytes.concat(message, new bytes(MAX_PLAIN_BYTES - length));
        (uint256 high, uint256 low) = abi.decode(padded, (uint256, uint256));
        inputs[MESSAGE] = high >> 64;
        inputs[MESSAGE + 1] = (high & type(uint64).max) << 128 | low >> 128;
        inputs[MESSAGE + 2] = (low & type(uint128).max) << 8 | length;
    }

    // ------------------------------------------------------------------------------ Points
    //
    // Whoever names a point has hashed what it is about to that point themselves: on a point whose
    // logarithm they know, others may make signatures by any key.

    /// @notice The members signed a point of G1 of BN254 (`bls-bn254-min-sig`, the form `point`).
    /// @param root Root of the set.
    /// @param threshold Least sum of the signers' weights.
    /// @param point x and y, as the precompiles have them (EIP-196).
    function ofBn254G1(uint256 root, uint256 threshold, uint256[2] memory point)
        internal
        pure
        returns (uint256[] memory inputs)
    {
        inputs = _begin(root, threshold, 4);
        for (uint256 i = 0; i < 2; ++i) {
            _putBn254(inputs, MESSAGE + 2 * i, point[i], i);
        }
    }

    /// @notice The members signed a point of G2 of BN254 (`bls-bn254`).
    /// @dev Among the inputs real parts come first.
    /// @param root Root of the set.
    /// @param threshold Least sum of the signers' weights.
    /// @param point x and y, each with the imaginary part first, as the precompile has them (EIP-197).
    function ofBn254G2(uint256 root, uint256 threshold, uint256[4] memory point)
        internal
        pure
        returns (uint256[] memory inputs)
    {
        inputs = _begin(root, threshold, 8);
        _putBn254(inputs, MESSAGE, point[1], 1);
        _putBn254(inputs, MESSAGE + 2, point[0], 0);
        _putBn254(inputs, MESSAGE + 4, point[3], 3);
        _putBn254(inputs, MESSAGE + 6, point[2], 2);
    }

    /// @notice The members signed a point of G1 of BLS12-381 (`bls-bls12-381-min-sig`, the form `point`).
    /// @param root Root of the set.
    /// @param threshold Least sum of the signers' weights.
    /// @param point x and y, each in two words, as the precompiles have them (EIP-2537).
    function ofBls12381G1(uint256 root, uint256 threshold, uint256[4] memory point)
        internal
        pure
        returns (uint256[] memory inputs)
    {
        inputs = _begin(root, threshold, 6);
        for (uint256 i = 0; i < 2; ++i) {
            _putBls12381(inputs, MESSAGE + 3 * i, point[2 * i], point[2 * i + 1], i);
        }
    }

    /// @notice The members signed a point of G2 of BLS12-381 (`bls-bls12-381`, the form `point`).
    /// @param root Root of the set.
    /// @param threshold Least sum of the signers' weights.
    /// @param point x and y, each with the real part first and each part in two words, as the precompiles have
    /// them (EIP-2537).
    function ofBls12381G2(uint256 root, uint256 threshold, uint256[8] memory point)
        internal
        pure
        returns (uint256[] memory inputs)
    {
        inputs = _begin(root, threshold, 12);
        for (uint256 i = 0; i < 4; ++i) {
            _putBls12381(inputs, MESSAGE + 3 * i, point[2 * i], point[2 * i + 1], i);
        }
    }

    // ------------------------------------------------------------------------------ Signers

    /// @notice The same statement, for keys whose statements name the signers: exactly these members
    /// signed.
    /// @param statement What one of the functions above gave.
    /// @param members How many members the key's sets have room for, which is not how many this set has.
    /// @param mask Member `i` signed if bit `i % 248` of word `i / 248` is set, the lowest bit first.
    function withSigners(uint256[] memory statement, uint256 members, uint256[] memory mask)
        internal
        pure
        returns (uint256[] memory inputs)
    {
        uint256 length = statement.length;
        if (length <= MESSAGE) revert StatementTooShort(length);
        inputs = _begin(statement[0], statement[1], length - MESSAGE + mask.length);
        for (uint256 i = MESSAGE; i < length; ++i) {
            inputs[i] = statement[i];
        }
        _requireMaskLength(members, mask);
        for (uint256 i = 0; i < mask.length; ++i) {
            // Of a root that says there are more members than there are a proof with such a bit might hold.
            uint256 bits = members < MASK_WORD_BITS ? members : MASK_WORD_BITS;
            if (mask[i] >> bits != 0) revert MaskBitForNobody(i, mask[i]);
            inputs[length + i] = mask[i];
            members -= bits;
        }
    }

    /// @notice Whether the mask says that a member signed.
    /// @dev This only reads. It is true of a statement if a proof holds for it with this mask.
    /// @param members As for `withSigners`.
    /// @param mask As for `withSigners`.
    /// @param member Index of the member, in the order in which the root commits to them.
    function isSigner(uint256 members, uint256[] memory mask, uint256 member)
        internal
        pure
        returns (bool)
    {
        _requireMaskLength(members, mask);
        if (member >= members) revert NoSuchMember(member);
        return mask[member / MASK_WORD_BITS] >> (member % MASK_WORD_BITS) & 1 == 1;
    }

    // ------------------------------------------------------------------------------ Translations

    /// @notice The set with this root holds the very members of a chain's commitment (`muster translate`).
    /// @dev Whether a key is one for translations, and of which commitment, its name says and nothing else: inputs of
    /// `ofPlain` are equally many.
    /// @param root Root of the set, as the proof's maker has it: true if the proof holds.
    /// @param commitment The chain's hash, which you know from the chain.
    /// @param members How many they are. True if the proof holds.
    /// @param total What they weigh together. True if the proof holds.
    function ofTranslation(uint256 root, bytes32 commitment, uint256 members, uint256 total)
        internal
        pure
        returns (uint256[] memory inputs)
    {
        if (root == 0 || root >= SCALAR_MODULUS) revert RootOutOfRange(root);
        // Each member weighs something.
        if (total == 0 || total >> THRESHOLD_BITS != 0) revert TotalOutOfRange(total);
        if (members == 0 || members > total) revert MembersOutOfRange(members);
        inputs = new uint256[](5);
        inputs[0] = root;
        _putHalves(inputs, 1, uint256(commitment));
        (inputs[3], inputs[4]) = (members, total);
    }

    // ------------------------------------------------------------------------------ Parts

    /// @dev Root, threshold, and room for what follows. The circuit checks the threshold's bounds, too,
    /// but a root or a threshold out of its range is a mistake of the caller, such as a variable that was
    /// never set or two arguments in the wrong order, and no verdict on a proof.
    function _begin(uint256 root, uint256 threshold, uint256 more)
        private
        pure
        returns (uint256[] memory inputs)
    {
        if (root == 0 || root >= SCALAR_MODULUS) revert RootOutOfRange(root);
        if (threshold == 0 || threshold >> THRESHOLD_BITS != 0) {
            revert ThresholdOutOfRange(threshold);
        }
        inputs = new uint256[](MESSAGE + more);
        inputs[0] = root;
        inputs[1] = threshold;
    }

    /// @dev Two words of 128 bits, the higher one first.
    function _putHalves(uint256[] memory inputs, uint256 place, uint256 word) private pure {
        inputs[place] = word >> 128;
        inputs[place + 1] = word & type(uint128).max;
    }

    function _putBn254(uint256[] memory inputs, uint256 place, uint256 number, uint256 index)
        private
        pure
    {
        if (number >= BN254_PRIME) revert CoordinateOutOfRange(index);
        _putHalves(inputs, place, number);
    }

    /// @dev Three words of 128 bits, the highest one first. The prime has 381 bits, so its higher word
    /// bounds the first.
    function _putBls12381(
        uint256[] memory inputs,
        uint256 place,
        uint256 high,
        uint256 low,
        uint256 index
    ) private pure {
        bool isBelow = high < BLS12381_PRIME_HIGH
            || (high == BLS12381_PRIME_HIGH && low < BLS12381_PRIME_LOW);
        if (!isBelow) revert CoordinateOutOfRange(index);
        inputs[place] = high;
        _putHalves(inputs, place + 1, low);
    }

    function _requireMaskLength(uint256 members, uint256[] memory mask) private pure {
        if (members == 0 || members > MAX_MASKED) revert MembersOutOfRange(members);
        uint256 expected = (members + MASK_WORD_BITS - 1) / MASK_WORD_BITS;
        if (mask.length != expected) revert WrongMaskLength(expected, mask.length);
    }
}
