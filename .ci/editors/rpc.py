"""A JSON-RPC client that can also send invalid messages. It reads messages in a thread, with the time of each."""
import json
import queue
import subprocess
import threading
import time


def result_for(request):
    """Returns the result of a client that accepts edits and has no settings."""
    match request["method"]:
        case "workspace/applyEdit":
            return {"applied": True}
        case "workspace/configuration":
            return [None] * len(request["params"]["items"])
    return None


class Server:
    def __init__(self, program, *arguments, folder, environment=None, stderr=subprocess.DEVNULL):
        self.process = subprocess.Popen(
            [program, *arguments], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr)
        self.messages, self.pending, self.number = queue.Queue(), [], 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        output = self.process.stdout
        while True:
            length = None
            while (line := output.readline()) not in (b"\r\n", b""):
                name, _, value = line.decode("ascii").partition(":")
                if name.lower() == "content-length":
                    length = int(value)
            if length is None:
                self.messages.put((time.monotonic(), None))
                return
            self.messages.put((time.monotonic(), json.loads(output.read(length))))

    def write(self, content):
        """Sends the content of a message as bytes."""
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()

    def send(self, **message):
        self.write(json.dumps(message, ensure_ascii=False).encode())

    def notify(self, method, params):
        self.send(jsonrpc="2.0", method=method, params=params)

    def ask(self, method, params=None):
        """Sends a request and returns its ID."""
        self.number += 1
        self.send(jsonrpc="2.0", id=self.number, method=method, params={} if params is None else params)
        return self.number

    def receive(self, accepts, limit=20):
        """Returns the first message that a function accepts, with its time. Responds to requests with an empty result."""
        for index, (moment, message) in enumerate(self.pending):
            if accepts(message):
                del self.pending[index]
                return moment, message
        deadline = time.monotonic() + limit
        while True:
            try:
                moment, message = self.messages.get(timeout=max(0, deadline - time.monotonic()))
            except queue.Empty:
                raise TimeoutError(f"no expected message within {limit} s") from None
            if message is None:
                raise EOFError(f"the server closed its output, exit status {self.process.poll()}")
            if "method" in message and "id" in message:
                self.send(jsonrpc="2.0", id=message["id"], result=result_for(message))
            if accepts(message):
                return moment, message
            self.pending.append((moment, message))

    def answer(self, number, limit=20):
        """Returns the response to a request."""
        return self.receive(lambda message: "method" not in message and message.get("id") == number, limit)[1]

    def call(self, method, params=None, limit=20):
        response = self.answer(self.ask(method, params), limit)
        if "error" in response:
            raise RuntimeError(f"{method}: {response['error']}")
        return response["result"]

    def initialize(self, folder, capabilities=None):
        root = folder.as_uri()
        result = self.call("initialize", {
            "processId": None, "rootUri": root, "workspaceFolders": [{"uri": root, "name": folder.name}],
            "capabilities": capabilities or {}})
        self.notify("initialized", {})
        return result

    def end(self, limit=10):
        """Shuts the server down and returns its exit status."""
        self.call("shutdown")
        self.notify("exit", None)
        return self.process.wait(limit)

    def kill(self):
        self.process.kill()
        self.process.wait()
