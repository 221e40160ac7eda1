"""Pipes, devices, sockets, directories, and links in the place of files; state folders that others can change; locks of living
processes; what killed runs leave. Each command ends within its time limit."""
import os
import shutil
import socket
import subprocess
import time

from place import Run, must

STEPS = "steps: [loadAccount, silent, interactive-fallback, {callGraph: /me}]\n"
WORKFLOW = "authflow: 1\nsettings: S.yaml\n" + STEPS


def kinds(folder):
    """Something of each kind that is not a regular file, by its name."""
    folder.mkdir(exist_ok=True)
    os.mkfifo(folder / "pipe")
    (folder / "folder").mkdir()
    (folder / "link").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "socket"))
    return {"a pipe": folder / "pipe", "a directory": folder / "folder", "a link to a device": folder / "link", "a socket": folder / "socket",
            "/dev/ptmx": "/dev/ptmx", "/dev/zero": "/dev/zero"}


def run(place, *arguments, seconds=8, **more):
    # A terminal or a pipe as standard input must make no difference: nothing is ever written to this one.
    reader, writer = os.pipe()
    try:
        return Run(place, arguments, stdin=reader, **more).wait(seconds)
    finally:
        os.close(reader)
        os.close(writer)


def rejected(run):
    must(run.code == 2, f"ended with {run.code}, not 2:\n{run.output[-400:]}{run.errors}")
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
        # A project's files name a path in the project, so that the kind is the only reason to reject it.
        named = os.path.relpath(path, place.folder) if str(path).startswith(str(place.folder)) else path
        for use, text in uses.items():
            (place.folder / "used.yaml").write_text(text % named)
            with report(f"{use}: {words}") as told:
                rejected(told(run(place, "run", "used.yaml", "--fresh")))
        with report(f"validate, settings of a workflow: {words}") as told:
            (place.folder / "used.yaml").write_text(uses["settings of a workflow"] % named)
            must(told(run(place, "validate", "used.yaml")).code in (0, 1, 2), "validate did not end well")
        with report(f"workflow of a scenarios file: {words}") as told:
            (place.folder / "s.scenarios.yaml").write_text(f"authflow: 1\nworkflow: {named}\nscenarios: {{all: {{expect: {{outcome: success}}}}}}\n")
            rejected(told(run(place, "test", "s.scenarios.yaml")))
        for option, arguments in options.items():
            with report(f"{option} on the command line: {words}") as told:
                rejected(told(run(place, *[argument.replace("%s", str(path)) for argument in arguments])))
    for path in ("/dev/stdin", "/dev/fd/0", "-"):
        with report(f"settings of a workflow: {path}") as told:
            (place.folder / "used.yaml").write_text(uses["settings of a workflow"] % f"'{path}'")
            rejected(told(run(place, "run", "used.yaml", "--fresh")))
    for option in ("--trace", "--report", "--record"):
        with report(f"{option} to a pipe that no program reads") as told:
            ended = told(run(place, "run", "w.yaml", "--fresh", option, "special/pipe"))
            must(ended.code in (2, 3) and "error: " in ended.errors, ended.code, ended.errors)
    streams(place, report)


def streams(place, report):
    """Streams that the command line names are read as before."""
    for words, path in (("-", "-"), ("/dev/stdin", "/dev/stdin"), ("<(command)", None)):
        with report(f"a document from {words}") as told:
            reader, writer = os.pipe()
            os.write(writer, b"a: [1, 2]\n")
            os.close(writer)
            ended = told(Run(place, ["query", "$.a[1]", path or f"/dev/fd/{reader}"], stdin=reader, pass_fds=[reader]).wait(8))
            os.close(reader)
            must(ended.code == 0 and "2" in ended.output, ended.code, ended.output, ended.errors)
    with report("an empty env-file: /dev/null") as told:
        must(told(run(place, "run", "w.yaml", "--fresh", "--env-file", "/dev/null")).code == 0, "it was rejected")


class Embedded:
    """Runs on the emulator inside the process, and their state folder."""

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
        must(ended.code == 0, f"ended with {ended.code}:\n{ended.output[-400:]}{ended.errors}")
        return ended

    def reset(self):
        ended = run(self.place, "reset")
        must(ended.code == 0, "reset ended with", ended.code, ended.errors)
        return ended


def state_files(place, report):
    for name in ("cache.json", "cache.json.lockfile", "lock", "platform.json", "browser.json", "clock.json"):
        with report(f"a pipe in the place of {name}") as told:
            embedded = Embedded(place)
            path = embedded.folder / name
            path.unlink(missing_ok=True)
            if name.endswith(".lockfile"):  # without tokens, so that the run writes some
                (embedded.folder / "cache.json").unlink()
            os.mkfifo(path)
            ended = told(embedded.run())
            must(ended.code == 3 and "is not a regular file (named pipe)" in ended.errors, ended.code, ended.errors)
            embedded.reset()
            must(not path.exists(), "reset left the pipe")
            embedded.good()
    for name in ("development-ca.key", "development-ca.lock"):
        with report(f"a pipe in the place of {name}") as told:
            place.forget()
            folder = place.state / "authflow" / "emulator"
            folder.mkdir(parents=True)
            for path in (folder.parent, folder):
                path.chmod(0o700)
            os.mkfifo(folder / name)
            ended = told(run(place, "emulator", "--port", "0", "--for", "1s"))
            must(ended.code == 3 and "is not a regular file" in ended.errors, ended.code, ended.errors)
    place.forget()


