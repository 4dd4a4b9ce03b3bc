// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterPoseidon} from "./MusterPoseidon.sol";

/// @title The roots of committees that are known by their addresses.
/// @notice Computes what `muster root` prints for a committee of up to 32 addresses (`ecdsa-secp256k1` with
/// `--keys address`) and keeps it by the Keccak-256 of the list: whoever knows the hash, such as a light client that
/// took it from a signed message, then knows the root, and needs no trust in whoever registered it.
///
/// ```
/// leaf  = Poseidon(tag "muster.leaf.v1"; a0, a1, a2, a3, w0 + w1 2^64 + w2 2^128 + w3 2^192)
/// node  = Poseidon(tag 0; five children)
/// root  : the leaves in the order of the list, four members each, then empty leaves up to 5^depth
/// ```
///
/// The depth is that of the key's trees (`muster root --keys` prints it): 1 for keys for up to 20
/// members, 2 for up to 100, 3 for up to 500, 4 for up to 2,500. Zero and duplicates are refused, as by `muster root`.
/// `muster root` also refuses addresses of keys whose secrets everybody knows; a contract has no list of them.
/// @dev Nobody owns it, and entries never change: they say what is true of a list.
contract KeySetRegistry {
    /// @notice What a root commits to, besides its list.
    struct KeySet {
        /// The root; zero if the list was never registered with this depth.
        uint256 root;
        /// The sum of all weights, which quorums refer to.
        uint64 totalWeight;
    }

    /// @dev What is registered.
    struct List {
        address[] members;
        uint64[] weights;
        uint256 depth;
    }

    /// @custom:storage-location erc7201:muster.storage.KeySetRegistry
    struct State {
        mapping(bytes32 => mapping(uint256 => KeySet)) sets;
    }

    /// @notice The most members of a list.
    uint256 public constant MAX_MEMBERS = 32;
    /// @notice The greatest depth of a tree.
    uint256 public constant MAX_DEPTH = 4;

    /// @dev The ASCII of "muster.leaf.v1".
    uint256 private constant LEAF_TAG = 0x6d75737465722e6c6561662e7631;
    /// @dev Members of a leaf, children of a node.
    uint256 private constant LEAF = 4;
    uint256 private constant ARITY = 5;
    uint256 private constant WEIGHT_BITS = 60;

    /// @dev Roots of the trees without members, by their depth.
    uint256 private constant EMPTY_0 =
        0x296d4622f196f1d308ce87f3b7a4430b4838aec9c89430007ce0cd04d6bc3696;
    uint256 private constant EMPTY_1 =
        0x265d306ebdba58c9d630c7965b9fa0f0a081249ba9a8c0beaf97bee8fecb2f28;
    uint256 private constant EMPTY_2 =
        0x1e9851d90ef45768bd83909e477083bdfee1619706562a45032507b92cf618dc;
    uint256 private constant EMPTY_3 =
        0x29b9bbe8c3aa52da4b0ca9f219a4c0cde0d60d56002508679affa7afe73b2ef1;

    /// @dev keccak256(abi.encode(uint256(keccak256("muster.storage.KeySetRegistry")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant STATE_SLOT =
        0xee7094b2e834bf661b3df073d364f332248b98136e94d522ee08b12994ec8c00;

    /// @notice This root holds exactly this list.
    event KeySetRegistered(
        bytes32 indexed commitment, uint256 indexed root, uint256 indexed depth, uint64 totalWeight
    );

    /// @notice No members, or more than 32.
    error WrongNumberOfMembers(uint256 members);
    /// @notice Weights for more or fewer members than there are.
    error WrongNumberOfWeights(uint256 expected, uint256 actual);
    /// @notice A depth of 0 or above 4, or one that leaves no room for so many members.
    error WrongDepth(uint256 depth);
    /// @notice This member is the address zero, which stands for nobody.
    error ZeroAddress(uint256 member);
    /// @notice This member has the address of another one before it.
    error DuplicateMember(uint256 member);
    /// @notice This member has a weight of 0, or of 2^60 or more; or all up to it have 2^60 together.
    error WeightOutOfRange(uint256 member);

    /// @notice Keeps the root of a list. To register it twice is to register it once.
    /// @param members The addresses, in the order of the committee.
    /// @param weights What each counts for; none if each counts for 1.
    /// @param depth Depth of the tree.
    /// @return The root, as `muster root` prints it, and the sum of the weights.
    function register(address[] calldata members, uint64[] calldata weights, uint256 depth)
        external
        returns (KeySet memory)
    {
        return _register(List(members, weights, depth));
    }

    /// @notice What was registered for a list; all of it is zero if nothing was.
    /// @param commitment What `commitmentOf` gives: without weights, keccak256(abi.encodePacked(members)).
    /// @param depth Depth of the tree.
    function keySet(bytes32 commitment, uint256 depth) public view returns (KeySet memory) {
        return _state().sets[commitment][depth];
    }

    /// @notice How a list is known here.
    /// @dev Without weights, the Keccak-256 of the addresses, each in a word. With them, that of two hashes, of the
    /// addresses and of the weights: no two addresses have these for words.
    function commitmentOf(address[] memory members, uint64[] memory weights)
        public
        pure
        returns (bytes32)
    {
        bytes32 list = keccak256(abi.encodePacked(members));
        if (weights.length == 0) return list;
        return keccak256(abi.encode(list, keccak256(abi.encodePacked(weights))));
    }

    /// @notice What would be registered.
    function compute(address[] calldata members, uint64[] calldata weights, uint256 depth)
        external
        pure
        returns (KeySet memory)
    {
        return _compute(List(members, weights, depth));
    }

    // ------------------------------------------------------------------------------ Parts

    function _state() private pure returns (State storage state) {
        assembly ("memory-safe") {
            state.slot := STATE_SLOT
        }
    }

    function _register(List memory list) private returns (KeySet memory set) {
        bytes32 commitment = commitmentOf(list.members, list.weights);
        set = keySet(commitment, list.depth);
        if (set.root != 0) return set;
        set = _compute(list);
        _state().sets[commitment][list.depth] = set;
        emit KeySetRegistered(commitment, set.root, list.depth, set.totalWeight);
    }

    function _compute(List memory list) private pure returns (KeySet memory set) {
        uint256 count = list.members.length;
        if (count == 0 || count > MAX_MEMBERS) revert WrongNumberOfMembers(count);
        // A depth of 2 has room for 100.
        uint256 depth = list.depth;
        if (depth == 0 || depth > MAX_DEPTH || (depth == 1 && count > LEAF * ARITY)) {
            revert WrongDepth(depth);
        }
        _requireDistinct(list.members);
        set.totalWeight = _weigh(list);
        bytes memory table = MusterPoseidon.constants();
        set.root = _root(table, _leaves(table, list), depth);
    }

    /// @dev A member above all before it is none of them, so each member of a sorted list is compared once.
    function _requireDistinct(address[] memory members) private pure {
        address greatest = address(0);
        for (uint256 i = 0; i < members.length; ++i) {
            address member = members[i];
            if (member == address(0)) revert ZeroAddress(i);
            if (member > greatest) greatest = member;
            else if (_isAmong(members, i, member)) revert DuplicateMember(i);
        }
    }

    /// @dev Whether one of the first members is this one.
    function _isAmong(address[] memory members, uint256 count, address member)
        private
        pure
        returns (bool found)
    {
        assembly ("memory-safe") {
            let at := add(members, 32)
            for { let end := add(at, shl(5, count)) } lt(at, end) { at := add(at, 32) } {
                found := or(found, eq(mload(at), member))
            }
        }
    }

    /// @dev The sum of the weights; where there are none, each gets one.
    function _weigh(List memory list) private pure returns (uint64 total) {
        uint256 count = list.members.length;
        bool areGiven = list.weights.length != 0;
        if (!areGiven) list.weights = new uint64[](count);
        if (list.weights.length != count) {
            revert WrongNumberOfWeights(count, list.weights.length);
        }
        for (uint256 i = 0; i < count; ++i) {
            if (!areGiven) list.weights[i] = 1;
            uint64 weight = list.weights[i];
            if (weight == 0 || weight >> WEIGHT_BITS != 0) revert WeightOutOfRange(i);
            // Both are far below 2^63.
            total += weight;
            if (total >> WEIGHT_BITS != 0) revert WeightOutOfRange(i);
        }
    }

    /// @dev The hashes of the leaves with members.
    function _leaves(bytes memory table, List memory list)
        private
        pure
        returns (uint256[] memory leaves)
    {
        uint256 count = list.members.length;
        leaves = new uint256[]((count + LEAF - 1) / LEAF);
        uint256[6] memory lanes;
        for (uint256 member = 0; member < count; ++member) {
            uint256 place = member % LEAF;
            if (place == 0) lanes = [LEAF_TAG, 0, 0, 0, 0, 0];
            lanes[1 + place] = uint160(list.members[member]);
            lanes[5] |= uint256(list.weights[member]) << 64 * place;
            if (place + 1 == LEAF || member + 1 == count) {
                leaves[member / LEAF] = MusterPoseidon.hash(table, lanes);
            }
        }
    }

    /// @dev The root over these leaves and empty ones.
    function _root(bytes memory table, uint256[] memory level, uint256 depth)
        private
        pure
        returns (uint256)
    {
        uint256 length = level.length;
        for (uint256 height = 0; height < depth; ++height) {
            for (uint256 first = 0; first < length; first += ARITY) {
                uint256[6] memory lanes;
                for (uint256 i = 0; i < ARITY; ++i) {
                    lanes[1 + i] = first + i < length ? level[first + i] : _empty(height);
                }
                level[first / ARITY] = MusterPoseidon.hash(table, lanes);
            }
            length = (length + ARITY - 1) / ARITY;
        }
        return level[0];
    }

    /// @dev The root of a tree without members.
    function _empty(uint256 height) private pure returns (uint256) {
        if (height == 0) return EMPTY_0;
        if (height == 1) return EMPTY_1;
        return height == 2 ? EMPTY_2 : EMPTY_3;
    }
}
