//! Paper and play agree where the paper is exact, and the play does what queues, crashes and overload are known to do.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::{
    counts::{beats, transitions_alive},
    simulate, Demand, Failures, Fleet, Load, Report, Server, Shortfall, StoreLink, Trial,
};

/// Numbers by chance.
fn chance(seed: u64) -> impl FnMut() -> f64 {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    move || rng.r#gen::<f64>()
}

/// Jobs of 0.1 s that go 16 together.
fn load() -> Load {
    Load {
        prove_seconds: 0.1,
        verify_seconds: 0.001,
        proof_bytes: 8_000,
        committee_bytes: 2_000,
        signatures_bytes: 2_000,
        key_bytes: 500_000_000,
        batch: 16,
        rate: 100.0,
    }
}

/// Twenty workers that do one thing at a time, and nothing else takes time.
fn fleet() -> Fleet {
    Fleet {
        workers: 20,
        slots: 1,
        store: StoreLink { bytes_per_second: 1.25e9, request_seconds: 0.0 },
        server: Server { transitions_per_second: None, request_seconds: 0.0 },
        failures: None,
        regions: 1,
    }
}

const MINUTES: Trial = Trial { seconds: 200.0, warm_up: 40.0, is_cold: false };

fn play(load: &Load, fleet: &Fleet) -> Report {
    simulate(load, fleet, &MINUTES, chance(1)).unwrap()
}

fn paper(load: &Load, fleet: &Fleet) -> Demand {
    Demand::of(load, fleet).unwrap()
}

/// Whether two numbers differ by at most so many percent.
fn is_near(found: f64, expected: f64, percent: f64) -> bool {
    (found - expected).abs() <= expected * percent / 100.0
}

#[test]
fn paper_and_play_agree_where_nothing_fails() {
    for (seconds, batch, busy) in [(0.1, 16, 0.5), (0.1, 16, 0.9), (0.3, 16, 0.7), (7.0, 1, 0.8)] {
        let load =
            Load { prove_seconds: seconds, verify_seconds: seconds / 100.0, batch, ..load() };
        let load = Load { rate: 20.0 / seconds * busy / 1.01, ..load };
        let (paper, play) = (paper(&load, &fleet()), play(&load, &fleet()));
        assert!(is_near(paper.utilisation, busy, 0.1), "{paper:?}");
        let deviation = (load.workflows() * MINUTES.seconds).sqrt().recip();
        assert!(is_near(play.throughput, load.rate, 300.0 * deviation), "{play:?}");
        // Of what came by chance, so much work and so many transitions; what is at work at the ends is counted in part.
        let came = play.throughput / load.rate;
        assert!(is_near(play.utilisation, busy * came, 3.0), "{play:?}");
        assert!(is_near(play.transitions, paper.transitions * came, 4.0), "{paper:?} {play:?}");
        assert!(play.keeps_up() && paper.shortfalls.is_empty());
    }
}

/// A worker alone, jobs one by one: the queue that Erlang and Crommelin solved.
#[test]
fn waits_are_those_of_the_queue_with_one_server() {
    let load = Load { batch: 1, verify_seconds: 0.0, rate: 7.0, ..load() };
    let fleet = Fleet { workers: 1, ..fleet() };
    let trial = Trial { seconds: 8_000.0, ..MINUTES };
    let play = simulate(&load, &fleet, &trial, chance(2)).unwrap();
    let waited = |seconds: f64| {
        let (rate, each) = (load.rate, load.prove_seconds);
        let terms = (0..=(seconds / each) as u32).map(|k| {
            let left = seconds - f64::from(k) * each;
            (1..=k).fold((rate * left).exp(), |term, i| -term * rate * left / f64::from(i))
        });
        (1.0 - rate * each) * terms.sum::<f64>()
    };
    let part = |quantile: Option<f64>| waited(quantile.unwrap() - load.prove_seconds);
    assert!((part(play.median_seconds) - 0.5).abs() < 0.03, "{play:?}");
    assert!((part(play.p99_seconds) - 0.99).abs() < 0.006, "{play:?}");
}

