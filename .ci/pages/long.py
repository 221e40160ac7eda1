"""Prints a trace of 10,000 events: steps with requests and decisions, as a workflow with a loop would record them."""
import datetime
import json

start = datetime.datetime(2025, 1, 1, 12, 0, 0)
number = 0


def record(kind, **members):
    global number
    number += 1
    time = (start + datetime.timedelta(milliseconds=number * 7)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    print(json.dumps({"seq": number, "time": time, "kind": kind, **members}))


record("run.started", format=2, tool="authflow 1.0", name="long run", file="long.yaml", platform="emulated")
for index in range(1666):
    record("step.started", step="callGraph", stepKind="callGraph", rule="the previous step", number=index + 1)
    record("decision", step="callGraph", subject="accessToken", verdict="hit", reason=f"valid for {index} more seconds")
    record("http.request", step="callGraph", id=index, **{"from": "app"}, method="GET", url=f"https://graph.microsoft.com/v1.0/me/messages/{index}")
    record("http.response", step="callGraph", id=index, **{"from": "app"}, status=200 if index % 7 else 429, milliseconds=3)
    record("decision", step="callGraph", subject="retry", verdict="none", reason="the request succeeded")
    record("step.finished", step="callGraph", stepKind="callGraph", outcome="success", verdict="ok", next="callGraph")
while number < 9999:
    record("decision", subject="accessToken", verdict="hit", reason="valid")
record("run.finished", outcome="success", path=["callGraph.success"], interactions=0)
