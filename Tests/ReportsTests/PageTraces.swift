import Documents
import OrderedCollections
import Reports

/// Traces of runs that pages are made of.
enum PageTraces {
  static func story(_ lines: [JSON]) -> TracedRun? {
    var text = ""
    for (index, line) in lines.enumerated() {
      var members = line.object ?? [:]
      members["seq"] = .integer(Int64(index + 1))
      if members["time"] == nil { members["time"] = .string("2025-01-01T00:00:0\(min(9, index)).000000Z") }
      text += JSON.object(members).text() + "\n"
    }
    return TraceReader.read(Array(text.utf8), named: "t.jsonl").story
  }

  /// A run in which every text is `text`: what servers, people and files say.
  static func run(_ text: String = "plain") -> [JSON] {
    let said = JSON.string(text)
    return [
      ["kind": "scenario.started", "name": said],
      [
        "kind": "run.started", "format": 2, "tool": said, "name": said, "file": "a.yaml", "platform": said,
        "source": .string("authflow: 1\nsteps:\n  - silent # \(text)\n"), "usedSources": .object([text: said]),
        "machine": [
          "title": said,
          "states": [["id": "silent", "kind": said, "detail": said, "role": "step"]],
          "transitions": [
            ["from": "silent", "outcomes": ["success"], "sort": "next", "to": "end"],
            ["from": "silent", "outcomes": .array([said]), "sort": "failure", "to": "fail"],
          ],
        ],
      ],
      [
        "kind": "step.started", "step": "silent", "stepKind": said, "rule": said, "description": said, "number": 1,
        "place": ["file": "a.yaml", "line": 3, "column": 5],
      ],
      [
        "kind": "decision", "step": "silent", "subject": said, "verdict": said, "reason": said,
        "facts": .object([
          text: said, "checks": [["check": said, "passed": false, "reason": said]],
        ]),
      ],
      [
        "kind": "http.request", "step": "silent", "id": 1, "from": "app", "method": said,
        "url": .string("https://login.microsoftonline.com/common/oauth2/v2.0/token?state=\(text)#\(text)"),
        "headers": .object([text: said, "location": said]),
        "body": ["bytes": 9, "type": said, "form": .object([text: said, "refresh_token": "‹refresh token #1›"])],
      ],
      [
        "kind": "http.response", "step": "silent", "id": 1, "from": "app", "status": 302, "milliseconds": 12,
        "headers": .object(["location": .string("javascript:\(text)"), text: said]),
        "body": [
          "bytes": 9, "type": said,
          "json": .object([
            "access_token": "‹access token #1›", "error_description": said, text: .object([text: said]),
          ]),
        ],
      ],
      [
        "kind": "cache.written", "step": "silent", "reason": said,
        "changes": [
          [
            "change": "added", "section": said, "key": said,
            "entry": .object(["target": said, text: said, "secret": "‹access token #1›"]),
          ]
        ],
      ],
      [
        "kind": "token.acquired", "step": "silent", "source": said, "scopes": .array([said]), "account": said,
        "accessToken": "‹access token #1›", "tenant": said, "authority": said,
        "contents": [
          [
            "token": "‹access token #1›", "header": .object([text: said]),
            "claims": .object([text: said, "scp": said, "exp": 1_735_693_200, "name": said]),
          ]
        ],
      ],
      ["kind": "interaction", "phase": "opened", "purpose": said, "step": "silent", "url": said, "userCode": said],
      [
        "kind": "interaction", "phase": "ended", "purpose": said, "step": "silent", "ending": said,
        "screens": .array([said]), "pageError": said, "reason": said,
      ],
      [
        "kind": "step.finished", "step": "silent", "stepKind": said, "outcome": said, "means": said, "next": "failure",
        "rule": said, "verdict": "failed", "shows": said, "broken": .array([said]),
        "error": ["msal": said, "oauth": said, "code": said, "description": said],
      ],
      ["kind": "run.finished", "outcome": said, "reason": said, "path": .array([said]), "interactions": 1],
      ["kind": "scenario.finished", "name": said, "outcome": "failed", "broken": .array([said])],
    ]
  }
}
