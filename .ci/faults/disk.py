"""Drills in which the disk is full, read-only, or removed, before or during a run."""
import shutil
import subprocess

from place import must
from server import exchanges


class Disk:
    """A small file system that contains the state folder."""

    def __init__(self, place):
        self.place, self.path = place, place.state

    def __enter__(self):
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "none", self.path], check=True)
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", self.path], check=True)

    def fill(self):
        with open(self.path / "fill", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass

    def empty(self):
        (self.path / "fill").unlink(missing_ok=True)

    def remount(self, how):
        subprocess.run(["mount", "-o", f"remount,{how}", self.path], check=True)


def last_exchange(place, flow):
    place.gate.open_for()
    names = exchanges(place, flow)
    return 1 + max(number for number, name in enumerate(names) if name.endswith("/token"))


def state(place, report):
    token = {flow: last_exchange(place, flow) for flow in ("sign-in", "refresh")}
    faults = {"full": (Disk.fill, Disk.empty), "read-only": (lambda disk: disk.remount("ro"), lambda disk: disk.remount("rw"))}
    for words, (break_it, mend_it) in faults.items():
        for flow in ("sign-in", "refresh", "sign-out"):
            for midway in (False, True) if flow in token else (False,):
                with Disk(place) as disk, report(f"{flow}: the disk {'becomes' if midway else 'is'} {words}") as recorded:
                    place.gate.open_for()
                    if flow != "sign-in":
                        must(place.run("sign-in").code == 0, "the sign-in failed")
                    place.gate.open_for(None, token.get(flow, 0), meanwhile=(lambda: break_it(disk)) if midway else None)
                    if not midway:
                        break_it(disk)
                    run = recorded(place.run(flow))
                    place.holds(run, {3})
                    must(any(word in run.errors for word in ("no space left", "Read-only")), run.errors)
                    must(run.took < 8, f"the run took {run.took:.1f} s")
                    mend_it(disk)
                    place.recovers(account=False if flow == "sign-in" else True)
    # authflow does not write unchanged data, so it can use a cached token on a read-only disk.
    with Disk(place) as disk, report("a cached token on a read-only disk") as recorded:
        place.gate.open_for()
        must(place.run("sign-in").code == 0 and place.run("sign-in").code == 0, "the sign-in failed")
        disk.remount("ro")
        run = recorded(place.run("sign-in"))
        place.holds(run, {0})


def removed(place, report):
    token = last_exchange(place, "sign-in")
    with report("sign-in: the folder is removed during the run") as recorded:
        place.forget()
        place.gate.open_for(None, token, meanwhile=place.forget)
        run = recorded(place.run("sign-in"))
        place.holds(run, {0, 3})
        place.recovers(account=run.code == 0)
    with report("refresh: the folder is removed during the run") as recorded:
        place.gate.open_for(None, 3, meanwhile=place.forget)
        run = recorded(place.run("refresh"))
        place.holds(run, {0, 3})
        place.recovers()


def files(place, report):
    """The output files of a run are on a full disk or in a removed folder: the sign-in continues, and the error is reported."""
    for option in ("--trace", "--report", "--record"):
        for words, path in (("full", "/dev/full"), ("not there", "gone/file")):
            with report(f"sign-in: the target of {option} is {words}") as recorded:
                place.forget()
                place.gate.open_for()
                run = recorded(place.run("sign-in", option, path))
                place.holds(run, {2, 3})
                if words == "full":
                    must("no space left" in run.errors, run.errors)
                place.recovers()
    with report("sign-in: the disk becomes full while the trace is written") as recorded, Disk(place) as disk:
        place.gate.open_for(None, 5, meanwhile=disk.fill)
        run = recorded(place.run("sign-in", "--trace", disk.path / "trace.jsonl", "--cache", place.folder / "elsewhere"))
        place.holds(run, {3})
        lines = (disk.path / "trace.jsonl").read_text().splitlines()
        must(lines and all(line.endswith("}") for line in lines[:-1]), "the trace is damaged")
    place.forget()


def all_of_it(place, report):
    for drill in (state, removed, files):
        drill(place, report)


DRILLS = {"disk": all_of_it}
