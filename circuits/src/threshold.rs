//! The k-of-n circuit, generic over the scheme: what fills it, and what it records.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    AssignedValue,
    QuantumCell::{Constant, Existing, Witness},
};
use muster_gadgets::{
    membership::{
        mask::{assert_mask, complement},
        signers::{lay_out_set, look_up_keys, KeySetShape, PathSigners, SetShape},
        AssignedWhole,
    },
    signature::{
        foreign::ExceptionalCase,
        instructions::{
            AddsKeys, AllButAbsent, AssignedClaim, AssignedSigner, NativeInstructions, Padding,
            PaddingInstructions, SignatureInstructions,
        },
    },
};
use muster_gates::{
    chain, edwards::Wanted, range::PASSING_AMOUNT_BITS, AssignedMember, GateCircuit, GateContext,
    Gates, Usage,
};
use muster_schemes::{
    membership::{Leaf, LeafFormat, MemberPath, MerklePath, Whole, TOTAL_WEIGHT_BITS},
    signature::SignatureScheme,
};

use crate::{
    scheme::SchemeVisitor,
    shape::{Shape, MAX_SLOTS},
    statement::{Statement, KEY_SET_ROOT, MESSAGE, THRESHOLD},
};

/// One slot's part of the witness.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slot<K> {
    /// Index of the member; an unused slot has the capacity plus its own number. If there is a path, the
    /// circuit takes the index from it.
    pub(crate) index: u64,
    /// The member's key, however much of it the leaf holds.
    pub(crate) public_key: K,
    /// The member's weight; 0 for an unused slot.
    pub(crate) weight: u64,
    /// The path to the root, in modes with paths.
    pub(crate) path: Option<MemberPath>,
}

impl<K> Slot<K> {
    /// Slot `number`, unused. `leaf_key` is what a leaf would hold of `public_key`, which is no
    /// member's.
    pub(crate) fn unused(shape: &Shape, number: usize, public_key: K, leaf_key: &[Fr]) -> Self {
        let mut leaf = shape.scheme.leaf_format().empty();
        leaf.keys[0] = leaf_key.to_vec();
        let levels = vec![vec![Fr::zero(); shape.arity]; shape.depth];
        let path = MemberPath { leaf, position: 0, path: MerklePath { index: 0, levels } };
        let path = shape.mode.is_by_path().then_some(path);
        Self { index: (shape.capacity + number) as u64, public_key, weight: 0, path }
    }
}

/// Everything that fills a circuit: keys `K`, signatures `G`, a message `M`. Nothing here is known to
/// be right.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Inputs<K, G, M> {
    pub(crate) key_set_root: Fr,
    pub(crate) threshold: u64,
    pub(crate) message: M,
    /// One per slot, the used ones first, by increasing index.
    pub(crate) slots: Vec<Slot<K>>,
    /// One per slot, or a single one for an aggregate scheme.
    pub(crate) signatures: Vec<G>,
    /// As many leaves as the shape has room for; empty in modes with paths.
    pub(crate) leaves: Vec<Leaf>,
    /// What the root commits to, for a set whose keys add up.
    pub(crate) whole: Whole,
    /// In a mode that holds the absent, the key of all who are in no slot, less that of padding in each unused slot.
    pub(crate) rest: Option<K>,
    /// What a leaf would hold of the key of an unused slot.
    pub(crate) unused_key: Vec<Fr>,
    /// The words of the mask, if the shape has one.
    pub(crate) mask: Vec<Fr>,
}

/// The inputs that fill the circuit of a scheme.
pub(crate) type InputsOf<S> = Inputs<
    <S as NativeInstructions>::RawKey,
    <S as NativeInstructions>::RawSignature,
    <S as SignatureScheme>::Message,
>;

impl<K: Clone, G: Clone, M> Inputs<K, G, M> {
    /// Every slot unused and no leaf.
    pub(crate) fn unused<S>(shape: &Shape, scheme: &S, message: M) -> Self
    where
        S: PaddingInstructions<RawKey = K, RawSignature = G, Message = M>,
    {
        let inputs = Self {
            key_set_root: Fr::zero(),
            threshold: 1,
            message,
            slots: vec![],
            signatures: vec![],
            leaves: vec![],
            whole: Whole::default(),
            rest: None,
            unused_key: vec![],
            mask: vec![],
        };
        inputs.padded(shape, scheme)
    }

