"""An OTLP/HTTP receiver based on opentelemetry-proto: parses JSON as messages of the protocol and rejects invalid messages.

The first part of the path selects the response: /taken, /partly, /busy (once), /broken, /wrong.
"""
import base64
import http.server
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as service

busy = {"left": 1}


def with_base64_ids(value):
    """Converts IDs from hexadecimal (OTLP) to base64 (the JSON format of protobuf). The formats have no other differences."""
    if isinstance(value, list):
        return [with_base64_ids(item) for item in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for key, item in value.items():
        if key in ("traceId", "spanId", "parentSpanId"):
            assert item == item.lower() and len(item) == (32 if key == "traceId" else 16), (key, item)
            item = base64.b64encode(bytes.fromhex(item)).decode()
        result[key] = with_base64_ids(item)
    return result


def parse(text):
    request = service.ExportTraceServiceRequest()
    return json_format.Parse(json.dumps(with_base64_ids(json.loads(text))), request)


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status, body, **headers):
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        mode = self.path.strip("/").split("/")[0]
        if mode == "broken":
            return self.answer(500, {"code": 13, "message": "the disk is full"})
        if mode == "busy" and busy["left"]:
            busy["left"] -= 1
            return self.answer(503, {"message": "later"}, **{"retry-after": "1"})
        if self.path not in ("/v1/traces", "/taken", "/partly", "/busy"):
            return self.answer(404, {"message": "nothing is here"})
        if self.headers["content-type"] != "application/json":
            return self.answer(415, {"message": "JSON alone"})
        try:
            request = parse(body)
        except Exception as error:  # Reject any invalid message.
            return self.answer(400, {"code": 3, "message": str(error)})
        spans = [s for r in request.resource_spans for scope in r.scope_spans for s in scope.spans]
        with open(sys.argv[1], "a", encoding="utf-8") as file:
            for span in spans:
                file.write(json.dumps([span.name, span.trace_id.hex(), span.span_id.hex(), self.headers.get("x-key")]) + "\n")
        if mode == "partly":
            return self.answer(200, {"partialSuccess": {"rejectedSpans": "2", "errorMessage": "too old"}})
        self.answer(200, {})


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
