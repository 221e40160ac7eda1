import Documents
import OrderedCollections
import Reports

/// Traces for page tests.
enum PageTraces {
  static func tracedRun(_ lines: [JSON]) -> TracedRun? {
    var text = ""
    for (index, line) in lines.enumerated() {
      var members = line.object ?? [:]
      members["seq"] = .integer(Int64(index + 1))
      if members["time"] == nil { members["time"] = .string("2025-01-01T00:00:0\(min(9, index)).000000Z") }
      text += JSON.object(members).text() + "\n"
    }
    return TraceReader.read(Array(text.utf8), named: "t.jsonl").tracedRun
  }

  /// Returns a run in which every string from servers and files is `text`.
  static func lines(_ text: String = "plain") -> [JSON] {
    let value = JSON.string(text)
    return [
      ["kind": "scenario.started", "name": value],
      [
        "kind": "run.started", "format": 2, "tool": value, "name": value, "file": "a.yaml", "platform": value,
        "source": .string("authflow: 1\nsteps:\n  - silent # \(text)\n"), "usedSources": .object([text: value]),
        "machine": [
          "title": value,
          "states": [["id": "silent", "kind": value, "detail": value, "role": "step"]],
          "transitions": [
            ["from": "silent", "outcomes": ["success"], "sort": "next", "to": "end"],
            ["from": "silent", "outcomes": .array([value]), "sort": "failure", "to": "fail"],
          ],
        ],
      ],
      [
        "kind": "step.started", "step": "silent", "stepKind": value, "rule": value, "description": value, "number": 1,
        "place": ["file": "a.yaml", "line": 3, "column": 5],
      ],
      [
        "kind": "decision", "step": "silent", "subject": value, "verdict": value, "reason": value,
        "facts": .object([
          text: value, "checks": [["check": value, "passed": false, "reason": value]],
        ]),
      ],
      [
        "kind": "http.request", "step": "silent", "id": 1, "from": "app", "method": value,
        "url": .string("https://login.microsoftonline.com/common/oauth2/v2.0/token?state=\(text)#\(text)"),
        "headers": .object([text: value, "location": value]),
        "body": ["bytes": 9, "type": value, "form": .object([text: value, "refresh_token": "‹refresh token #1›"])],
      ],
      [
        "kind": "http.response", "step": "silent", "id": 1, "from": "app", "status": 302, "milliseconds": 12,
        "headers": .object(["location": .string("javascript:\(text)"), text: value]),
        "body": [
          "bytes": 9, "type": value,
          "json": .object([
            "access_token": "‹access token #1›", "error_description": value, text: .object([text: value]),
          ]),
        ],
      ],
      [
        "kind": "cache.written", "step": "silent", "reason": value,
        "changes": [
          [
            "change": "added", "section": value, "key": value,
            "entry": .object(["target": value, text: value, "secret": "‹access token #1›"]),
          ]
        ],
      ],
      [
        "kind": "token.acquired", "step": "silent", "source": value, "scopes": .array([value]), "account": value,
        "accessToken": "‹access token #1›", "tenant": value, "authority": value,
        "contents": [
          [
            "token": "‹access token #1›", "header": .object([text: value]),
            "claims": .object([text: value, "scp": value, "exp": 1_735_693_200, "name": value]),
          ]
        ],
      ],
      ["kind": "interaction", "phase": "opened", "purpose": value, "step": "silent", "url": value, "userCode": value],
      [
        "kind": "interaction", "phase": "page", "purpose": value, "step": "silent", "screen": value, "title": value,
        "url": value, "markup": .string("<body><p>\(text)</p></body>"), "style": "p{color:red}",
        "entered": [["label": value, "value": "‹password #1›"]], "pressed": value,
      ],
      [
        "kind": "interaction", "phase": "ended", "purpose": value, "step": "silent", "ending": value,
        "screens": .array([value]), "pageError": value, "reason": value,
      ],
      [
        "kind": "step.finished", "step": "silent", "stepKind": value, "outcome": value, "means": value,
        "next": "failure",
        "rule": value, "verdict": "failed", "shows": value, "broken": .array([value]),
        "error": ["msal": value, "oauth": value, "code": value, "description": value],
      ],
      ["kind": "run.finished", "outcome": value, "reason": value, "path": .array([value]), "interactions": 1],
      ["kind": "scenario.finished", "name": value, "outcome": "failed", "broken": .array([value])],
    ]
  }
}