    /// Pads slots, signatures, leaves and mask words, and takes the key of padding for the rest if there
    /// is none.
    pub(crate) fn padded<S>(mut self, shape: &Shape, scheme: &S) -> Self
    where
        S: PaddingInstructions<RawKey = K, RawSignature = G, Message = M>,
    {
        let padding = scheme.padding(&self.message, 0).expect("there is a first signer");
        let Padding { key, leaf_key, signature } = padding;
        let unused = self.slots.len()..shape.slots;
        let unused = unused.map(|number| Slot::unused(shape, number, key.clone(), &leaf_key));
        self.slots.extend(unused);
        if shape.mode.holds_absent() {
            self.rest.get_or_insert(key);
        }
        self.signatures.resize(if S::AGGREGATE { 1 } else { shape.slots }, signature);
        self.unused_key = leaf_key;
        let format = shape.scheme.leaf_format();
        let leaves = shape.capacity.div_ceil(format.members());
        self.leaves.resize(if shape.mode.is_by_path() { 0 } else { leaves }, format.empty());
        self.mask.resize(shape.mask_inputs().len(), Fr::zero());
        self
    }
}

impl Shape {
    /// Rows and cells that the circuit uses, whatever its columns. They are counted by the code that fills the circuit, less
    /// its arithmetic: what is recorded depends on the shape alone, so the count is that of every filled circuit.
    ///
    /// # Panics
    ///
    /// For a shape that [`Self::check`] refuses.
    pub fn usage(&self) -> Usage {
        self.unused_circuit(Gates::total(&self.layout)).gates.usage()
    }

    /// The circuit with every slot unused and no leaf, recorded by `gates`.
    pub(crate) fn unused_circuit(&self, gates: Gates) -> GateCircuit {
        struct Unused<'a>(&'a Shape, Gates);

        impl SchemeVisitor for Unused<'_> {
            type Output = GateCircuit;

            fn visit<S: SignatureInstructions>(self, scheme: S) -> GateCircuit {
                let Self(shape, gates) = self;
                let inputs = Inputs::unused(shape, &scheme, S::Message::default());
                record(shape, &scheme, &inputs, gates).0
            }
        }

        self.suite().expect("the shape was checked").visit(Unused(self, gates))
    }
}

/// The circuit of `shape`, filled with `inputs`, right or wrong; and whether there is a witness for the signatures.
pub(crate) fn record<S: SignatureInstructions>(
    shape: &Shape,
    scheme: &S,
    inputs: &InputsOf<S>,
    mut gates: Gates,
) -> (GateCircuit, Result<(), ExceptionalCase>) {
    let verdict = build(&mut gates.context(), shape, scheme, inputs);
    let circuit = GateCircuit::of(&shape.layout, gates);
    (circuit.with_public_inputs(shape.public_inputs()), verdict)
}

