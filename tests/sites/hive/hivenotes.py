"""The library behind the program."""

from __future__ import annotations


class Diary:
    """A diary in one file.

    Args:
        path: The file; it is made where it is missing.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def visits(self, hive: str) -> list[str]:
        """The visits to a hive, the latest first.

        Args:
            hive: Name of the hive.
        """
        raise NotImplementedError(hive)

    def export_csv(self, target: str) -> int:
        """Write all visits as comma-separated values and give back how many there are.

        Args:
            target: The file to write.
        """
        raise NotImplementedError(target)


def weigh(frames: int, *, empty: float = 0.4) -> float:
    """Estimate the honey of some frames in kilograms.

    Args:
        frames: How many frames are full.
        empty: Weight of an empty frame in kilograms.
    """
    return frames * (2.5 - empty)