#[test]
fn a_workflow_alone_takes_what_the_paper_says() {
    let far = Fleet {
        store: StoreLink { request_seconds: 0.02, ..fleet().store },
        server: Server { request_seconds: 0.01, ..fleet().server },
        ..fleet()
    };
    for (batch, slots) in [(1, 1), (16, 1), (16, 2), (16, 4)] {
        let load = Load { batch, rate: 0.2 * f64::from(batch), ..load() };
        let fleet = Fleet { slots, ..far };
        let (alone, play) = (paper(&load, &fleet).seconds_alone, play(&load, &fleet));
        assert!(
            is_near(play.median_seconds.unwrap(), alone, 0.1),
            "{batch} {slots}: {alone} {play:?}"
        );
    }
}

#[test]
fn a_store_that_is_far_away_wants_more_slots() {
    let far = StoreLink { request_seconds: 0.05, ..fleet().store };
    let (few, many) = (Fleet { store: far, ..fleet() }, Fleet { store: far, slots: 4, ..fleet() });
    let load = Load { rate: 180.0, ..load() };
    assert!(is_near(paper(&load, &few).capacity, 20.0 / 0.4, 0.1));
    assert!(is_near(play(&load, &few).throughput, 20.0 / 0.4, 3.0));
    assert!(!play(&load, &few).keeps_up());
    assert!(is_near(paper(&load, &many).capacity, 20.0 / 0.101, 0.1));
    assert!(play(&load, &many).keeps_up());
}

#[test]
fn what_dies_at_work_is_done_by_others() {
    let failures = Some(Failures { mean_seconds: 60.0, restart_seconds: 5.0 });
    let fleet = Fleet { failures, slots: 2, ..fleet() };
    let load = Load { rate: 80.0, ..load() };
    let (paper, play) = (paper(&load, &fleet), play(&load, &fleet));
    assert!(play.failures > 40, "{play:?}");
    assert!(play.in_vain > 0 && play.in_vain <= 2 * play.failures, "{play:?}");
    assert!(is_near(play.throughput, 80.0, 12.0) && play.keeps_up(), "{play:?}");
    // It is noticed after one to five seconds, and given to another one second later.
    assert!(play.retries > 0 && play.p99_seconds.unwrap() > play.median_seconds.unwrap() + 2.0);
    assert!(play.p99_seconds.unwrap() < 20.0, "{play:?}");
    let of_workflow = play.transitions / play.throughput * f64::from(load.batch);
    assert!(of_workflow > paper.transitions_of_workflow, "{paper:?} {play:?}");
    let calm = Fleet { failures: None, ..fleet };
    assert!(paper.capacity < Demand::of(&load, &calm).unwrap().capacity);
    assert!(paper.in_vain > 0.0);
}

#[test]
fn a_server_that_has_too_much_to_do_is_what_counts() {
    let limit = 60.0;
    let slow = Server { transitions_per_second: Some(limit), request_seconds: 0.0 };
    let load = Load { rate: 150.0, ..load() };
    let fleet = Fleet { server: slow, ..fleet() };
    let (paper, play) = (paper(&load, &fleet), play(&load, &fleet));
    assert_eq!(paper.shortfalls, [Shortfall::Server]);
    assert!(is_near(play.transitions, limit, 1.0), "{play:?}");
    // It begins what it cannot end, so that even less comes out than it could hand on.
    assert!(play.throughput < limit / paper.transitions_of_workflow * 16.0, "{play:?}");
    assert!(play.throughput > 0.0 && !play.keeps_up(), "{play:?}");
    let able = Server { transitions_per_second: Some(2.0 * paper.transitions), ..slow };
    let able = Fleet { server: able, ..fleet };
    assert!(simulate(&load, &able, &MINUTES, chance(1)).unwrap().keeps_up());
}

#[test]
fn more_than_the_workers_can_do_is_said() {
    let load = Load { rate: 400.0, ..load() };
    let (paper, play) = (paper(&load, &fleet()), play(&load, &fleet()));
    assert_eq!(paper.shortfalls, [Shortfall::Workers]);
    assert!(is_near(paper.workers, 40.4, 0.1), "{paper:?}");
    assert!(is_near(play.throughput, paper.capacity, 2.0), "{play:?}");
    assert!(is_near(play.growth, 400.0 - paper.capacity, 8.0) && !play.keeps_up(), "{play:?}");
    assert!(play.waiting > 40_000 && play.utilisation > 0.99, "{play:?}");
}

