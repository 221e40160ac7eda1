"""Tests `authflow dap` with dap-python's client: .ci/editors/dap_client.py PROGRAM [FEATURE…]

dap-python writes the requests. The official JSON Schema of the protocol, which debugpy contains, checks every message of the server.
"""
import asyncio
import importlib.util
import json
import pathlib
import re
import sys

import jsonschema
from dap import Client as Requests

from results import Client

tests = Client("dap-python", limit=30)
PROGRAM = sys.argv[1]
SCHEMA = json.loads((pathlib.Path(importlib.util.find_spec("debugpy").origin).parent
                     / "_vendored/pydevd/_pydevd_bundle/_debug_adapter/debugProtocol.json").read_text("utf-8"))

WORKFLOW = """\
authflow: 1
name: Outer
settings: AuthSettings.plist
steps:
  - id: login
    use: inner.yaml
  - id: profile
    callGraph: /me
    capture: { who: $.displayName }

scenarios:
  first run:
    expect:
      outcome: success
      interactions: 1
  wrong:
    expect:
      interactions: 7
"""
INNER = """\
authflow: 1
name: Inner
settings: AuthSettings.plist
steps:
  - loadAccount
  - silent
  - interactive-fallback
"""


def definition(message):
    if message["type"] == "event":
        name = message["event"]
        return name[0].upper() + name[1:] + "Event"
    if not message["success"]:
        return "ErrorResponse"
    name = message["command"]
    return name[0].upper() + name[1:] + "Response"


def check_schema(message):
    name = definition(message)
    assert name in SCHEMA["definitions"], f"no definition {name}: {message}"
    jsonschema.Draft4Validator({"definitions": SCHEMA["definitions"], "allOf": [{"$ref": f"#/definitions/{name}"}]}).validate(message)


class Failed(Exception):
    pass


