"""Creates a reproducible archive: .ci/archive.py FOLDER ARCHIVE.tar.gz. SOURCE_DATE_EPOCH sets the time of all files.

gzip is the format that every system can unpack. A bare Debian has no xz.
"""

import gzip
import os
import pathlib
import sys
import tarfile


def main():
    folder, archive = map(pathlib.Path, sys.argv[1:])
    time = int(os.environ["SOURCE_DATE_EPOCH"])

    def normalized(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = time
        return entry

    with open(archive, "wb") as file, gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=time) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.GNU_FORMAT) as tar:
            tar.add(folder, folder.name, recursive=False, filter=normalized)
            for path in sorted(folder.rglob("*")):
                tar.add(path, f"{folder.name}/{path.relative_to(folder)}", recursive=False, filter=normalized)


main()
