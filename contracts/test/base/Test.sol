// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @dev The cheatcodes of forge that these tests use.
interface Vm {
    struct DirEntry {
        string errorMessage;
        string path;
        uint64 depth;
        bool isDir;
        bool isSymlink;
    }

    function assume(bool condition) external pure;
    function chainId(uint256 id) external;
    function load(address target, bytes32 slot) external view returns (bytes32 word);
    function etch(address target, bytes calldata code) external;
    function mockCall(address target, bytes calldata input, bytes calldata output) external;
    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function snapshotState() external returns (uint256 id);
    function revertToState(uint256 id) external returns (bool success);
    function expectRevert() external;
    function expectRevert(bytes calldata revertData) external;
    function expectEmit() external;
    function expectEmit(address emitter) external;
    function readFile(string calldata path) external view returns (string memory);
    function readDir(string calldata path) external view returns (DirEntry[] memory);
    function exists(string calldata path) external view returns (bool);
    function trim(string calldata text) external pure returns (string memory);
    function parseBytes(string calldata text) external pure returns (bytes memory);
    function keyExistsJson(string calldata json, string calldata key) external view returns (bool);
    function parseJsonUint(string calldata json, string calldata key)
        external
        pure
        returns (uint256);
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
    function parseJsonAddress(string calldata json, string calldata key)
        external
        pure
        returns (address);
    function toString(uint256 value) external pure returns (string memory);
}

/// @dev Everything these tests need of a test library, so that none has to be fetched.
abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    error NotTrue(string what);
    error NotEqual(string what, bytes32 left, bytes32 right);

    function assertTrue(bool condition, string memory what) internal pure {
        if (!condition) revert NotTrue(what);
    }

    function assertFalse(bool condition, string memory what) internal pure {
        if (condition) revert NotTrue(what);
    }

    function assertEq(bytes32 left, bytes32 right, string memory what) internal pure {
        if (left != right) revert NotEqual(what, left, right);
    }

    function assertEq(uint256 left, uint256 right, string memory what) internal pure {
        assertEq(bytes32(left), bytes32(right), what);
    }

    function assertEq(address left, address right, string memory what) internal pure {
        assertEq(uint160(left), uint160(right), what);
    }

    /// @dev `value` brought between `low` and `high`, both included.
    function bound(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        uint256 size = high - low + 1;
        return size == 0 ? value : low + value % size;
    }
}