class Debugger:
    """A debug session. Waits for responses and events in the order in which the server sends them."""

    def __init__(self, project):
        self.project, self.client, self.events, self.sequence = project, Requests("authflow", lines_start_at1=True, columns_start_at1=True), [], 0
        self.output, self.arrived = "", asyncio.Condition()
        self.responses, self.thread, self.problem = {}, None, None

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(
            PROGRAM, "dap", cwd=self.project.folder, env=self.project.environment, stdin=-1, stdout=-1, stderr=asyncio.subprocess.DEVNULL)
        self.reader = asyncio.create_task(self.read())
        # dap-python's client begins with the request `initialize`.
        self.capabilities = (await self.response(1, "initialize")).get("body", {})
        return self

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        self.reader.cancel()

    async def read(self):
        """Reads messages until the output ends or a message is invalid."""
        try:
            await self.read_messages()
        except Exception as error:
            async with self.arrived:
                self.problem = error
                self.arrived.notify_all()

    async def read_messages(self):
        while True:
            header = await self.process.stdout.readuntil(b"\r\n\r\n")
            message = json.loads(await self.process.stdout.readexactly(int(header.split(b":")[1])))
            check_schema(message)
            assert message["seq"] > self.sequence, f"seq {message['seq']} after {self.sequence}"
            self.sequence = message["seq"]
            async with self.arrived:
                if message["type"] == "response":
                    self.responses[message["request_seq"]] = message
                else:
                    if message["event"] == "output":
                        self.output += message["body"]["output"]
                    # A stop must not be reported before the response to the request that caused it.
                    self.events.append((message, set(self.responses)))
                self.arrived.notify_all()

    async def wait(self, look, what):
        async with self.arrived:
            try:
                async with asyncio.timeout(10):
                    while (value := look()) is None:
                        if self.problem:
                            raise AssertionError(f"missing: {what}; {type(self.problem).__name__}: {self.problem}")
                        await self.arrived.wait()
            except TimeoutError:
                names = [event for event, _ in self.events if event["event"] != "output"]
                raise AssertionError(f"missing: {what}; events: {names}; output: {self.output[-200:]!r}") from None
            return value

    async def response(self, number, command):
        self.process.stdin.write(self.client.send())
        await self.process.stdin.drain()
        message = await self.wait(lambda: self.responses.get(number), f"a response to {command}")
        assert message["command"] == command, message
        return message

    async def call(self, method, *arguments, command=None, **options):
        """Sends a request of dap-python's client and returns the body of the response."""
        return await self.ask(getattr(self.client, method)(*arguments, **options))

    async def request(self, command, **arguments):
        return await self.ask(self.client.send_request(command, arguments))

    async def ask(self, number):
        message = await self.response(number, self.client._pending_requests[number].command)
        if not message["success"]:
            text = message.get("message") or message["body"]["error"]["format"]
            raise Failed(text)
        return message.get("body", {})

    async def event(self, name):
        """Removes and returns the next event of a kind."""
        def look():
            for index, (message, _) in enumerate(self.events):
                if message["event"] == name:
                    del self.events[index]
                    return message
            return None

        return (await self.wait(look, f"the event {name}")).get("body", {})

    async def start(self, program="me.yaml", scenario=None, stop=False, breakpoints=(), functions=(), filters=None):
        launch = self.client.send_request("launch", {
            "program": str(self.project.path(program)), "stopOnEntry": stop, **({"scenario": scenario} if scenario else {})})
        self.process.stdin.write(self.client.send())
        await self.event("initialized")
        self.verified = []
        for name, places in breakpoints:
            found = await self.call("set_breakpoints", {"path": str(self.project.path(name))}, places)
            self.verified += found["breakpoints"]
        if functions:
            self.verified += (await self.call("set_function_breakpoints", functions))["breakpoints"]
        if filters is not None:
            await self.call("set_exception_breakpoints", filters, None, None)
        await self.call("configuration_done")
        await self.ask(launch)

    async def stopped(self, reason=None):
        body = await self.event("stopped")
        assert reason is None or body["reason"] == reason, body
        self.thread = body["threadId"]
        return body

    async def frames(self):
        return (await self.call("stack_trace", self.thread))["stackFrames"]

    async def frame(self):
        return (await self.frames())[0]

    async def move(self, method):
        """Continues or steps and returns the top frame at the next stop."""
        number = getattr(self.client, method)(self.thread)
        await self.ask(number)
        body = await self.event("stopped")
        self.thread = body["threadId"]
        return await self.frame()

    async def ended(self):
        code = (await self.event("exited"))["exitCode"]
        await self.event("terminated")
        return code

    async def evaluate(self, expression, context="watch"):
        frame = await self.frame()
        return (await self.call("evaluate", expression, frame_id=frame["id"], context=context))["result"]

    async def variables(self):
        """Returns the variables of all scopes as text, with nested variables to a depth of 4."""
        frame, found = await self.frame(), []

        async def visit(reference, path, depth):
            for variable in (await self.call("variables", reference))["variables"]:
                found.append(f"{path}.{variable['name']}: {variable['value']}")
                if variable["variablesReference"] and depth:
                    await visit(variable["variablesReference"], f"{path}.{variable['name']}", depth - 1)

        for scope in (await self.call("scopes", frame["id"]))["scopes"]:
            await visit(scope["variablesReference"], scope["name"], 4)
        return found


def line(text, needle, occurrence=0):
    """Returns the line number of a string, starting at 1."""
    found = [number for number, content in enumerate(text.split("\n"), 1) if needle in content]
    return found[occurrence]


def nested(project):
    project.write("outer.yaml", WORKFLOW)
    project.write("inner.yaml", INNER)


async def refused(call, *texts):
    try:
        await call
    except Failed as error:
        assert all(text in str(error) for text in texts), error
        return
    raise AssertionError("the request succeeds")


@tests.feature("launch")
async def launch(project):
    async with Debugger(project) as debugger:
        await debugger.start(scenario="first run")
        assert await debugger.ended() == 0
        assert "loadAccount" in debugger.output
        await debugger.call("disconnect")
        assert await asyncio.wait_for(debugger.process.wait(), 10) == 0
    async with Debugger(project) as debugger:
        await debugger.start()
        assert await debugger.ended() == 0
    nested(project)
    async with Debugger(project) as debugger:
        await debugger.start("outer.yaml", "wrong", filters=[])
        assert await debugger.ended() == 1


@tests.feature("breakpoints")
async def breakpoints(project):
    nested(project)
    async with Debugger(project) as debugger:
        places = [("outer.yaml", [{"line": line(WORKFLOW, "id: profile")}, {"line": line(WORKFLOW, "interactions: 1")}]),
                  ("inner.yaml", [{"line": line(INNER, "- loadAccount")}])]
        await debugger.start("outer.yaml", "first run", breakpoints=places)
        assert all(item["verified"] for item in debugger.verified), debugger.verified
        stops = []
        for _ in range(3):
            body = await debugger.stopped()
            assert body["reason"] == "breakpoint" and body["hitBreakpointIds"], body
            frame = await debugger.frame()
            stops.append((pathlib.Path(frame["source"]["path"]).name, frame["line"]))
            await debugger.call("continue_", debugger.thread)
        assert stops == [("inner.yaml", line(INNER, "- loadAccount")), ("outer.yaml", line(WORKFLOW, "id: profile")),
                         ("outer.yaml", line(WORKFLOW, "interactions: 1"))], stops
        assert await debugger.ended() == 0


