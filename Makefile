# Each line is a command that a person could type.

.PHONY: test test-slow flaky mutants contracts generated bridge farm slurm bench lint demo

# npm first: with a compiler at hand, the Rust tests build the contracts again and compare. Needs Node.
test:
	cd contracts && npm ci
	cargo test --workspace
	cd contracts && npm test

# What takes minutes: whole imports, larger circuits.
test-slow:
	cargo test --release --workspace -- --ignored --nocapture --skip measure

# Looks for tests that fail by chance: 20 rounds, each with its own seed.
flaky:
	.ci/flaky

# Drops every constraint once and lists what no forged witness notices, and in gadgets/golden/noticed.json which test
# noticed each. Takes 40 minutes on two cores; see mutants/README.md.
mutants:
	cargo run -p muster-mutants --

# The Solidity contracts alone; needs Node.
contracts:
	cd contracts && npm ci && npm test

# Remakes contracts/generated after a change of the circuit or of the generator; needs Node.
generated:
	cargo build --release
	cd contracts && npm ci
	contracts/tools/generate target/release/muster $(SRS_DIR)
	MUSTER_UPDATE_GOLDEN=1 cargo test -p muster-evm the_code_of_the_contracts
	MUSTER_UPDATE_GOLDEN=1 cargo test -p muster-evm the_gas_report

# The life of a bridge on a local chain; needs Node.
bridge:
	$(MAKE) -C examples/bridge

# The first minutes with a farm, with Temporal's server if its command line is here; needs Node.
farm:
	cargo build --workspace
	.ci/farm target/debug

# A sweep on a Slurm of its own, with this machine as its one node; needs root and Debian's slurm-wlm.
slurm:
	cargo build --workspace
	.ci/slurm target/debug/muster

bench:
	cargo bench -p muster-benches

lint:
	cargo fmt --all --check
	for folder in fuzz benches/peers benches/pvss-peers benches/threshold-peers; do \
		cargo update --workspace --locked --manifest-path $$folder/Cargo.toml || exit 1; done
	cargo clippy --workspace --all-targets -- -D warnings
	cargo clippy -p muster-gadgets --no-default-features -- -D warnings
	cargo clippy -p muster-prover --no-default-features -- -D warnings
	cargo clippy -p muster-evm --no-default-features -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps

demo:
	cargo run --release -- demo
