//! Words that are read in either order of their bytes.

use super::*;
use crate::sha2::word::Order;

/// Messages of which each third word is little-endian, in two blocks, and hash values in an order.
fn compresses_in(lanes: usize, bits: usize, values: Order) {
    let mut rng = ChaCha20Rng::seed_from_u64(11);
    let blocks = [(); 2].map(|()| random_block::<Sha512>(&mut rng));
    let order = |i: usize| if i.is_multiple_of(3) { Order::Little } else { Order::Big };
    let test = TestCircuit::new(Layout { k: 14, ..Sha512::layout(lanes, bits) }, |ctx| {
        chain::<Sha512>(ctx.chips, &[[0; MESSAGE]]);
        let read = |(i, word): (usize, u64)| {
            Word::witness(ctx.range, order(i).turn(word)).in_order(order(i))
        };
        let messages = blocks.map(|words| std::array::from_fn(|i| read((i, words[i]))));
        let first = constants(Sha512::initial());
        let chip = ctx.chips.sha512();
        let compressed = chip.compress_in(ctx.range, &first, &messages, values);
        let mut state = Sha512::initial();
        for (block, value) in blocks.iter().zip(&compressed.values) {
            state = Sha512::compress(state, block);
            for (word, cell) in state.iter().zip(value) {
                assert_eq!(*cell.cell().value(), Fr::from(values.turn(*word)));
            }
        }
    });
    test.assert_satisfied();
}

#[test]
fn words_have_either_order() {
    for (lanes, bits) in [(1, 4), (2, 8), (1, 16)] {
        compresses_in(lanes, bits, Order::Little);
        compresses_in(lanes, bits, Order::Big);
    }
    compresses_in(1, 16, Order::Little);
}

/// A chain of one block of constants, with words of the message and hash values in these orders.
fn of_orders(chips: &Chips, block: [u64; MESSAGE], message: Order, values: Order) {
    let words = constants(block).map(|word: Word<Sha512>| word.in_order(message));
    let first = constants(Sha512::initial());
    chips.sha512().compress_in(&chips.range, &first, &[words], values);
}

/// The same bits, read in the other order: what the words are bound to by their own sums refuses it.
#[test]
fn the_other_reading_of_a_word_is_refused() {
    let mut rng = ChaCha20Rng::seed_from_u64(12);
    let block = random_block::<Sha512>(&mut rng);
    for bits in [4, 8, 16] {
        for (order, other) in [(Order::Little, Order::Big), (Order::Big, Order::Little)] {
            let mut test = circuit::<Sha512>(bits, |chips| of_orders(chips, block, order, order));
            test.assert_satisfied();
            // The same words of the message, whose bits are those of the other order.
            let messages = test.written_by(|ctx| {
                chain::<Sha512>(ctx.chips, &[[0; MESSAGE]]);
                of_orders(ctx.chips, block, other, order);
            });
            assert_eq!(test.failing(messages), ["running sum"]);
            let values = test.written_by(|ctx| {
                chain::<Sha512>(ctx.chips, &[[0; MESSAGE]]);
                of_orders(ctx.chips, block, order, other);
            });
            let failing = test.failing(values);
            assert!(failing.contains(&"words so far".to_owned()), "{failing:?}");
            assert!(!failing.contains(&Sha512::SPEC.end.to_owned()), "{failing:?}");
        }
    }
}

/// A word of a message or of a hash value as the other order has it, in its cell and where it is range-checked.
#[test]
fn a_cell_of_the_other_order_is_refused() {
    let mut rng = ChaCha20Rng::seed_from_u64(13);
    let block = random_block::<Sha512>(&mut rng);
    let mut words = vec![];
    let mut test = circuit::<Sha512>(8, |chips| {
        let first = constants(Sha512::initial());
        let chip = chips.sha512();
        let compressed = chip.compress_in(&chips.range, &first, &[constants(block)], Order::Little);
        words.extend(compressed.values[0].map(|word| word.value()));
    });
    test.assert_satisfied();
    for word in words {
        let forged = test.replace(&[(Fr::from(word.swap_bytes()), Fr::from(word))]);
        assert!(!forged.is_empty());
        assert!(test.failing(forged).contains(&"words of a hash value".to_owned()));
    }
    for word in block {
        let forged = test.replace(&[(Fr::from(word), Fr::from(word.swap_bytes()))]);
        assert!(!forged.is_empty());
        assert!(test.failing(forged).contains(&Sha512::SPEC.end.to_owned()));
    }
}