@tests.feature("breakpoint locations")
async def locations(project):
    async with Debugger(project) as debugger:
        text = project.text("me.yaml")
        found = await debugger.call("breakpoint_locations", {"path": str(project.path("me.yaml"))}, 1, end_line=text.count("\n") + 1)
        lines = {item["line"] for item in found["breakpoints"]}
        assert {line(text, f"  - {step}") for step in ("loadAccount", "silent", "callGraph", "signout")} <= lines, lines
        # A breakpoint on a comment is moved or not verified.
        moved = (await debugger.call("set_breakpoints", {"path": str(project.path("me.yaml"))}, [{"line": 3}]))["breakpoints"][0]
        assert not moved["verified"] and moved["message"] or moved["line"] in lines, moved


@tests.feature("conditions and log points")
async def conditions(project):
    text = project.text("me.yaml")
    call = line(text, "- callGraph")
    for condition, stops in (("silent.tokenSource == cache", 1), ("silent.tokenSource == refreshToken", 0)):
        async with Debugger(project) as debugger:
            await debugger.start(scenario="returning user", breakpoints=[("me.yaml", [{"line": call, "condition": condition}])])
            if stops:
                await debugger.stopped("breakpoint")
                await debugger.call("continue_", debugger.thread)
            assert await debugger.ended() == 0
    for hits, stops in (("1", 1), ("2", 0)):
        async with Debugger(project) as debugger:
            await debugger.start(scenario="returning user", breakpoints=[("me.yaml", [{"line": call, "hitCondition": hits}])])
            if stops:
                await debugger.stopped("breakpoint")
                await debugger.call("continue_", debugger.thread)
            assert await debugger.ended() == 0
    async with Debugger(project) as debugger:
        await debugger.start(scenario="returning user", breakpoints=[("me.yaml", [{"line": call, "logMessage": "from {silent.tokenSource}!"}])])
        assert await debugger.ended() == 0
        assert "from cache!" in debugger.output, debugger.output


@tests.feature("function breakpoints")
async def functions(project):
    async with Debugger(project) as debugger:
        await debugger.start(scenario="access token expired", functions=[{"name": "callGraph"}])
        await debugger.stopped()
        assert "callGraph" in (await debugger.frame())["name"]
        await debugger.call("continue_", debugger.thread)
        assert await debugger.ended() == 0


@tests.feature("failed expectations as exceptions")
async def exceptions(project):
    nested(project)
    async with Debugger(project) as debugger:
        await debugger.start("outer.yaml", "wrong", filters=["failedExpectation"])
        await debugger.stopped("exception")
        frame = await debugger.frame()
        assert frame["line"] == line(WORKFLOW, "interactions: 7"), frame
        details = await debugger.call("exception_info", debugger.thread)
        assert "interactions" in json.dumps(details), details
        await debugger.call("continue_", debugger.thread)
        assert await debugger.ended() == 1


@tests.feature("stepping")
async def stepping(project):
    nested(project)
    async with Debugger(project) as debugger:
        await debugger.start("outer.yaml", "first run", stop=True)
        await debugger.stopped("entry")
        assert "login" in (await debugger.frame())["name"]
        assert "loadAccount" in (await debugger.move("step_in"))["name"]
        frames = await debugger.frames()
        assert len(frames) >= 2 and any("login" in frame["name"] for frame in frames[1:]), frames
        assert pathlib.Path(frames[0]["source"]["path"]).name == "inner.yaml"
        assert "profile" in (await debugger.move("step_out"))["name"]
        await debugger.call("next", debugger.thread)
        assert await debugger.ended() == 0