/// Fills the circuit. Its first cells are the public inputs, in order.
///
/// # Errors
/// [`ExceptionalCase`] if there is no witness for these signatures. The constraints recorded are the same.
fn build<S: SignatureInstructions>(
    ctx: &mut GateContext,
    shape: &Shape,
    scheme: &S,
    inputs: &InputsOf<S>,
) -> Result<(), ExceptionalCase> {
    let InputsOf::<S> { key_set_root, threshold, message, .. } = inputs;
    let statement = Statement {
        key_set_root: *key_set_root,
        threshold: *threshold,
        message: scheme.stated(message),
        signers: None,
    };
    let public = [statement.public_inputs(), inputs.mask.clone()].concat();
    let public = ctx.assign_witnesses(public);
    let (key_set_root, threshold) = (public[KEY_SET_ROOT], public[THRESHOLD]);
    let adds_keys = scheme.adds_keys();
    let open = |_: &dyn AddsKeys<S>| AssignedWhole::open(ctx, key_set_root, &inputs.whole);
    let whole = adds_keys.map(open);
    let tree = whole.map_or(key_set_root, |whole| whole.tree);
    let is_named = adds_keys.is_none();
    if is_named && !shape.mode.is_by_path() {
        let Shape { arity, depth, capacity, slots, .. } = *shape;
        let unused_name = || Witness(inputs.unused_key[0]);
        let unused_name = scheme.padding_name().map_or_else(unused_name, Constant);
        let set = SetShape { arity, depth, capacity, unused: slots, unused_name };
        lay_out_set(ctx, tree, &inputs.leaves, &set);
    }
    let keys: Vec<_> = inputs.slots.iter().map(|slot| slot.public_key.clone()).collect();
    let keys = scheme.assign_keys(ctx, &keys);
    let slots = Slots { shape, scheme, slots: &inputs.slots, keys: &keys };
    let found = match adds_keys {
        Some(adds_keys) => slots.find_keys(ctx, adds_keys, tree, &inputs.leaves),
        None if shape.mode.is_by_path() => slots.follow_paths(ctx, tree),
        None => slots.look_up(ctx),
    };
    let weights: Vec<_> = found.iter().map(AssignedMember::weight).collect();
    let member = |(public_key, weight): (_, &_)| AssignedSigner { public_key, weight: *weight };
    let members: Vec<_> = keys.into_iter().zip(&weights).map(member).collect();
    let words = shape.mask_inputs();
    let message = scheme.assign_message(ctx, &public[MESSAGE..words.start], message);
    let claim = AssignedClaim { key_set_root, message };
    let signatures = &inputs.signatures;
    let absent_of = whole.filter(|_| shape.mode.holds_absent());
    let verdict = match absent_of.zip(adds_keys) {
        Some((whole, adds_keys)) => {
            let key = inputs.rest.as_ref().expect("all inputs are there");
            let rest = AllButAbsent { whole: whole.key, key };
            adds_keys.assert_verify_rest(ctx, &claim, &rest, &members, signatures)
        }
        None => scheme.assert_verify_all(ctx, &claim, &members, signatures),
    };
    // Comes last: the verifying keys in users' hands depend on the order.
    assert_weight(ctx, &weights, absent_of.map(|whole| whole.weight), threshold);
    if shape.mask {
        let words = &public[words];
        let in_slots = match absent_of {
            Some(whole) => complement(ctx, (words, shape.capacity), whole.members),
            None => words.to_vec(),
        };
        assert_mask(ctx, (&in_slots, shape.capacity), &found);
    }
    verdict
}

/// The keys in all slots, which have to be shown to be those of members. Each method does that by indices that increase
/// from slot to slot, and returns the members.
struct Slots<'a, S: SignatureInstructions> {
    shape: &'a Shape,
    scheme: &'a S,
    slots: &'a [Slot<S::RawKey>],
    keys: &'a [S::AssignedKey],
}

impl<S: SignatureInstructions> Slots<'_, S> {
    /// Looks up each key's name in the set of its lane.
    fn look_up(&self, ctx: &mut GateContext) -> Vec<AssignedMember> {
        let Self { shape, scheme, slots, keys } = *self;
        let share = keys.len() / ctx.chips.edwards.lanes();
        let mut wanted = vec![];
        for (slot, key) in slots.iter().zip(keys) {
            let x = scheme.name(ctx, key);
            wanted.push(Wanted { index: Fr::from(slot.index), x, weight: Fr::from(slot.weight) });
        }
        let lanes: Vec<_> = wanted.chunks(share).map(<[_]>::to_vec).collect();
        ctx.chips.edwards.look_up(ctx, index_bits(shape), &lanes)
    }

    /// Follows the path of each key's name to the root.
    fn follow_paths(&self, ctx: &mut GateContext, root: AssignedValue<Fr>) -> Vec<AssignedMember> {
        let Self { shape, scheme, slots, keys } = *self;
        let mut signers = PathSigners::new(root, (shape.arity, shape.depth), LeafFormat::Names);
        for (slot, key) in slots.iter().zip(keys) {
            let path = slot.path.as_ref().expect("each slot brings a path");
            let name = scheme.name(ctx, key);
            signers.follow(ctx, name, path);
        }
        signers.members(ctx, index_bits(shape))
    }

    /// Finds each whole key, where leaves hold whole keys: in the set or by its path. The keys are added up afterwards,
    /// so it matters which key an unused slot has.
    fn find_keys(
        &self,
        ctx: &mut GateContext,
        adds_keys: &dyn AddsKeys<S>,
        tree: AssignedValue<Fr>,
        leaves: &[Leaf],
    ) -> Vec<AssignedMember> {
        let Self { shape, slots, keys, .. } = *self;
        let Shape { arity, depth, capacity, .. } = *shape;
        let (format, unused_key) = (adds_keys.leaf_format(), adds_keys.unused_key());
        let entries = ctx.each(slots.iter().zip(keys), |ctx, (slot, key)| {
            adds_keys.assign_entry(ctx, key, slot.weight)
        });
        let bits = index_bits(shape);
        if shape.mode.is_by_path() {
            let mut signers = PathSigners::new(tree, (arity, depth), LeafFormat::Keys(format));
            let paths =
                slots.iter().map(|slot| slot.path.as_ref().expect("each slot brings a path"));
            let followed: Vec<_> = entries.iter().zip(paths).collect();
            signers.follow_keys(ctx, (format, &unused_key), &followed);
            return signers.members(ctx, bits);
        }
        let (unused, unused_key) = (shape.slots, &unused_key[..]);
        let set = KeySetShape { format, arity, depth, capacity, unused, unused_key };
        let indices = slots.iter().map(|slot| Fr::from(slot.index));
        let wanted: Vec<_> = indices.zip(entries).collect();
        look_up_keys(ctx, tree, leaves, &set, bits, &wanted)
    }
}

