"""Long work, other threads and Ctrl-C."""

import os
import signal
import threading
import time
import unittest

import muster_zk
from muster_zk import Shape

from support import SCHEME, keys, sampled

# Large enough to last for a while, in any build.
LONG = Shape(SCHEME, 4, 2, degree=16)


class Long(unittest.TestCase):
    def test_other_threads_go_on(self) -> None:
        """The other thread counts while constraints are checked, which holding the interpreter's lock would not let it."""
        counted: list[float] = []
        done = threading.Event()

        def count() -> None:
            while not done.wait(0.001):
                counted.append(time.monotonic())

        thread = threading.Thread(target=count)
        thread.start()
        committee, signatures = sampled()
        began = time.monotonic()
        muster_zk.check(committee, signatures, 2, shape=LONG)
        ended = time.monotonic()
        done.set()
        thread.join()
        self.assertGreater(sum(began < moment < ended for moment in counted), 2)

    def test_ctrl_c_ends_the_wait(self) -> None:
        # A shell that starts the tests in the background has them ignore the signal.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        pressed = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
        pressed.start()
        with self.assertRaises(KeyboardInterrupt):
            muster_zk.Keys.make(LONG, insecure=True)
        pressed.join()
        # Nothing is held by what was left alone.
        self.assertEqual(keys().shape.slots, 2)

    def test_threads_prove_with_the_same_keys(self) -> None:
        committee, signatures = sampled()
        proofs: list[muster_zk.Proof] = []
        threads = [
            threading.Thread(target=lambda: proofs.append(keys().prove(committee, signatures, 2)))
            for _ in range(2)
        ]
        with self.assertRaisesRegex(muster_zk.BadInput, 'memory: "most" is neither low nor fast'):
            keys().prepare("most")
        keys().prepare(memory="fast")
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(proofs), 2)


if __name__ == "__main__":
    unittest.main()