@tests.feature("stepping back")
async def stepping_back(project):
    async with Debugger(project) as debugger:
        assert debugger.capabilities["supportsStepBack"] is True
        await debugger.start(scenario="returning user", stop=True)
        await debugger.stopped("entry")
        names = [(await debugger.frame())["name"]]
        for _ in range(2):
            names.append((await debugger.move("next"))["name"])
        assert (await debugger.move("step_back"))["name"] == names[1]
        assert (await debugger.move("step_back"))["name"] == names[0]
        assert (await debugger.move("next"))["name"] == names[1]
        assert (await debugger.move("reverse_continue"))["name"] == names[0]
        await debugger.call("continue_", debugger.thread)
        assert await debugger.ended() == 0


@tests.feature("variables")
async def variables(project):
    nested(project)
    async with Debugger(project) as debugger:
        await debugger.start("outer.yaml", "first run", breakpoints=[("outer.yaml", [{"line": line(WORKFLOW, "interactions: 1")}])])
        await debugger.stopped("breakpoint")
        found = "\n".join(await debugger.variables())
        for part in ("megan@contoso.com", "Megan", "User.Read"):
            assert part in found, (part, found[:2000])
        secrets = [line for line in found.split("\n") if re.search(r"eyJ[\w-]+\.[\w-]+|Fake-Megan-1", line)]
        assert not secrets, secrets
        await refused(debugger.call("variables", 987_654), "987654")
        await refused(debugger.call("scopes", 987_654))


@tests.feature("evaluation")
async def evaluation(project):
    async with Debugger(project) as debugger:
        await debugger.start(scenario="returning user", breakpoints=[("me.yaml", [{"line": line(project.text("me.yaml"), "- callGraph")}])])
        await debugger.stopped("breakpoint")
        for context in ("watch", "hover", "repl"):
            assert "cache" in await debugger.evaluate("silent.tokenSource", context)
        await refused(debugger.evaluate("no such thing ]["))
        await refused(debugger.evaluate("x" * 10_000))
        assert await debugger.evaluate("help", "repl")


@tests.feature("simulated events")
async def simulated(project):
    async with Debugger(project) as debugger:
        text = project.text("me.yaml")
        await debugger.start(scenario="returning user", breakpoints=[("me.yaml", [{"line": line(text, "- silent")}])])
        await debugger.stopped("breakpoint")
        await debugger.evaluate("simulate sessionsRevoked", "repl")
        await debugger.evaluate("simulate wait: 2h", "repl")
        assert "interactive-fallback" in (await debugger.move("next"))["name"]
        assert "interactionRequired" in await debugger.evaluate("silent.outcome")
        await refused(debugger.evaluate("simulate noSuchEvent", "repl"), "noSuchEvent")


@tests.feature("console completion")
async def completion(project):
    async with Debugger(project) as debugger:
        await debugger.start(scenario="returning user", stop=True)
        await debugger.stopped("entry")
        frame = await debugger.frame()
        found = await debugger.call("completions", "simulate ses", 13, 1, frame_id=frame["id"])
        assert any("sessionsRevoked" in item["label"] for item in found["targets"]), found


@tests.feature("restart")
async def restart(project):
    nested(project)
    async with Debugger(project) as debugger:
        await debugger.start("outer.yaml", "wrong", stop=True, filters=[])
        await debugger.stopped("entry")
        project.write("outer.yaml", WORKFLOW.replace("interactions: 7", "interactions: 1"))
        await debugger.request("restart")
        await debugger.stopped("entry")
        await debugger.call("continue_", debugger.thread)
        assert await debugger.ended() == 0


@tests.feature("terminate")
async def terminate(project):
    async with Debugger(project) as debugger:
        await debugger.start(scenario="first run", stop=True)
        await debugger.stopped("entry")
        await debugger.call("terminate")
        await debugger.event("terminated")
    async with Debugger(project) as debugger:
        debugger.process.stdin.close()
        assert await asyncio.wait_for(debugger.process.wait(), 10) == 0


@tests.feature("error responses")
async def failures(project):
    async with Debugger(project) as debugger:
        path = str(project.path("me.yaml"))
        await refused(debugger.request("noSuchCommand"), "noSuchCommand")
        await refused(debugger.request("launch", program=str(project.path("missing.yaml"))), "missing.yaml")
        await refused(debugger.request("launch", program=path, scenario="frist run"), "first run")
        await refused(debugger.request("launch", program=3))
        await refused(debugger.request("launch"), "program")
        await refused(debugger.request("attach"))
        await refused(debugger.request("stackTrace", threadId=1))
        project.write("broken.yaml", "authflow: 1\nsteps: [silnt]\n")
        await refused(debugger.request("launch", program=str(project.path("broken.yaml"))), "silnt")


tests.main(sys.argv[2:])
