"""The disk is full, read-only, or not there any more; before a run, and in the middle of one."""
import shutil
import subprocess

from place import must
from server import exchanges


class Disk:
    """The folder for state is a small disk of its own."""

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
    token = {flow: last_exchange(place, flow) for flow in ("sign-in", "renewal")}
    faults = {"full": (Disk.fill, Disk.empty), "read-only": (lambda disk: disk.remount("ro"), lambda disk: disk.remount("rw"))}
    for words, (break_it, mend_it) in faults.items():
        for flow in ("sign-in", "renewal", "sign-out"):
            for midway in (False, True) if flow in token else (False,):
                with Disk(place) as disk, report(f"{flow}: the disk {'becomes' if midway else 'is'} {words}") as told:
                    place.gate.open_for()
                    if flow != "sign-in":
                        must(place.run("sign-in").code == 0, "nobody could sign in")
                    place.gate.open_for(None, token.get(flow, 0), meanwhile=(lambda: break_it(disk)) if midway else None)
                    if not midway:
                        break_it(disk)
                    run = told(place.run(flow))
                    place.holds(run, {3})
                    must(any(word in run.errors for word in ("no space left", "Read-only")), run.errors)
                    must(run.took < 8, f"it waited {run.took:.1f} s")
                    mend_it(disk)
                    place.recovers(account=False if flow == "sign-in" else True)
    # Nothing is to be written where nothing changes: a token of the cache is had from a disk that is read-only.
    with Disk(place) as disk, report("a token of the cache, from a read-only disk") as told:
        place.gate.open_for()
        must(place.run("sign-in").code == 0 and place.run("sign-in").code == 0, "nobody could sign in")
        disk.remount("ro")
        run = told(place.run("sign-in"))
        place.holds(run, {0})


def removed(place, report):
    token = last_exchange(place, "sign-in")
    with report("sign-in: the folder is removed midway") as told:
        place.forget()
        place.gate.open_for(None, token, meanwhile=place.forget)
        run = told(place.run("sign-in"))
        place.holds(run, {0, 3})
        place.recovers(account=run.code == 0)
    with report("renewal: the folder is removed midway") as told:
        place.gate.open_for(None, 3, meanwhile=place.forget)
        run = told(place.run("renewal"))
        place.holds(run, {0, 3})
        place.recovers()


def files(place, report):
    """What a run writes for people goes to a full disk, or to a folder that is gone: the sign-in goes on, and all is told."""
    for option in ("--trace", "--report", "--record"):
        for words, path in (("full", "/dev/full"), ("not there", "gone/file")):
            with report(f"sign-in: the place for {option} is {words}") as told:
                place.forget()
                place.gate.open_for()
                run = told(place.run("sign-in", option, path))
                place.holds(run, {2, 3})
                if words == "full":
                    must("no space left" in run.errors, run.errors)
                place.recovers()
    with report("sign-in: the disk becomes full under a trace") as told, Disk(place) as disk:
        place.gate.open_for(None, 5, meanwhile=disk.fill)
        run = told(place.run("sign-in", "--trace", disk.path / "trace.jsonl", "--cache", place.folder / "elsewhere"))
        place.holds(run, {3})
        lines = (disk.path / "trace.jsonl").read_text().splitlines()
        must(lines and all(line.endswith("}") for line in lines[:-1]), "the trace is no trace any more")
    place.forget()


def all_of_it(place, report):
    for drill in (state, removed, files):
        drill(place, report)


DRILLS = {"disk": all_of_it}
