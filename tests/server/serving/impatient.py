"""The command line with a server that waits half a second for a request to be whole: tests have no time for ten."""

from trueref.cli import main
from trueref_server.serving import protocol

if __name__ == "__main__":
    protocol.HEADER_SECONDS = 0.5
    main()
