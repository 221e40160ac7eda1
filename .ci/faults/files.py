"""Pipes, devices, sockets, directories, and links instead of files; state folders that other users can change; locks of running
processes; leftover files of killed runs. Each command must end within its time limit."""
import os
import shutil
import socket
import subprocess
import time

from place import Run, must

STEPS = "steps: [loadAccount, silent, interactive-fallback, {callGraph: /me}]\n"
WORKFLOW = "authflow: 1\nsettings: S.yaml\n" + STEPS


def kinds(folder):
    """Creates one file of each kind that is not a regular file. Returns their names and paths."""
    folder.mkdir(exist_ok=True)
    os.mkfifo(folder / "pipe")
    (folder / "folder").mkdir()
    (folder / "link").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "socket"))
    return {"a pipe": folder / "pipe", "a directory": folder / "folder", "a link to a device": folder / "link", "a socket": folder / "socket",
            "/dev/ptmx": "/dev/ptmx", "/dev/zero": "/dev/zero"}


def run(place, *arguments, seconds=8, **more):
    # Standard input is a pipe without data, so a command that reads from it would never exit.
    reader, writer = os.pipe()
    try:
        return Run(place, arguments, stdin=reader, **more).wait(seconds)
    finally:
        os.close(reader)
        os.close(writer)


def rejected(run):
    must(run.code == 2, f"exited with {run.code}, not 2:\n{run.output[-400:]}{run.errors}")
    must("error: " in run.output + run.errors, "no error:", run.output, run.errors)
    return run


def inputs(place, report):
    (place.folder / "w.yaml").write_text(WORKFLOW)
    uses = {
        "settings of a workflow": f"authflow: 1\nsettings: %s\n{STEPS}",
        "directory of a workflow": f"authflow: 1\nsettings: S.yaml\ndirectory: %s\n{STEPS}",
        "recording of a workflow": f"authflow: 1\nsettings: S.yaml\nplatform: 'replay:%s'\n{STEPS}",
    }
    options = {"workflow": ("run", "%s"), "recording": ("run", "w.yaml", "--platform", "replay:%s"), "env-file": ("run", "w.yaml", "--env-file", "%s"),
               "document": ("query", "$", "%s")}
    for words, path in kinds(place.folder / "special").items():
        # The path is inside the project, so the file type is the only reason to reject it.
        named = os.path.relpath(path, place.folder) if str(path).startswith(str(place.folder)) else path
        for use, text in uses.items():
            (place.folder / "used.yaml").write_text(text % named)
            with report(f"{use}: {words}") as recorded:
                rejected(recorded(run(place, "run", "used.yaml", "--fresh")))
        with report(f"validate, settings of a workflow: {words}") as recorded:
            (place.folder / "used.yaml").write_text(uses["settings of a workflow"] % named)
            must(recorded(run(place, "validate", "used.yaml")).code in (0, 1, 2), "unexpected exit code of validate")
        with report(f"workflow of a scenarios file: {words}") as recorded:
            (place.folder / "s.scenarios.yaml").write_text(f"authflow: 1\nworkflow: {named}\nscenarios: {{all: {{expect: {{outcome: success}}}}}}\n")
            rejected(recorded(run(place, "test", "s.scenarios.yaml")))
        for option, arguments in options.items():
            with report(f"{option} on the command line: {words}") as recorded:
                rejected(recorded(run(place, *[argument.replace("%s", str(path)) for argument in arguments])))
    for path in ("/dev/stdin", "/dev/fd/0", "-"):
        with report(f"settings of a workflow: {path}") as recorded:
            (place.folder / "used.yaml").write_text(uses["settings of a workflow"] % f"'{path}'")
            rejected(recorded(run(place, "run", "used.yaml", "--fresh")))
    for option in ("--trace", "--report", "--record"):
        with report(f"{option} with a pipe that no process reads") as recorded:
            ended = recorded(run(place, "run", "w.yaml", "--fresh", option, "special/pipe"))
            must(ended.code in (2, 3) and "error: " in ended.errors, ended.code, ended.errors)
    streams(place, report)


