import Diagnostics
import Documents
import Effects
import OrderedCollections

extension Fault.Response {
  /// The codec for headers. Each name must be a token, and each value must be a single line (RFC 9110 §5).
  private static let headerCodec = Codec<OrderedDictionary<String, String>>.map(of: .string)
    .flatMap { fields, node, problems -> OrderedDictionary<String, String>? in
      for (name, value) in fields {
        let isToken = name.utf8.allSatisfy { byte in
          (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
        guard isToken, !name.isEmpty, isOneLine(value) else {
          problems.error("wrong-header", "invalid HTTP header \(name.debugDescription)", at: node)
          return nil
        }
      }
      return fields
    }

  private static let typeCodec = Codec<String>.nonEmptyString.flatMap { text, node, problems -> String? in
    if isOneLine(text), text.utf8.contains(UInt8(ascii: "/")) { return text }
    problems.error(
      "wrong-header", "`\(text)` is not a media type", help: "use a media type such as `text/html`", at: node)
    return nil
  }

  private static func isOneLine(_ value: String) -> Bool {
    !value.utf8.contains { $0 == 13 || $0 == 10 || $0 == 0 }
  }

  /// The codec for an error code such as `AADSTS50076` or `AADB2C90118`, or only its number.
  private static let codeCodec = Codec<String>(
    expecting: "a code such as `AADSTS50076`",
    schema: ["anyOf": [["type": "string", "pattern": "^([A-Za-z0-9]*[A-Za-z])?[0-9]+$"], ["type": "integer"]]]
  ) { node, problems in
    guard let text = node.string ?? node.integer.map({ String($0) }) else {
      problems.mismatch(node, expected: "a code such as `AADSTS50076`")
      return nil
    }
    if text.wholeMatch(of: /([A-Za-z0-9]*[A-Za-z])?[0-9]{1,9}/) != nil { return text }
    problems.error(
      "unknown-value", "`\(text)` is not an error code", help: "use a code such as `AADSTS50076`", at: node)
    return nil
  }

  private static let retryAfterCodec = Codec<Fault.RetryAfter>(
    expecting: "a duration such as `30s`, or an HTTP date",
    schema: ["anyOf": [Codec<Duration>.duration.schema(), ["type": "integer", "minimum": 0], ["type": "string"]]]
  ) { node, problems in
    if node.kind == .integer, let seconds = node.integer, seconds >= 0 { return .seconds(.seconds(seconds)) }
    guard let text = node.string else {
      problems.mismatch(node, expected: "a duration such as `30s`, or an HTTP date")
      return nil
    }
    if let duration = Duration(parsing: text) { return .seconds(duration) }
    if CalendarTime(httpDate: text, currentYear: 2025) != nil { return .date(text) }
    problems.error(
      "bad-duration", "`\(text)` is neither a duration nor an HTTP date",
      help: "write 30s, or Wed, 01 Jan 2025 00:00:30 GMT", at: node)
    return nil
  }

  package static let fields = Fields<Fault.Response>(
    "a fault's response",
    [
      Field("status", .integer(in: 100...599), into: { $0.status = $1 }, "HTTP status"),
      Field(
        "retryAfter", retryAfterCodec, into: { $0.retryAfter = $1 },
        "`Retry-After` header, as a duration or an HTTP date"),
      Field("error", .nonEmptyString, into: { $0.error = $1 }, "OAuth error, or Microsoft Graph error code"),
      Field("suberror", .string, into: { $0.suberror = $1 }, "the suberror"),
      Field("code", codeCodec, into: { $0.code = $1 }, "AADSTS code; sets the defaults for the other fields"),
      Field("claims", .any, into: { $0.claims = $1 }, "claims challenge in the error response"),
      Field(
        "headers", headerCodec, into: { $0.headers = $1 },
        "additional headers; without `status`, they are added to the real response"),
      Field("type", typeCodec, into: { $0.type = $1 }, "`Content-Type` header, such as `text/html`"),
      Field("body", .any, into: { $0.body = $1 }, "response body; strings are sent unchanged, and mappings as JSON"),
      Field("delay", .duration, into: { $0.delay = $1 }, "delay before the response"),
    ])
}

extension Fault.Effect {
  private static let expectation =
    "\(words.map { "`\($0.word)`" }.joined(separator: ", ")), `{delay: 5s}`, or a mapping with `status`, `error`, `code`, …"

  package static let codec = Codec<Fault.Effect>(
    expecting: expectation,
    schema: ["anyOf": [["enum": .array(words.map { .string($0.word) })], Fault.Response.fields.schema]]
  ) { node, problems in
    if let text = node.string {
      if let found = words.first(where: { $0.word == text }) { return found.effect }
      problems.error(
        "unknown-value", "unknown fault response `\(text)`",
        help: Suggestion.nearest(to: text, among: words.map(\.word)).map { "did you mean `\($0)`?" }
          ?? "write \(expectation)", at: node)
      return nil
    }
    if node.kind == .mapping, node.count == 1, let delay = node["delay"] {
      return Codec.duration.read(delay, &problems).map { .delay($0) }
    }
    if node.kind == .mapping, node.count == 0 {
      problems.error(
        "empty-value", "fault has an empty response", help: "use `{status: 503}`, `reset`, or `{delay: 5s}`", at: node)
      return nil
    }
    var answer = Fault.Response()
    return Fault.Response.fields.read(node, into: &answer, &problems) ? .answer(answer) : nil
  }
}

extension Fault {
  private static let endpoints = Endpoint.allCases.map(\.rawValue)

  private static let target = Codec<Target>(
    expecting: "an endpoint such as `token`, or a request such as `GET /v1.0/me`",
    schema: [
      "anyOf": [
        ["enum": .array(endpoints.map { .string($0) })], ["type": "string", "pattern": "^([A-Za-z]+ +)?/"],
      ]
    ]
  ) { node, problems in
    guard let text = Codec<String>.nonEmptyString.read(node, &problems) else { return nil }
    if let target = Target(spelled: text) { return target }
    problems.error(
      "unknown-value", "unknown endpoint `\(text)`",
      help: Suggestion.nearest(to: text, among: endpoints).map { "did you mean `\($0)`?" }
        ?? "use \(endpoints.joined(separator: ", ")), or a request such as `GET /v1.0/me`", at: node)
    return nil
  }

  private static let times = Codec<Times>(
    expecting: "a positive integer or `always`",
    schema: ["anyOf": [["type": "integer", "minimum": 1], ["const": "always"]]]
  ) { node in
    if node.string == "always" { return .always }
    guard let count = node.integer, count >= 1 else { return nil }
    return .count(Int(clamping: count))
  }

  package static let fields = Fields<Fault>(
    "a fault",
    [
      Field(
        "at", target, into: { $0.at = $1 }, required: true,
        "requests that trigger the fault: \(endpoints.joined(separator: ", ")), or a request such as `GET /v1.0/me`; `*` matches any text"
      ),
      Field(
        "response", Effect.codec, into: { $0.effect = $1 }, required: true, "response that replaces the real one"),
      Field("times", times, into: { $0.times = $1 }, default: 1, "number of affected requests, or `always`"),
      Field(
        "skip", .integer(in: 0...1_000_000), into: { $0.skip = $1 }, default: 0,
        "number of matching requests that pass before the fault triggers"),
    ])
}
