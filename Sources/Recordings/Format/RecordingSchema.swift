import Documents
import Effects

/// The published form of a recording's lines, version 1, as JSON Schema (2020-12).
package enum RecordingSchema {
  package static var schema: JSON {
    [
      "title": "authflow recording",
      "description": """
      One line of a recording (JSON Lines). The first says what it is, each further one is an exchange or a visit of the \
      browser. ‹access token #1› stands for the same token everywhere; ‹+3600 s› is a moment, told from the line's own.
      """,
      "type": "object",
      "oneOf": [header, exchange, visit, badlySigned],
      "$defs": [
        "fields": [
          "type": "object", "description": "values by name; a list where a name stands more than once",
          "additionalProperties": ["anyOf": [text, ["type": "array", "items": text]]],
        ],
        "issued": issued, "request": request, "failure": failure,
      ],
    ]
  }

  private static let text: JSON = ["type": "string"]
  private static let seconds: JSON = ["type": "number", "minimum": 0]
  private static let fields: JSON = ["$ref": "#/$defs/fields"]

  private static let bodies: [(String, JSON)] = [
    ("form", fields), ("json", ["description": "a JSON body"]), ("text", text),
    ("base64", ["type": "string", "description": "bytes that are no text"]),
  ]

  private static func object(_ members: [(String, JSON)], required: [String]) -> JSON {
    var properties: JSON = [:]
    for (name, schema) in members { properties[name] = schema }
    return [
      "type": "object", "properties": properties, "required": .array(required.map { .string($0) }),
      "additionalProperties": false,
    ]
  }

  private static let header = object(
    [
      ("recording", ["const": .integer(Int64(Recording.version)), "description": "the version of the format"]),
      ("platform", ["enum": ["emulated", "live", "replay"], "description": "what was recorded"]),
      ("recordedAt", ["type": "string", "format": "date-time"]), ("tool", text),
    ], required: ["recording", "recordedAt"])

  private static let common: [(String, JSON)] = [
    ("at", ["type": "number", "minimum": 0, "description": "seconds from the beginning of the recording"]),
    ("took", ["type": "number", "minimum": 0, "description": "seconds that it took, where it was one or more"]),
    (
      "issued",
      [
        "type": "object", "description": "what is known of the placeholders that the answer brings, by their words",
        "additionalProperties": ["$ref": "#/$defs/issued"],
      ]
    ), ("request", ["$ref": "#/$defs/request"]),
  ]

  private static let exchange = object(
    common + [
      ("kind", ["const": "exchange"]),
      (
        "response",
        object(
          [("status", ["type": "integer", "minimum": 100, "maximum": 599]), ("headers", fields)] + bodies,
          required: ["status"])
      ), ("failure", ["$ref": "#/$defs/failure"]),
    ], required: ["kind", "at", "request"])

  private static let visit = object(
    common + [
      ("kind", ["const": "visit"]), ("purpose", ["enum": ["signIn", "signOut", "deviceCode"]]), ("redirectUri", text),
      ("ephemeral", ["type": "boolean"]), ("screens", ["type": "array", "items": text]), ("pageError", text),
      (
        "ending",
        [
          "oneOf": [
            object(
              [
                (
                  "redirected",
                  object([("url", text), ("query", fields), ("fragment", fields)], required: ["url"])
                )
              ], required: ["redirected"]),
            object([("closed", text)], required: ["closed"]),
            object([("unavailable", text)], required: ["unavailable"]),
            object([("failed", ["$ref": "#/$defs/failure"])], required: ["failed"]),
            object([("finished", ["const": true])], required: ["finished"]),
          ]
        ]
      ),
    ], required: ["kind", "at", "request", "purpose", "ending"])

  private static let badlySigned = object(
    [("kind", ["const": "badlySigned"]), ("token", text)], required: ["kind", "token"])

  private static let request = object(
    [
      ("method", ["type": "string", "description": "VISIT for a page in the browser"]), ("url", text),
      ("query", fields),
      ("headers", fields),
    ] + bodies, required: ["method", "url"])

  private static let failure = object(
    [("kind", ["enum": .array(TransportFailure.recordedKinds.map { .string($0) })]), ("reason", text)],
    required: ["kind", "reason"])

  private static let issued = object(
    [
      ("header", ["type": "object", "description": "of a JSON Web Token"]), ("claims", ["type": "object"]),
      ("badlySigned", ["type": "boolean", "description": "whether its provider's keys refuse it"]),
      ("length", ["type": "integer", "minimum": 0, "description": "in bytes, of what cannot be looked into"]),
      ("shape", ["type": "string", "description": "A, a and 9 for letters and digits"]),
    ], required: [])
}