def living_lock(place, report):
    """The patience is 30 s; a sign-in writes the cache several times."""
    with report("the lock file of a living process costs one patience") as told:
        embedded = Embedded(place)
        embedded.reset()
        lock = embedded.folder / "cache.json.lockfile"
        lock.write_text(f"{os.getpid()} python")
        ended = told(embedded.run(seconds=50))
        must(ended.code == 3 and "has held this lock" in ended.errors, ended.code, ended.errors)
        must(29 < ended.took < 40, f"it took {ended.took:.0f} s")
        must(lock.exists(), "the lock of a living process was removed")
        lock.unlink()
        embedded.good()


def access(place, report):
    for words, mode in (("its group", 0o770), ("all users", 0o707), ("all users, sticky", 0o1777)):
        for where in ("root", "folder"):
            embedded = Embedded(place)
            path = getattr(embedded, where)
            with report(f"{words} can write to the state folder {path.name}") as told:
                path.chmod(mode)
                ended = told(embedded.run())
                must(ended.code == 3 and "chmod 700" in ended.errors, ended.code, ended.errors)
                embedded.good("--fresh")
                path.chmod(0o700)
                must("0 interactions" in embedded.good().output, "the account is lost")
    if os.getuid() == 0:
        with report("the state folder belongs to another user") as told:
            embedded = Embedded(place)
            try:
                os.chown(embedded.root, 65534, 65534)
            except OSError:  # a namespace with one user
                embedded.root.chmod(0o777)
            ended = told(embedded.run())
            must(ended.code == 3 and "XDG_STATE_HOME" in ended.errors, ended.code, ended.errors)
    with report("all users can write to a folder of --cache") as told:
        place.forget()
        shared = place.folder / "shared"
        shared.mkdir()
        shared.chmod(0o777)
        ended = told(run(place, "run", "w.yaml", "--cache", shared))
        must(ended.code == 0 and "warning: " in ended.errors, ended.code, ended.errors)
        must((shared.stat().st_mode & 0o777) == 0o777, "the mode of the folder was changed")
    place.forget()


def reset_links(place, report):
    embedded = Embedded(place)
    precious, outside = place.folder / "precious", place.folder / "outside"
    with report("reset removes links and leaves their targets") as told:
        precious.write_text("precious")
        outside.mkdir()
        (outside / "cache.json").write_text("precious")
        for name in ("cache.json", "page.html", "cache.json.keyring"):
            (embedded.folder / name).unlink(missing_ok=True)
        for name in ("cache.json", "page.html"):
            (embedded.folder / name).symlink_to(precious)
        (embedded.root / "live").symlink_to(outside)
        ended = told(embedded.reset())
        must(precious.read_text() == "precious" and (outside / "cache.json").read_text() == "precious", "a target was changed")
        must(not (embedded.root / "live").is_symlink() and not os.listdir(embedded.folder), "left:", os.listdir(embedded.folder))
        must(ended.errors.count("was a link") == 3, ended.errors)
    with report("reset of a state folder that is a link removes the link") as told:
        place.forget()
        place.state.mkdir()
        embedded.root.symlink_to(outside)
        told(embedded.reset())
        must(not embedded.root.is_symlink() and (outside / "cache.json").exists(), "the link is there, or the target is not")
    shutil.rmtree(outside)


def parts(place, report):
    def left():
        return sorted(str(path.relative_to(place.folder)) for path in place.folder.rglob("*.part"))

    def age():
        for path in place.folder.rglob("*.part"):
            os.utime(path, (time.time() - 60, time.time() - 60))
    ended = subprocess.Popen(["true"])
    ended.wait()  # the number of a process that no longer runs
    with report("parts of killed processes are removed, of every state file") as told:
        embedded = Embedded(place)
        for name in ("cache.json", "cache.json.keyring", "platform.json", "browser.json", "clock.json", "page.html"):
            (embedded.folder / f"{name}.{ended.pid}.7.part").write_text("secret")
        age()
        told(embedded.good())
        must(not left(), "left:", left())
    with report("parts of killed processes are removed, of a page, the emulator's state and its CA") as told:
        for name in ("page.html", "platform-state.json", "ca.pem"):
            (place.folder / f"{name}.{ended.pid}.7.part").write_text("secret")
        (embedded.root / "emulator").mkdir(exist_ok=True)
        (embedded.root / "emulator").chmod(0o700)
        (embedded.root / "emulator" / f"development-ca.key.{ended.pid}.7.part").write_text("secret")
        age()
        told(embedded.good("--report", "page.html"))
        server = run(place, "emulator", "--port", "0", "--for", "1s", "--state", "platform-state.json", "--export-ca", "ca.pem", seconds=15)
        must(server.code == 0, server.code, server.errors)
        must(not left(), "left:", left())
    with report("30 runs, killed at 30 moments, leave nothing") as told:
        for number in range(30):
            running = Run(place, ["run", "w.yaml", "--report", "page.html"])
            time.sleep(0.005 + 0.004 * number)
            running.process.kill()
            running.wait()
        age()
        told(embedded.good("--report", "page.html"))
        must(not left(), "left:", left())
    place.forget()


def state(place, report):
    for drill in (state_files, access, reset_links, parts):
        drill(place, report)


DRILLS = {"pipes, devices and sockets as input": inputs, "state files, folders and links": state}
IDLE = {"the lock of a living process": living_lock}
