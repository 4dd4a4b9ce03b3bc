"""The process of a row: `python -m muster_zk._row ASKED` measures it and prints one JSON object."""

import signal
import sys

from ._errors import MusterError
from ._muster import sweep_row


def main() -> int:
    # Ctrl-C ends this process at once: nothing that it has is kept.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        sweep_row(sys.argv[1])
    except MusterError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