def streams(place, report):
    """Streams on the command line can still be read."""
    for words, path in (("-", "-"), ("/dev/stdin", "/dev/stdin"), ("<(command)", None)):
        with report(f"document from {words}") as recorded:
            reader, writer = os.pipe()
            os.write(writer, b"a: [1, 2]\n")
            os.close(writer)
            ended = recorded(Run(place, ["query", "$.a[1]", path or f"/dev/fd/{reader}"], stdin=reader, pass_fds=[reader]).wait(8))
            os.close(reader)
            must(ended.code == 0 and "2" in ended.output, ended.code, ended.output, ended.errors)
    with report("an empty env-file: /dev/null") as recorded:
        must(recorded(run(place, "run", "w.yaml", "--fresh", "--env-file", "/dev/null")).code == 0, "it was rejected")


class Embedded:
    """Runs with the built-in emulator that share a state folder."""

    def __init__(self, place):
        self.place, self.root = place, place.state / "authflow"
        self.folder = self.root / "emulated-contoso"
        (place.folder / "w.yaml").write_text(WORKFLOW)
        place.forget()
        self.good()

    def run(self, *options, seconds=8):
        return run(self.place, "run", "w.yaml", *options, seconds=seconds)

    def good(self, *options):
        ended = self.run(*options)
        must(ended.code == 0, f"exited with {ended.code}:\n{ended.output[-400:]}{ended.errors}")
        return ended

    def reset(self):
        ended = run(self.place, "reset")
        must(ended.code == 0, "reset exited with", ended.code, ended.errors)
        return ended


def state_files(place, report):
    for name in ("cache.json", "cache.json.lockfile", "lock", "platform.json", "browser.json", "clock.json"):
        with report(f"a pipe instead of {name}") as recorded:
            embedded = Embedded(place)
            path = embedded.folder / name
            path.unlink(missing_ok=True)
            if name.endswith(".lockfile"):  # remove the tokens, so that the run writes new ones
                (embedded.folder / "cache.json").unlink()
            os.mkfifo(path)
            ended = recorded(embedded.run())
            must(ended.code == 3 and "is not a regular file (named pipe)" in ended.errors, ended.code, ended.errors)
            embedded.reset()
            must(not path.exists(), "reset left the pipe")
            embedded.good()
    for name in ("development-ca.key", "development-ca.lock"):
        with report(f"a pipe instead of {name}") as recorded:
            place.forget()
            folder = place.state / "authflow" / "emulator"
            folder.mkdir(parents=True)
            for path in (folder.parent, folder):
                path.chmod(0o700)
            os.mkfifo(folder / name)
            ended = recorded(run(place, "emulator", "--port", "0", "--for", "1s"))
            must(ended.code == 3 and "is not a regular file" in ended.errors, ended.code, ended.errors)
    place.forget()


def living_lock(place, report):
    """A run waits at most 30 s for a lock. A sign-in writes the cache several times."""
    with report("a run waits only once for the lock file of a running process") as recorded:
        embedded = Embedded(place)
        embedded.reset()
        lock = embedded.folder / "cache.json.lockfile"
        lock.write_text(f"{os.getpid()} python")
        ended = recorded(embedded.run(seconds=50))
        must(ended.code == 3 and "has held this lock" in ended.errors, ended.code, ended.errors)
        must(29 < ended.took < 40, f"it took {ended.took:.0f} s")
        must(lock.exists(), "the lock of a running process was removed")
        lock.unlink()
        embedded.good()


