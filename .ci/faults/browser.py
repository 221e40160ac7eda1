"""The user's own browser goes, or does what it should not, while authflow waits at the loopback redirect."""
import pathlib
import signal
import socket
import sys

from place import SETTINGS, listeners, must, until

PERSON = pathlib.Path(__file__).with_name("person.py")
LOOPBACK = SETTINGS + "RedirectUri: http://localhost\n"


def prepare(place):
    (place.folder / "S.yaml").write_text(LOOPBACK)
    opener = place.folder / "browser"
    opener.write_text(f'#!/bin/sh\nexec {sys.executable} {PERSON} "$1"\n')
    opener.chmod(0o755)
    place.env |= {"BROWSER": str(opener), "FAULTS_EMULATOR": str(place.emulator.port), "PYTHONDONTWRITEBYTECODE": "1"}


def start(place, way, flow="sign-in"):
    return place.start(flow, "--browser", "system", env={"FAULTS_PERSON": way})


def waits(run):
    """Until a run waits for its page to come back, and the browser's command has ended: the port that it listens on."""
    until(lambda: "browser: waiting at" in run.said() or run.process.poll() is not None, 15, "its waiting")
    must(run.process.poll() is None, "it did not wait:", run.said())
    return int(run.said().split("browser: waiting at http://localhost:")[1].split()[0].rstrip("/"))


def recovers(place):
    run = start(place, "").wait()
    must(run.code == 0, "the next run ended with", run.code, run.output[-500:], run.errors)
    place.holds(run, {0})
    place.forget()


def goes_well(place, report):
    for way, words in (("twice", "comes back twice"), ("wrong state then right", "comes with a wrong state first")):
        with report(f"the browser {words}") as told:
            run = told(start(place, way).wait())
            place.holds(run, {0})
            if "state" in way:
                must("browser: " in run.errors and "state" in run.errors, "nobody was told of the wrong state:", run.errors)
            place.forget()


WAYS = {"error": ("ends with an error", "ended with 7"), "killed": ("is killed", "ended by signal 9"), "leaves": ("never comes back", ""),
        "wrong state": ("comes back with a wrong state only", "state")}


def ends(place, report):
    for number, (way, (words, said)) in enumerate(WAYS.items()):
        for signalled, codes in ((signal.SIGINT, {130}), (signal.SIGTERM, {130, 143})):
            with report(f"the browser {words}, then {signalled.name}") as told:
                run = start(place, way)
                port = waits(run)
                if said:
                    until(lambda: said in run.said(), 10, f"word of {said}")
                must(port in listeners(), "nobody listens at the port", port)
                run.process.send_signal(signalled)
                told(run.wait(5))
                place.holds(run, codes)
                recovers(place)


def callers(place, report):
    """Others at the loopback port: they get nothing, and hold nothing up."""
    with report("others connect to the loopback port, half-way, and stay") as told:
        run = start(place, "leaves")
        port = waits(run)
        others = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
        for number, other in enumerate(others):
            other.sendall(b"GET /?code=x&state=y HTTP/1.1\r\n"[:number])
        run.process.send_signal(signal.SIGINT)
        told(run.wait(5))
        place.holds(run, {130})
        for other in others:
            other.close()
        recovers(place)


def patience(place, report):
    place.workflow("impatient", "[{interactive: {}, timeout: 2s}]")
    with report("the browser never comes back, and the step's own timeout is over") as told:
        run = told(start(place, "leaves", "impatient").wait(8))
        place.holds(run, {1})
        recovers(place)


def port_in_use(place, report):
    with report("the port of the redirect is somebody else's") as told, socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        (place.folder / "S.yaml").write_text(LOOPBACK.replace("http://localhost", f"http://localhost:{port}"))
        run = told(start(place, "").wait())
        place.holds(run, {3}, own_ports={port})
        (place.folder / "S.yaml").write_text(LOOPBACK)
        other.close()
        recovers(place)


def server_gone(place, report):
    """The page was opened and came back, and then the server is gone."""
    from server import prepare_consent
    # The simulated browser does not take a loopback redirect.
    (place.folder / "S.yaml").write_text(SETTINGS)
    prepare_consent(place)
    (place.folder / "S.yaml").write_text(LOOPBACK)
    place.env["FAULTS_EMULATOR"] = str(place.emulator.port)
    place.forget()
    with report("the browser comes back, and the server is gone at code redemption") as told:
        place.gate.open_for("kill", 3)
        run = start(place, "")
        told(run.wait(20))
        place.holds(run, {3})
        place.emulator.revive()
        place.env["FAULTS_EMULATOR"] = str(place.emulator.port)
        place.gate.open_for()
        recovers(place)


def all_of_it(place, report):
    prepare(place)
    for drill in (goes_well, ends, callers, patience, port_in_use, server_gone):
        place.forget()
        drill(place, report)


DRILLS = {"browser": all_of_it}