#[test]
fn without_workers_nothing_is_done() {
    let none = Fleet { workers: 0, ..fleet() };
    let (paper, play) = (paper(&load(), &none), play(&load(), &none));
    assert!(paper.capacity == 0.0 && paper.utilisation.is_infinite());
    assert!(paper.shortfalls.contains(&Shortfall::Workers));
    assert_eq!((play.throughput, play.median_seconds, play.utilisation), (0.0, None, 0.0));
    assert!(play.waiting > 20_000 && !play.keeps_up());
    // More regions than workers: none has any.
    let spread = Fleet { workers: 3, regions: 4, ..fleet() };
    assert_eq!(Demand::of(&load(), &spread).unwrap().capacity, 0.0);
}

#[test]
fn all_have_their_keys_when_the_paper_says() {
    let narrow = StoreLink { bytes_per_second: 125e6, ..fleet().store };
    let fleet = Fleet { store: narrow, slots: 2, ..fleet() };
    let trial = Trial { is_cold: true, ..MINUTES };
    let play = simulate(&load(), &fleet, &trial, chance(3)).unwrap();
    let paper = paper(&load(), &fleet);
    assert!(is_near(paper.cold_start, 80.0, 0.1));
    assert!(is_near(play.loaded_at.unwrap(), 80.0, 4.0), "{play:?}");
    let many = Fleet { workers: 1_000, ..fleet };
    assert!(Demand::of(&load(), &many).unwrap().shortfalls.contains(&Shortfall::ColdStart));
    // Regions share no way to a store.
    let apart = Fleet { regions: 50, ..many };
    assert!(is_near(Demand::of(&load(), &apart).unwrap().cold_start, 80.0, 0.1));
}

#[test]
fn regions_share_nothing() {
    let (one, ten) = (fleet(), Fleet { workers: 200, regions: 10, ..fleet() });
    let all = Load { rate: 10.0 * load().rate, ..load() };
    let (own, part) = (paper(&load(), &one), paper(&all, &ten));
    assert!(is_near(part.transitions, own.transitions, 0.001));
    assert!(is_near(part.capacity, 10.0 * own.capacity, 0.001));
    assert_eq!(own.utilisation_without_a_region, None);
    let others = part.utilisation_without_a_region.unwrap();
    assert!(is_near(others, part.utilisation / 0.9, 0.001));
    assert!(is_near(play(&all, &ten).throughput, play(&load(), &one).throughput, 0.001));
}

#[test]
fn the_same_numbers_are_the_same_play() {
    let failures = Some(Failures { mean_seconds: 60.0, restart_seconds: 5.0 });
    let fleet = Fleet { failures, slots: 2, ..fleet() };
    let of_seed = |seed| simulate(&load(), &fleet, &MINUTES, chance(seed)).unwrap();
    assert_eq!(of_seed(4), of_seed(4));
    assert_ne!(of_seed(4), of_seed(5));
}

#[test]
fn a_thousand_workers_are_played() {
    let load = Load { prove_seconds: 0.345, verify_seconds: 0.004, rate: 2_600.0, ..load() };
    let fleet = Fleet { workers: 1_000, slots: 2, ..fleet() };
    let trial = Trial { seconds: 60.0, warm_up: 30.0, is_cold: false };
    let play = simulate(&load, &fleet, &trial, chance(6)).unwrap();
    assert!(play.keeps_up() && is_near(play.throughput, 2_600.0, 5.0), "{play:?}");
}

#[test]
fn signs_of_life_are_counted() {
    let cases = [(0.5, 1.0, 0.0), (3.9, 1.0, 0.0), (4.1, 2.0, 0.0), (5.1, 2.0, 1.0)];
    let longer = [(8.1, 3.0, 1.0), (9.1, 3.0, 2.0), (100.1, 26.0, 24.0)];
    for (seconds, heartbeats, looks) in cases.into_iter().chain(longer) {
        assert_eq!(beats(seconds), heartbeats, "{seconds}");
        assert_eq!(transitions_alive(seconds), heartbeats + looks, "{seconds}");
    }
}

