"""Fetches documentation sites from Debian's packages and from source distributions on PyPI, and indexes them.

    python training/fetch_sites.py FOLDER [NAME ...]

The names are those of `training/sites.toml`; without names all of its sites are fetched. The package of a site is
unpacked into FOLDER/NAME/package, and its site is indexed into FOLDER/NAME/index. The docs of a source distribution are
first built into FOLDER/NAME/html, with the packages of `training/builders/requirements.txt`, which are installed into
FOLDER/.builders. A site with an index is not fetched again. Needs apt-get and dpkg-deb for packages of Debian, and pip
for source distributions.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Final

SITES: Final = Path(__file__).with_name("sites.toml")
BUILDERS: Final = Path(__file__).with_name("builders")


def fetch(folder: Path, name: str, site: dict[str, str]) -> None:
    """Unpacks a site, builds it if the package has its sources, and indexes it.

    Args:
        folder: The folder of all sites.
        name: The name of the site.
        site: Its row of `sites.toml`.

    Raises:
        subprocess.CalledProcessError: A command failed. Its message is on standard error.
    """
    target = folder / name
    index = target / "index"
    if (index / "current.json").exists():
        print(f"{name}: indexed before.")
        return
    unpacked = target / "package"
    unpacked.mkdir(parents=True, exist_ok=True)
    if "package" in site:
        unpack_package(site["package"], unpacked)
        pages = unpacked / site["folder"]
    else:
        pages = build(name, site, unpack_source(site["sdist"], unpacked), target / "html", builders(folder))
    command = [sys.executable, "-m", "trueref", "index", str(pages), "--base-url", site["base_url"]]
    excluded = [word for pattern in site.get("exclude", "").split() for word in ("--exclude", pattern)]
    subprocess.run([*command, "--index", str(index), *excluded], check=True)


def unpack_package(package: str, unpacked: Path) -> None:
    """Downloads and unpacks a package of Debian."""
    with tempfile.TemporaryDirectory() as downloads:
        subprocess.run(["apt-get", "download", "-qq", package], cwd=downloads, check=True)
        (archive,) = Path(downloads).glob("*.deb")
        subprocess.run(["dpkg-deb", "-x", archive, unpacked], check=True)


def unpack_source(sdist: str, unpacked: Path) -> Path:
    """Downloads and unpacks a source distribution, such as `pip==25.3`.

    Returns:
        The folder of the sources.
    """
    name = sdist.partition("==")[0]
    with tempfile.TemporaryDirectory() as downloads:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", name, sdist]
        subprocess.run(command, cwd=downloads, check=True)
        (archive,) = Path(downloads).glob("*.tar.gz")
        with tarfile.open(archive) as source:
            source.extractall(unpacked, filter="data")
        return unpacked / archive.name.removesuffix(".tar.gz")


def builders(folder: Path) -> Path:
    """The Python that has Sphinx and MkDocs, in an environment that is made with the first call."""
    environment = folder / ".builders"
    python = environment / "bin" / "python"
    if not (environment / "complete").exists():
        venv.create(environment, clear=True, with_pip=True)
        requirements = BUILDERS / "requirements.txt"
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", requirements], check=True)
        (environment / "complete").touch()
    return python


def build(name: str, site: dict[str, str], source: Path, html: Path, python: Path) -> Path:
    """Builds the docs of a source distribution, with the configuration in `builders` if the row names no other.

    Args:
        name: The name of the site.
        site: Its row of `sites.toml`.
        source: The folder of the sources.
        html: Where the site is written.
        python: The Python that has the builders.

    Returns:
        The folder of the site: `html`, or the docs themselves if the distribution has them built.

    Raises:
        subprocess.CalledProcessError: The docs could not be built.
    """
    docs = source / site["docs"]
    commands: dict[str, list[str | Path]] = {
        "sphinx": ["sphinx", "-q", "-c", BUILDERS, docs, html],
        "mkdocs": ["mkdocs", "build", "-q", "-f", BUILDERS / "mkdocs.yml", "-d", html],
    }
    if site["builder"] == "none":
        return docs
    environment = {
        **os.environ,
        "SITE_NAME": name,
        "BASE_URL": site["base_url"],
        "SOURCE": str(source),
        "DOCS": str(docs),
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(source / "src"), str(source)]),
        "OWN_CONF": str(source / site["conf"]) if "conf" in site else "",
    }
    subprocess.run([python, "-m", *commands[site["builder"]]], cwd=source, env=environment, check=True)
    return html


def main() -> None:
    """Fetches the named sites, or all sites without names."""
    sites = tomllib.loads(SITES.read_text("utf-8"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if unknown := set(options.names) - set(sites):
        parser.error(f"{SITES.name} has no site {', '.join(sorted(unknown))}. It has: {', '.join(sites)}.")
    for name in options.names or sites:
        fetch(options.folder.absolute(), name, sites[name])


if __name__ == "__main__":
    main()
