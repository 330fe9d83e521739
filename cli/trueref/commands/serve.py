"""`trueref serve`: serves the API, and the built docs with it."""

from __future__ import annotations

import logging
from pathlib import Path

import click

from trueref.options import index_option, log_to_stderr, require_serve, settings_of


@click.command("serve")
@index_option
@click.option("--site", type=click.Path(path_type=Path), help="A built site to serve too, with the chat on every page.")
@click.option("--base", metavar="PATH", default="/", help="Path to serve it at, such as /docs/, if its links begin so.")
@click.option("--host", help="Address to listen on. Default: 127.0.0.1.")
@click.option("--port", type=int, help="Port to listen on; 0 takes a free one. Default: 8000.")
@click.option("--prefix", help="Where the API is mounted. Default: /_trueref.")
def command(
    index: Path | None, site: Path | None, base: str, host: str | None, port: int | None, prefix: str | None
) -> None:
    """Answer questions over HTTP until stopped.

    All options but --site and --base can be set by TRUEREF_* variables or in trueref.toml as well; the documentation
    lists them.
    """
    require_serve()
    if site is None and base != "/":
        raise click.UsageError("--base is where --site is served. Give --site too, or leave --base out.")
    if "://" in base or {"?", "#"} & set(base):
        raise click.UsageError(f"--base {base} is no path. Give only the path of the site's address, such as /docs/.")
    from trueref_server.serving.uvicorn_server import serve

    log_to_stderr(logging.WARNING)
    settings = settings_of(index=index, host=host, port=port, prefix=prefix)

    # Called by the server, which knows the actual port when `--port 0` takes a free one.
    def announce(address: str) -> None:
        served = f"{site} at {address}/{base.strip('/')} and its API" if site else "the API"
        click.echo(f"Serving {served} at {address}{settings.prefix}/ from {settings.index}", err=True)

    serve(settings, site=site, base=base, announce=announce)
