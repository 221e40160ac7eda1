import Documents

/// The published format of a trace line, version 2, as JSON Schema (2020-12).
package enum TraceSchema {
  /// The version in the `format` member of `run.started`.
  package static let version = 2

  package static var schema: JSON {
    let kinds = TraceEvent.Kind.allCases.map { kind -> JSON in
      var properties: JSON = ["kind": ["const": .string(kind.rawValue)]]
      for (name, schema) in members(of: kind) { properties[name] = schema }
      return [
        "if": ["properties": ["kind": ["const": .string(kind.rawValue)]]],
        "then": ["properties": properties, "required": .array(required(of: kind).map { .string($0) })],
      ]
    }
    return [
      "title": "authflow trace event",
      "description":
        "One line of a trace (JSON Lines). Secrets are masked: ‹access token #1› is the same token everywhere.",
      "type": "object",
      "required": ["seq", "time", "kind"],
      "properties": [
        "seq": ["type": "integer", "minimum": 1, "description": "sequence number, from 1 without gaps"],
        "time": [
          "type": "string", "pattern": #"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$"#,
          "description": "time on the run's clock, in UTC",
        ],
        "kind": ["enum": .array(TraceEvent.Kind.allCases.map { .string($0.rawValue) })],
        "step": ["type": "string", "description": "step that caused the event"],
      ],
      "allOf": .array(kinds),
    ]
  }

  private static let text: JSON = ["type": "string"]
  private static let texts: JSON = ["type": "array", "items": ["type": "string"]]
  private static let mapping: JSON = ["type": "object"]

  /// Returns the required members of a kind, in addition to `seq`, `time`, and `kind`.
  package static func required(of kind: TraceEvent.Kind) -> [String] {
    switch kind {
    case .runStarted: ["format", "tool", "platform"]
    case .scenarioStarted: ["name"]
    case .stepStarted: ["step", "stepKind", "rule"]
    case .decision: ["subject", "verdict", "reason"]
    case .httpRequest: ["id", "from", "method", "url"]
    case .httpResponse: ["id", "from"]
    case .cacheRead, .cacheWritten: []
    case .interaction: ["phase", "purpose"]
    case .tokenAcquired: ["source", "scopes"]
    case .stepFinished: ["step", "stepKind", "outcome", "next"]
    case .scenarioFinished: ["name", "outcome"]
    case .runFinished: ["outcome", "path"]
    }
  }

  /// Returns the published members of a kind with their schemas. Other members are allowed.
  package static func members(of kind: TraceEvent.Kind) -> [(String, JSON)] {
    switch kind {
    case .runStarted:
      [
        ("format", ["const": .integer(Int64(version))]), ("tool", text), ("name", text), ("file", text),
        ("source", text), ("usedSources", mapping), ("machine", mapping), ("platform", text), ("settings", mapping),
        ("traceId", ["type": "string", "pattern": "^[0-9a-f]{32}$"]),
      ]
    case .scenarioStarted: [("name", text)]
    case .stepStarted:
      [
        ("step", text), ("stepKind", text), ("rule", text), ("place", mapping), ("parent", text), ("client", text),
        ("number", ["type": "integer", "minimum": 1]),
      ]
    case .decision: [("subject", text), ("verdict", text), ("reason", text), ("facts", mapping)]
    case .httpRequest:
      [
        ("id", ["type": "integer"]), ("from", ["enum": ["app", "browser"]]), ("method", text), ("url", text),
        ("headers", mapping), ("body", mapping),
      ]
    case .httpResponse:
      [
        ("id", ["type": "integer"]), ("from", ["enum": ["app", "browser"]]), ("status", ["type": "integer"]),
        ("failure", text), ("headers", mapping), ("body", mapping), ("milliseconds", ["type": "number"]),
      ]
    case .cacheRead:
      [
        ("section", text), ("key", text), ("found", ["type": "boolean"]), ("reason", text),
        ("entries", ["type": "array", "items": mapping]), ("omitted", ["type": "integer"]),
      ]
    case .cacheWritten: [("reason", text), ("changes", ["type": "array", "items": mapping])]
    case .interaction:
      [
        ("phase", ["enum": ["opened", "page", "ended"]]), ("purpose", ["enum": ["signIn", "signOut", "deviceCode"]]),
        ("ending", text), ("screens", texts), ("url", text), ("screen", text), ("title", text), ("markup", text),
        ("style", text), ("entered", ["type": "array", "items": mapping]), ("pressed", text),
      ]
    case .tokenAcquired:
      [("source", text), ("scopes", texts), ("contents", ["type": "array", "items": mapping])]
    case .stepFinished:
      [
        ("step", text), ("stepKind", text), ("outcome", text), ("next", text), ("rule", text), ("parent", text),
        ("place", mapping), ("attempts", ["type": "integer"]), ("milliseconds", ["type": "number"]), ("error", mapping),
        ("account", mapping),
        ("previousAccount", mapping), ("webview", text), ("prompt", text), ("loginHint", text), ("domainHint", text),
      ]
    case .scenarioFinished: [("name", text), ("outcome", text)]
    case .runFinished:
      [
        ("outcome", text), ("path", texts), ("interactions", ["type": "integer"]), ("pages", ["type": "integer"]),
        ("milliseconds", ["type": "number"]),
      ]
    }
  }
}
