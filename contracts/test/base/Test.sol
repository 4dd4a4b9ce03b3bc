// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @dev The cheatcodes of forge that these tests use.
interface Vm {
    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }

    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function assume(bool condition) external pure;
    function chainId(uint256 id) external;
    function warp(uint256 timestamp) external;
    function load(address target, bytes32 slot) external view returns (bytes32 word);
    function store(address target, bytes32 slot, bytes32 word) external;
    function expectRevert() external;
    function expectRevert(bytes calldata revertData) external;
    function expectPartialRevert(bytes4 selector) external;
    function expectEmit() external;
    function expectEmit(address emitter) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function envOr(string calldata name, bool byDefault) external view returns (bool);
    function envOr(string calldata name, string calldata byDefault)
        external
        view
        returns (string memory);
    function clearMockedCalls() external;
    function mockCall(address target, bytes calldata data, bytes calldata result) external;
    function mockCallRevert(address target, bytes calldata data, bytes calldata reason) external;
    function parseBytes(string calldata text) external pure returns (bytes memory);
    function etch(address target, bytes calldata code) external;
    function getRecordedLogs() external returns (Log[] memory);
    function recordLogs() external;
    function prank(address sender) external;
    function lastCallGas() external view returns (Gas memory);
    function readFile(string calldata path) external view returns (string memory);
    function contains(string calldata text, string calldata part) external pure returns (bool);
    function split(string calldata text, string calldata by) external pure returns (string[] memory);
    function parseJsonAddress(string calldata json, string calldata key)
        external
        pure
        returns (address);
    function parseJsonUint(string calldata json, string calldata key)
        external
        pure
        returns (uint256);
    function keyExistsJson(string calldata json, string calldata key) external view returns (bool);
    function parseJsonString(string calldata json, string calldata key)
        external
        pure
        returns (string memory);
    function parseJsonBool(string calldata json, string calldata key) external pure returns (bool);
    function parseJsonBytes(string calldata json, string calldata key)
        external
        pure
        returns (bytes memory);
    function parseJsonBytes32(string calldata json, string calldata key)
        external
        pure
        returns (bytes32);
    function parseJsonBytes32Array(string calldata json, string calldata key)
        external
        pure
        returns (bytes32[] memory);
    function parseJsonUintArray(string calldata json, string calldata key)
        external
        pure
        returns (uint256[] memory);
    function trim(string calldata text) external pure returns (string memory);
    function toString(bytes32 value) external pure returns (string memory);
    function toString(uint256 value) external pure returns (string memory);
    function toString(address value) external pure returns (string memory);
}

/// @dev Everything these tests need of a test library, so that none has to be fetched.
abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    event log_named_uint(string name, uint256 value);

    error NotTrue(string what);
    error NotEqual(string what, uint256 left, uint256 right);

    function assertTrue(bool condition, string memory what) internal pure {
        if (!condition) revert NotTrue(what);
    }

    function assertFalse(bool condition, string memory what) internal pure {
        if (condition) revert NotTrue(what);
    }

    function assertEq(uint256 left, uint256 right, string memory what) internal pure {
        if (left != right) revert NotEqual(what, left, right);
    }

    function assertEq(bytes32 left, bytes32 right, string memory what) internal pure {
        assertEq(uint256(left), uint256(right), what);
    }

    function assertEq(address left, address right, string memory what) internal pure {
        assertEq(uint160(left), uint160(right), what);
    }

    /// @dev `value` brought between `low` and `high`, both included.
    function bound(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        uint256 size = high - low + 1;
        return size == 0 ? value : low + value % size;
    }

    function assertBelow(uint256 left, uint256 right, string memory what) internal pure {
        if (left >= right) revert NotEqual(what, left, right);
    }
}
