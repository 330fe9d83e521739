"""The command line with a server whose log holds the same warning back for as long as it runs."""

from trueref.cli import main
from trueref_server.serving import uvicorn_server

if __name__ == "__main__":
    vars(uvicorn_server)["WARNING_SECONDS"] = float("inf")
    main()