/// Bits of the indices that order slots, with one to spare.
pub(crate) fn index_bits(shape: &Shape) -> usize {
    let room = if shape.mode.is_by_path() {
        let in_leaf = shape.scheme.leaf_format().members().next_power_of_two().ilog2() as usize;
        shape.depth * (shape.arity.ilog2() as usize + 1) + in_leaf
    } else {
        shape.capacity.ilog2() as usize + 1
    };
    room.max(shape.slots.ilog2() as usize + 1) + 1
}

/// Bits of the sum of all weights, of which there are fewer than `2·MAX_SLOTS`.
const SUM_BITS: usize = PASSING_AMOUNT_BITS + MAX_SLOTS.ilog2() as usize + 1;
const _: () = assert!(SUM_BITS + 2 < Fr::NUM_BITS as usize, "no sum of weights wraps");

/// Constrains `1 ≤ threshold ≤ Σ weights` or, if the weights are those of the absent, `threshold ≤ total - Σ weights`
/// with the total weight of the set. Weights pass as amounts, so they are below `2^61`, and there are fewer than 2^15
/// of them (2^14, rounded up to an even batch): their sum stays below `2^76`. The threshold minus 1 and the surplus are
/// below `2^60`, rounded up to whole lookups: below `2^75`. So nothing wraps around the native prime, and both
/// differences are those of integers. Nor does `total = threshold + surplus + Σ weights` wrap, where the root commits
/// to the total. An honest surplus passes: [`KeySet`](muster_schemes::membership::KeySet) bounds the weight of a whole
/// set.
///
/// # Panics
/// If there are `2·MAX_SLOTS` weights or more.
pub(crate) fn assert_weight(
    ctx: &mut GateContext,
    weights: &[AssignedValue<Fr>],
    total: Option<AssignedValue<Fr>>,
    threshold: AssignedValue<Fr>,
) {
    let one = Constant(Fr::one());
    let bits = TOTAL_WEIGHT_BITS as usize;
    assert!(weights.len() < 2 * MAX_SLOTS, "there are few weights");
    assert!(ctx.range.rounded(bits) + 2 < Fr::NUM_BITS as usize, "no difference wraps");
    let (start, sign) = match total {
        None => (Constant(Fr::zero()), one),
        Some(total) => (Existing(total), Constant(-Fr::one())),
    };
    let weights: Vec<_> = weights.iter().map(|weight| (sign, Existing(*weight))).collect();
    let signing = chain::sum(ctx, start, &weights);
    let above_zero = ctx.range.check(Witness(*threshold.value() - Fr::one()), bits);
    chain::assert_sum(ctx, one, &[(one, Existing(above_zero))], Existing(threshold));
    let surplus = ctx.range.check(Witness(*signing.value() - threshold.value()), bits);
    chain::assert_sum(ctx, Existing(threshold), &[(one, Existing(surplus))], Existing(signing));
}
