"""The command line with a server that waits half a second for a request to be whole, and for a client to read on.

Tests have no time for the seconds of the real server.
"""

from trueref.cli import main
from trueref_server.serving import protocol

if __name__ == "__main__":
    protocol.HEADER_SECONDS = protocol.SEND_SECONDS = 0.5
    main()
