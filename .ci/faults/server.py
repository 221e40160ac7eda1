"""Drills in which the server fails in different ways at each exchange of each flow."""
import signal

import gate
from place import Run, must, until

# Whether the account is cached before and after the flow. None allows both.
FLOWS = {"sign-in": (False, None), "refresh": (True, True), "sign-out": (True, None), "device code": (False, None)}


def prepare_consent(place):
    place.gate.open_for()
    must(place.run("sign-in").code == 0, "the sign-in failed")
    place.emulator.restart()


def exchanges(place, flow):
    """Prepares and saves the initial state of the flow, and then runs the flow without faults.

    The emulator has saved the consent, which must not be lost when it is killed.
    """
    prepare_consent(place)
    if FLOWS[flow][0]:
        place.keep()
    else:
        place.keep_nothing()
    place.restore()
    place.gate.open_for()
    run = place.run(flow)
    place.holds(run, {0})
    return list(place.gate.seen)


def each_point(place, flow, report, words):
    """Iterates over the exchanges of the flow. Restores the initial state before each of them."""
    names = exchanges(place, flow)
    for number, name in enumerate(names, 1):
        place.emulator.revive()
        place.restore()
        with report(f"{flow} {number}/{len(names)}, {name.split(' ')[0]} {name.rsplit('/', 1)[1]}: {words}") as recorded:
            yield number, recorded


def broken(flow, fault):
    def drill(place, report):
        for number, recorded in each_point(place, flow, report, gate.FAULTS[fault]):
            place.gate.open_for(fault, number, once=fault == "reset")
            run = recorded(place.run(flow))
            # After a single fault, the retry may succeed, and polling for a device code continues.
            place.holds(run, {0, 1, 3} if fault == "reset" or flow == "device code" else {3})
            place.recovers(account=FLOWS[flow][1])
    return drill


def interrupted(flow):
    """The server stops responding, and the user interrupts the run."""
    def drill(place, report):
        for number, recorded in each_point(place, flow, report, "no response, then Ctrl-C"):
            place.gate.open_for("stall", number)
            run = place.start(flow)
            until(lambda: len(place.gate.seen) >= number, 20, "the exchange")
            run.process.send_signal(signal.SIGTERM if number % 2 else signal.SIGINT)
            recorded(run.wait(4))
            # SIGTERM has the same effect as Ctrl-C.
            place.holds(run, {130, 143})
            place.recovers(account=FLOWS[flow][1])
    return drill


def silent_for_ever(flow, number):
    """The server stops responding until the timeout of the HTTP client, and again for the retry."""
    def drill(place, report):
        names = exchanges(place, flow)
        place.restore()
        with report(f"{flow}, {names[number - 1]}: {gate.FAULTS['stall']}, without an interruption") as recorded:
            place.gate.open_for("stall", number)
            run = recorded(place.run(flow, seconds=75))
            place.holds(run, {3})
            must("timed out" in run.errors, run.errors)
            place.recovers(account=FLOWS[flow][1])
    return drill


def step_timeout(place, report):
    place.workflow("impatient", "[{interactive: {}, timeout: 1s}]")
    with report("sign-in: the server stops responding, and the step times out") as recorded:
        place.gate.open_for("stall", 3)
        run = recorded(place.run("impatient", seconds=6))
        place.holds(run, {1})  # not an environment error
        place.recovers()


def commands(place, report):
    """The commands for scripts must print a complete token or response, or nothing."""
    app = ("--settings", "S.yaml", "--platform", "live")
    prepare_consent(place)
    place.keep()
    for command in (("token",), ("api", "get", "/me")):
        place.gate.open_for()
        must(Run(place, [*command, *app]).wait().code == 0, command, "fails without faults")
        names = list(place.gate.seen)
        for number, name in enumerate(names, 1):
            place.emulator.revive()
            place.restore()
            with report(f"authflow {' '.join(command)}, {number}/{len(names)}, {name}: {gate.FAULTS['kill']}") as recorded:
                place.gate.open_for("kill", number)
                run = recorded(Run(place, [*command, *app]).wait())
                place.holds(run, {3})
                must(not run.output.strip() and "help: " in run.errors, "it printed", run.output[:80], run.errors)
                place.recovers(account=True)


DRILLS = {f"{flow}: {gate.FAULTS[fault]}": broken(flow, fault)
          for flow in ("sign-in", "refresh", "sign-out") for fault in ("kill", "reset", "cut", "handshake")}
DRILLS |= {f"device code: {gate.FAULTS[fault]}": broken("device code", fault) for fault in ("kill", "reset")}
DRILLS |= {f"{flow}: interrupted": interrupted(flow) for flow in ("sign-in", "refresh", "sign-out")}
DRILLS |= {"a step's timeout": step_timeout, "token and api: the server is killed": commands}
# These drills wait for timeouts and use little processor time.
IDLE = {"no response: sign-in page": silent_for_ever("sign-in", 3), "no response: code redemption": silent_for_ever("sign-in", 7),
        "no response: refresh": silent_for_ever("refresh", 3), "no response: Graph": silent_for_ever("refresh", 5)}
