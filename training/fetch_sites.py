"""Fetches documentation sites from Debian's packages and indexes them.

    python training/fetch_sites.py FOLDER [NAME ...]

Of each site of `training/sites.toml`, or of those that are named, the package is unpacked into FOLDER/NAME/package, and
its site is indexed into FOLDER/NAME/index. A site that was indexed before is left as it is. Needs apt-get and dpkg-deb.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

SITES: Final = Path(__file__).with_name("sites.toml")


def fetch(folder: Path, name: str, site: dict[str, str]) -> None:
    """Unpack one site and index it.

    Args:
        folder: Where sites are kept.
        name: The name of the site.
        site: Its row of `sites.toml`.

    Raises:
        subprocess.CalledProcessError: A command failed; its own words stand on standard error.
    """
    target = folder / name
    unpacked, index = target / "package", target / "index"
    if (index / "current.json").exists():
        print(f"{name}: indexed before.")
        return
    with tempfile.TemporaryDirectory() as downloads:
        subprocess.run(["apt-get", "download", "-qq", site["package"]], cwd=downloads, check=True)
        (package,) = Path(downloads).glob("*.deb")
        unpacked.mkdir(parents=True, exist_ok=True)
        subprocess.run(["dpkg-deb", "-x", package, unpacked], check=True)
    pages = unpacked / site["folder"]
    command = [sys.executable, "-m", "trueref", "index", str(pages), "--base-url", site["base_url"]]
    subprocess.run([*command, "--index", str(index)], check=True)


def main(arguments: Sequence[str]) -> None:
    """Fetch the sites that are named, all where none is."""
    if not arguments:
        raise SystemExit(__doc__)
    folder, *names = arguments
    sites = tomllib.loads(SITES.read_text("utf-8"))
    if unknown := set(names) - set(sites):
        raise SystemExit(f"{SITES.name} has no site {', '.join(sorted(unknown))}. It has: {', '.join(sites)}.")
    for name in names or sites:
        fetch(Path(folder).absolute(), name, sites[name])


if __name__ == "__main__":
    main(sys.argv[1:])