def access(place, report):
    for words, mode in (("its group", 0o770), ("all users", 0o707), ("all users, sticky", 0o1777)):
        for where in ("root", "folder"):
            embedded = Embedded(place)
            path = getattr(embedded, where)
            with report(f"{words} can write to the state folder {path.name}") as recorded:
                path.chmod(mode)
                ended = recorded(embedded.run())
                must(ended.code == 3 and "chmod 700" in ended.errors, ended.code, ended.errors)
                embedded.good("--fresh")
                path.chmod(0o700)
                must("0 interactions" in embedded.good().output, "the account is lost")
    if os.getuid() == 0:
        with report("the state folder belongs to another user") as recorded:
            embedded = Embedded(place)
            try:
                os.chown(embedded.root, 65534, 65534)
            except OSError:  # the user namespace contains only one user
                embedded.root.chmod(0o777)
            ended = recorded(embedded.run())
            must(ended.code == 3 and "XDG_STATE_HOME" in ended.errors, ended.code, ended.errors)
    with report("all users can write to a folder of --cache") as recorded:
        place.forget()
        shared = place.folder / "shared"
        shared.mkdir()
        shared.chmod(0o777)
        ended = recorded(run(place, "run", "w.yaml", "--cache", shared))
        must(ended.code == 0 and "warning: " in ended.errors, ended.code, ended.errors)
        must((shared.stat().st_mode & 0o777) == 0o777, "the mode of the folder was changed")
    place.forget()


def reset_links(place, report):
    embedded = Embedded(place)
    precious, outside = place.folder / "precious", place.folder / "outside"
    with report("reset removes links but not their targets") as recorded:
        precious.write_text("precious")
        outside.mkdir()
        (outside / "cache.json").write_text("precious")
        for name in ("cache.json", "page.html", "cache.json.keyring"):
            (embedded.folder / name).unlink(missing_ok=True)
        for name in ("cache.json", "page.html"):
            (embedded.folder / name).symlink_to(precious)
        (embedded.root / "live").symlink_to(outside)
        ended = recorded(embedded.reset())
        must(precious.read_text() == "precious" and (outside / "cache.json").read_text() == "precious", "a target was changed")
        must(not (embedded.root / "live").is_symlink() and not os.listdir(embedded.folder), "left:", os.listdir(embedded.folder))
        must(ended.errors.count("removed the link") == 3, ended.errors)
    with report("reset of a state folder that is a link removes the link") as recorded:
        place.forget()
        place.state.mkdir()
        embedded.root.symlink_to(outside)
        recorded(embedded.reset())
        must(not embedded.root.is_symlink() and (outside / "cache.json").exists(), "reset did not remove the link, or it removed the target")
    shutil.rmtree(outside)


def parts(place, report):
    def left():
        return sorted(str(path.relative_to(place.folder)) for path in place.folder.rglob("*.part"))

    def age():
        for path in place.folder.rglob("*.part"):
            os.utime(path, (time.time() - 60, time.time() - 60))
    ended = subprocess.Popen(["true"])
    ended.wait()  # the ID of a process that no longer runs
    with report("incomplete state files of killed processes are removed") as recorded:
        embedded = Embedded(place)
        for name in ("cache.json", "cache.json.keyring", "platform.json", "browser.json", "clock.json", "page.html"):
            (embedded.folder / f"{name}.{ended.pid}.7.part").write_text("secret")
        age()
        recorded(embedded.good())
        must(not left(), "left:", left())
    with report("incomplete pages, emulator states, and CAs of killed processes are removed") as recorded:
        for name in ("page.html", "platform-state.json", "ca.pem"):
            (place.folder / f"{name}.{ended.pid}.7.part").write_text("secret")
        (embedded.root / "emulator").mkdir(exist_ok=True)
        (embedded.root / "emulator").chmod(0o700)
        (embedded.root / "emulator" / f"development-ca.key.{ended.pid}.7.part").write_text("secret")
        age()
        recorded(embedded.good("--report", "page.html"))
        server = run(place, "emulator", "--port", "0", "--for", "1s", "--state", "platform-state.json", "--export-ca", "ca.pem", seconds=15)
        must(server.code == 0, server.code, server.errors)
        must(not left(), "left:", left())
    with report("30 runs, killed at different times, do not leave files behind") as recorded:
        for number in range(30):
            running = Run(place, ["run", "w.yaml", "--report", "page.html"])
            time.sleep(0.005 + 0.004 * number)
            running.process.kill()
            running.wait()
        age()
        recorded(embedded.good("--report", "page.html"))
        must(not left(), "left:", left())
    place.forget()


def state(place, report):
    for drill in (state_files, access, reset_links, parts):
        drill(place, report)


DRILLS = {"pipes, devices, and sockets as input": inputs, "state files, folders, and links": state}
IDLE = {"the lock of a running process": living_lock}
