"""The server goes, at each exchange of each flow, in each way."""
import signal

import gate
from place import Run, must, until

# Whether the account is known before, and what it must be afterwards; None: both are right.
FLOWS = {"sign-in": (False, None), "renewal": (True, True), "sign-out": (True, None), "device code": (False, None)}


def prepare_consent(place):
    place.gate.open_for()
    must(place.run("sign-in").code == 0, "nobody could sign in")
    place.emulator.restart()


def exchanges(place, flow):
    """What the flow begins with is prepared and kept, and the flow run undisturbed.

    Consent was given before, and the emulator has written that down: it must not forget it when it is killed.
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
    """Goes through the flow's exchanges; before each, everything is as it was in the beginning."""
    names = exchanges(place, flow)
    for number, name in enumerate(names, 1):
        place.emulator.revive()
        place.restore()
        with report(f"{flow} {number}/{len(names)}, {name.split(' ')[0]} {name.rsplit('/', 1)[1]}: {words}") as told:
            yield number, told


def broken(flow, fault):
    def drill(place, report):
        for number, told in each_point(place, flow, report, gate.FAULTS[fault]):
            place.gate.open_for(fault, number, once=fault == "reset")
            run = told(place.run(flow))
            # What broke once may have gone well at the second try; a device's code goes on being asked for, in time.
            place.holds(run, {0, 1, 3} if fault == "reset" or flow == "device code" else {3})
            place.recovers(account=FLOWS[flow][1])
    return drill


def interrupted(flow):
    """Nothing is answered any more, and the user has enough of it."""
    def drill(place, report):
        for number, told in each_point(place, flow, report, "no answer, then Ctrl-C"):
            place.gate.open_for("stall", number)
            run = place.start(flow)
            until(lambda: len(place.gate.seen) >= number, 20, "the exchange")
            run.process.send_signal(signal.SIGTERM if number % 2 else signal.SIGINT)
            told(run.wait(4))
            # A request to end is answered like Ctrl-C.
            place.holds(run, {130, 143})
            place.recovers(account=FLOWS[flow][1])
    return drill


def silent_for_ever(flow, number):
    """A whole patience of the HTTP client, and another one for the second try."""
    def drill(place, report):
        names = exchanges(place, flow)
        place.restore()
        with report(f"{flow}, {names[number - 1]}: {gate.FAULTS['stall']}, and nobody interrupts") as told:
            place.gate.open_for("stall", number)
            run = told(place.run(flow, seconds=75))
            place.holds(run, {3})
            must("timed out" in run.errors, run.errors)
            place.recovers(account=FLOWS[flow][1])
    return drill


def step_timeout(place, report):
    place.workflow("impatient", "[{interactive: {}, timeout: 1s}]")
    with report("sign-in, nothing is answered, and the step's own timeout is over") as told:
        place.gate.open_for("stall", 3)
        run = told(place.run("impatient", seconds=6))
        place.holds(run, {1})  # not the surroundings' doing
        place.recovers()


def commands(place, report):
    """The commands for scripts print a token, or an answer, or nothing."""
    app = ("--settings", "S.yaml", "--platform", "live")
    prepare_consent(place)
    place.keep()
    for command in (("token",), ("api", "get", "/me")):
        place.gate.open_for()
        must(Run(place, [*command, *app]).wait().code == 0, command, "does not go well undisturbed")
        names = list(place.gate.seen)
        for number, name in enumerate(names, 1):
            place.emulator.revive()
            place.restore()
            with report(f"authflow {' '.join(command)}, {number}/{len(names)}, {name}: {gate.FAULTS['kill']}") as told:
                place.gate.open_for("kill", number)
                run = told(Run(place, [*command, *app]).wait())
                place.holds(run, {3})
                must(not run.output.strip() and "help: " in run.errors, "it printed", run.output[:80], run.errors)
                place.recovers(account=True)


DRILLS = {f"{flow}: {gate.FAULTS[fault]}": broken(flow, fault)
          for flow in ("sign-in", "renewal", "sign-out") for fault in ("kill", "reset", "cut", "handshake")}
DRILLS |= {f"device code: {gate.FAULTS[fault]}": broken("device code", fault) for fault in ("kill", "reset")}
DRILLS |= {f"{flow}: interrupted": interrupted(flow) for flow in ("sign-in", "renewal", "sign-out")}
DRILLS |= {"a step's timeout": step_timeout, "token and api: the server is killed": commands}
# These wait for nothing but the clock.
IDLE = {"no answer: sign-in page": silent_for_ever("sign-in", 3), "no answer: code redemption": silent_for_ever("sign-in", 7),
        "no answer: renewal": silent_for_ever("renewal", 3), "no answer: Graph": silent_for_ever("renewal", 5)}
