import Documents
import Effects

/// The JSON Schema (2020-12) for the lines of a recording, version 1.
package enum RecordingSchema {
  package static var schema: JSON {
    [
      "title": "authflow recording",
      "description": """
      One line of a recording in JSON Lines format. The first line is the header. Each of the following lines is an \
      HTTP exchange or a browser visit. A placeholder such as ‹access token #1› always represents the same secret. A \
      placeholder such as ‹+3600 s› is a time relative to `at`.
      """,
      "type": "object",
      "oneOf": [header, exchange, visit, badlySigned],
      "$defs": [
        "fields": [
          "type": "object", "description": "Values by name. A list contains the values of a repeated name",
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
    ("base64", ["type": "string", "description": "Binary body"]),
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
      ("recording", ["const": .integer(Int64(Recording.version)), "description": "Format version"]),
      ("platform", ["enum": ["emulated", "live", "replay"], "description": "Recorded platform"]),
      ("recordedAt", ["type": "string", "format": "date-time"]), ("tool", text),
    ], required: ["recording", "recordedAt"])

  private static let common: [(String, JSON)] = [
    ("at", ["type": "number", "minimum": 0, "description": "Seconds since the start of the recording"]),
    ("took", ["type": "number", "minimum": 0, "description": "Duration in seconds; omitted if less than one second"]),
    (
      "issued",
      [
        "type": "object", "description": "Metadata of the placeholders that first appear in this response",
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
      ("method", ["type": "string", "description": "HTTP method, or `VISIT` for a page in the browser"]), ("url", text),
      ("query", fields),
      ("headers", fields),
    ] + bodies, required: ["method", "url"])

  private static let failure = object(
    [("kind", ["enum": .array(TransportFailure.recordedKinds.map { .string($0) })]), ("reason", text)],
    required: ["kind", "reason"])

  private static let issued = object(
    [
      ("header", ["type": "object", "description": "Header of the JSON Web Token"]), ("claims", ["type": "object"]),
      ("badlySigned", ["type": "boolean", "description": "Whether the signature is invalid"]),
      ("length", ["type": "integer", "minimum": 0, "description": "Length of an opaque secret in bytes"]),
      ("shape", ["type": "string", "description": "Shape of a short secret: `A` and `a` for letters, `9` for digits"]),
    ], required: [])
}