#[test]
fn requests_to_the_store_depend_on_where_inputs_are() {
    let inline = paper(&load(), &fleet()).store;
    let found = [inline.reads, inline.writes, inline.removals, inline.bytes_in, inline.bytes_out];
    assert_eq!(found, [700.0, 300.0, 200.0, 1.6e6, 1.6e6]);
    let long = Load { committee_bytes: 100_000, signatures_bytes: 70_000, ..load() };
    let stored = paper(&long, &fleet()).store;
    let found = [stored.reads, stored.writes, stored.removals, stored.bytes_in, stored.bytes_out];
    assert_eq!(found, [800.0, 500.0, 200.0, 1.86e7, 8.6e6]);
    // Inputs that are just short enough for the job make 16 jobs too long for the server.
    let full = Load { committee_bytes: 65_536, signatures_bytes: 65_536, ..load() };
    assert_eq!(paper(&full, &fleet()).shortfalls, [Shortfall::Payload]);
    let narrow = StoreLink { bytes_per_second: 1e6, request_seconds: 0.0 };
    let few = Load { key_bytes: 0, ..load() };
    let fleet = Fleet { store: narrow, ..fleet() };
    assert_eq!(paper(&few, &fleet).shortfalls, [Shortfall::Store]);
}

#[test]
fn short_jobs_go_together_as_far_as_the_server_takes_them() {
    let cases = [
        (0.06, 2_000, 16),
        (0.24, 32_768, 16),
        (0.24, 32_769, 15),
        (0.71, 2_000, 5),
        (1.99, 2_000, 2),
        (0.06, 65_536, 8),
        // These are in the store.
        (0.06, 65_537, 16),
        (2.0, 2_000, 1),
        (6.1, 0, 1),
    ];
    for (prove_seconds, bytes, together) in cases {
        let load =
            Load { prove_seconds, committee_bytes: bytes, signatures_bytes: bytes, ..load() };
        assert_eq!(load.usual_batch(), together, "{prove_seconds} {bytes}");
    }
}

#[test]
fn what_makes_no_sense_is_named() {
    let good = (load(), fleet(), MINUTES);
    let store = |bytes_per_second, request_seconds| Fleet {
        store: StoreLink { bytes_per_second, request_seconds },
        ..good.1
    };
    let failures = |mean_seconds, restart_seconds| Fleet {
        failures: Some(Failures { mean_seconds, restart_seconds }),
        ..good.1
    };
    let slow = Server { transitions_per_second: Some(0.0), request_seconds: 0.0 };
    let bad = [
        ("seconds of a proof: 0", (Load { prove_seconds: 0.0, ..good.0 }, good.1)),
        ("seconds of a proof: NaN", (Load { prove_seconds: f64::NAN, ..good.0 }, good.1)),
        ("seconds of a verification: -1", (Load { verify_seconds: -1.0, ..good.0 }, good.1)),
        ("jobs a second: inf", (Load { rate: f64::INFINITY, ..good.0 }, good.1)),
        ("jobs of a workflow: 0", (Load { batch: 0, ..good.0 }, good.1)),
        ("proofs at once: 0", (good.0, Fleet { slots: 0, ..good.1 })),
        ("proofs at once: 65", (good.0, Fleet { slots: 65, ..good.1 })),
        ("workers: 4294967295", (good.0, Fleet { workers: u32::MAX, ..good.1 })),
        ("regions: 0", (good.0, Fleet { regions: 0, ..good.1 })),
        ("bytes a second of the store: 0", (good.0, store(0.0, 0.0))),
        ("seconds of a request to the store: -1", (good.0, store(1.0, -1.0))),
        ("state transitions a second: 0", (good.0, Fleet { server: slow, ..good.1 })),
        ("seconds between failures: 0.5", (good.0, failures(0.5, 1.0))),
        ("seconds until a worker", (good.0, failures(60.0, f64::NAN))),
    ];
    for (reason, (load, fleet)) in bad {
        let found = Demand::of(&load, &fleet).unwrap_err();
        assert!(found.starts_with(reason), "{found}");
        assert_eq!(simulate(&load, &fleet, &good.2, chance(1)), Err(found));
    }
    let never = Trial { seconds: 0.0, ..MINUTES };
    let ever = Trial { seconds: f64::INFINITY, ..MINUTES };
    let long = Trial { seconds: 1e6, ..MINUTES };
    let (few, many) = (Load { rate: 1.0, ..load() }, Load { rate: 1e6, ..load() });
    for (trial, load) in [(never, few), (ever, few), (long, few), (MINUTES, many)] {
        let found = simulate(&load, &fleet(), &trial, chance(1)).unwrap_err();
        assert!(found.starts_with("seconds to play: "), "{found}");
    }
}

/// Numbers that are no chance at all do no harm.
#[test]
fn strange_numbers_end_as_well() {
    for number in [0.5, 1.0, 2.0, f64::NAN] {
        simulate(&load(), &fleet(), &MINUTES, || number).unwrap();
    }
}
