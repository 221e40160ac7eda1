"""Drills in which the system browser exits or misbehaves while authflow waits for the loopback redirect."""
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
    """Waits until a run waits for the redirect and the browser command has exited. Returns the port of the run."""
    until(lambda: "browser: waiting up to" in run.standard_error() or run.process.poll() is not None, 15, "the run to wait for the redirect")
    must(run.process.poll() is None, "the run did not wait:", run.standard_error())
    return int(run.standard_error().split("for the redirect at http://localhost:")[1].split()[0].rstrip("/;"))


def recovers(place):
    run = start(place, "").wait()
    must(run.code == 0, "the next run exited with", run.code, run.output[-500:], run.errors)
    place.holds(run, {0})
    place.forget()


def goes_well(place, report):
    for way, words in (("twice", "redirects twice"), ("wrong state then right", "redirects with a wrong state first")):
        with report(f"the browser {words}") as recorded:
            run = recorded(start(place, way).wait())
            place.holds(run, {0})
            if "state" in way:
                must("browser: " in run.errors and "state" in run.errors, "the wrong state is not reported:", run.errors)
            place.forget()


WAYS = {"error": ("exits with an error", "with 7"), "killed": ("is killed", "signal 9"), "leaves": ("never redirects", ""),
        "wrong state": ("redirects only with a wrong state", "state")}


def ends(place, report):
    for number, (way, (words, message)) in enumerate(WAYS.items()):
        for signalled, codes in ((signal.SIGINT, {130}), (signal.SIGTERM, {130, 143})):
            with report(f"the browser {words}, then {signalled.name}") as recorded:
                run = start(place, way)
                port = waits(run)
                if message:
                    until(lambda: message in run.standard_error(), 10, f"the message {message}")
                must(port in listeners(), "no process listens on port", port)
                run.process.send_signal(signalled)
                recorded(run.wait(5))
                place.holds(run, codes)
                recovers(place)


def callers(place, report):
    """Other clients of the loopback port get no data and do not block the run."""
    with report("other clients connect to the loopback port, send partial requests, and stay connected") as recorded:
        run = start(place, "leaves")
        port = waits(run)
        others = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
        for number, other in enumerate(others):
            other.sendall(b"GET /?code=x&state=y HTTP/1.1\r\n"[:number])
        run.process.send_signal(signal.SIGINT)
        recorded(run.wait(5))
        place.holds(run, {130})
        for other in others:
            other.close()
        recovers(place)


def patience(place, report):
    place.workflow("impatient", "[{interactive: {}, timeout: 2s}]")
    with report("the browser never redirects, and the step times out") as recorded:
        run = recorded(start(place, "leaves", "impatient").wait(8))
        place.holds(run, {1})
        recovers(place)


def port_in_use(place, report):
    with report("another process uses the port of the redirect") as recorded, socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        (place.folder / "S.yaml").write_text(LOOPBACK.replace("http://localhost", f"http://localhost:{port}"))
        run = recorded(start(place, "").wait())
        place.holds(run, {3}, own_ports={port})
        (place.folder / "S.yaml").write_text(LOOPBACK)
        other.close()
        recovers(place)


def server_gone(place, report):
    """The server goes down after the browser redirects."""
    from server import prepare_consent
    # The simulated browser does not use a loopback redirect.
    (place.folder / "S.yaml").write_text(SETTINGS)
    prepare_consent(place)
    (place.folder / "S.yaml").write_text(LOOPBACK)
    place.env["FAULTS_EMULATOR"] = str(place.emulator.port)
    place.forget()
    with report("the browser redirects, and the server is down at code redemption") as recorded:
        place.gate.open_for("kill", 3)
        run = start(place, "")
        recorded(run.wait(20))
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
