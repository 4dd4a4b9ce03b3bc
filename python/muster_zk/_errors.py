"""What can go wrong."""


class MusterError(Exception):
    """Whatever Muster raises of its own."""


class BadInput(MusterError, ValueError):
    """An argument or a file is not what it should be; the message names it and the field.

    The command line ends with the exit status 2.
    """


class FalseStatement(MusterError):
    """The statement is false, or a proof or a signature is bad; the message has the reason.

    The command line ends with the exit status 1.
    """


class Bug(MusterError):
    """Muster is at fault; please report it, with the files."""


# They are shown by the names under which they are imported.
for _error in (MusterError, BadInput, FalseStatement, Bug):
    _error.__module__ = "muster_zk"
