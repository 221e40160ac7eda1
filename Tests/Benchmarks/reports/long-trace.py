"""Creates a long trace from a short one: repeats its steps and continues the numbers of events and exchanges, and the times.

  long-trace.py TRACE.jsonl BYTES > LONG.jsonl
"""
import datetime
import json
import sys


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    wanted, written, number = int(sys.argv[2]), 0, 0
    body = [event for event in events[1:] if event["kind"] != "run.finished"]
    ending = next(event for event in events if event["kind"] == "run.finished")
    exchanges = max((event.get("id", 0) for event in body if event["kind"].startswith("http")), default=0)
    length = moment(body[-1]["time"]) - moment(events[0]["time"])

    def put(event, round_):
        nonlocal number, written
        number += 1
        time = (moment(event["time"]) + length * round_).isoformat(timespec="microseconds").replace("+00:00", "Z")
        event = {**event, "seq": number, "time": time}
        if event["kind"].startswith("http"):
            event["id"] += exchanges * round_
        line = json.dumps(event, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n"
        sys.stdout.write(line)
        written += len(line.encode())

    put(events[0], 0)
    rounds = 0
    while written < wanted:
        for event in body:
            put(event, rounds)
        rounds += 1
    put({**ending, "path": ending["path"] * rounds}, rounds)


main()
