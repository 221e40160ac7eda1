import DeclaredFields
import Diagnostics
import Documents
import Effects
import OrderedCollections

extension Fault.Answer {
  /// A header's name is a token, its value one line (RFC 9110 §5).
  private static let headerCodec = Codec<OrderedDictionary<String, String>>.map(of: .string)
    .flatMap { fields, node, problems -> OrderedDictionary<String, String>? in
      for (name, value) in fields {
        let isToken = name.utf8.allSatisfy { byte in
          (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
        guard isToken, !name.isEmpty, !value.utf8.contains(where: { $0 == 13 || $0 == 10 || $0 == 0 }) else {
          problems.error("wrong-header", "this is no header that HTTP can carry: \(name.debugDescription)", at: node)
          return nil
        }
      }
      return fields
    }

  package static let fields = Fields<Fault.Answer>(
    "a fault's answer",
    [
      Field("status", .integer(in: 100...599), into: \.status, "the HTTP status"),
      Field("retryAfter", .duration, into: \.retryAfter, "the Retry-After header"),
      Field("error", .string, into: \.error, "the OAuth error, or Graph's error code"),
      Field("suberror", .string, into: \.suberror, "the suberror"),
      Field("code", .string, into: \.code, "an AADSTS code; the other fields default to that error's own"),
      Field("claims", .any, into: \.claims, "a claims request that comes with the error"),
      Field("headers", headerCodec, into: \.headers, "further headers"),
      Field("body", .any, into: \.body, "the whole body"),
    ])
}

extension Fault.Effect {
  package static let codec = Codec<Fault.Effect>(
    expecting: "reset, truncated, html, {delay: 5s}, or a mapping with status, error, code, …",
    schema: [
      "anyOf": [
        ["enum": ["reset", "truncated", "html"]],
        ["type": "object", "properties": ["delay": Codec<Duration>.duration.schema()], "required": ["delay"]],
        Fault.Answer.fields.schema,
      ]
    ]
  ) { node, problems in
    switch node.string {
    case "reset": return .reset
    case "truncated": return .truncated
    case "html": return .html
    default: break
    }
    if node.kind == .mapping, node.count == 1, let delay = node["delay"] {
      return Codec.duration.read(delay, &problems).map { .delay($0) }
    }
    var answer = Fault.Answer()
    return Fault.Answer.fields.read(node, into: &answer, &problems) ? .answer(answer) : nil
  }
}

extension Fault {
  private static let target = Codec<Target>(
    expecting: "token, authorize, graph, or a request such as GET /v1.0/me", schema: ["type": "string"]
  ) { node in node.string.flatMap(Target.init(spelled:)) }

  private static let times = Codec<Times>(
    expecting: "a number of times, or always",
    schema: ["anyOf": [["type": "integer", "minimum": 1], ["const": "always"]]]
  ) { node in
    if node.string == "always" { return .always }
    guard let count = node.integer, count >= 1 else { return nil }
    return .count(Int(clamping: count))
  }

  package static let fields = Fields<Fault>(
    "a fault",
    [
      Field("at", target, into: \.at, required: true, "the endpoint: token, authorize, graph, or GET /v1.0/me"),
      Field("answer", Effect.codec, into: \.effect, required: true, "what comes instead of the real answer"),
      Field("times", times, into: \.times, default: 1, "how often, or always"),
    ])
}

extension Happening {

  /// A subject with the new name or password that some words take.
  private struct Change: Sendable {
    var subject = Subject()
    var to: String?
  }

  private static let changeFields = Fields<Change>(
    "this happening",
    [
      Field("user", .nonEmptyString, into: \.subject.user, "a username; default: the scenario's user"),
      Field("client", .nonEmptyString, into: \.subject.client, "which app; default: the first"),
      Field("scopes", .listOrOne(of: .nonEmptyString), into: \.subject.scopes, "which scopes"),
      Field("to", .nonEmptyString, into: \.to, "the new password or username"),
    ])

  /// A bare word, or a mapping from one word to what belongs to it.
  package static let codec = Codec<Happening>(
    expecting: "a happening, such as signedIn: megan@contoso.com", schema: wholeSchema()
  ) { node, problems in
    if let text = node.string {
      guard let word = word(text, at: node, &problems) else { return nil }
      return read(word, nil, at: node, &problems)
    }
    guard node.kind == .mapping, node.count == 1, let (key, value) = node.entries.first(where: { _ in true }) else {
      problems.error(
        "wrong-type", "a happening is one word, or a mapping with one word as its key",
        help: "write each happening as a list entry of its own: - wait: 2d", at: node)
      return nil
    }
    guard let word = word(key.string ?? key.scalarText ?? "", at: key, &problems) else { return nil }
    return read(
      word, value.kind == .null || (value.kind == .mapping && value.count == 0) ? nil : value, at: key, &problems)
  }

  private static func word(_ text: String, at node: Node, _ problems: inout Problems) -> Word? {
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    problems.error(
      "unknown-happening", "\"\(text)\" is not a happening",
      help: Suggestion.nearest(to: text, among: words).map { "did you mean \"\($0)\"?" }
        ?? "the happenings are \(words.joined(separator: ", "))", at: node)
    return nil
  }

  private static func read(_ word: Word, _ value: Node?, at key: Node, _ problems: inout Problems) -> Happening? {
    func need<Value>(_ codec: Codec<Value>) -> Value? {
      guard let value else {
        problems.error("missing-value", "\(word.rawValue) needs \(codec.expectation)", at: key)
        return nil
      }
      return codec.read(value, &problems)
    }
    switch word {
    case .wait: return need(.duration).map { Happening(.wait($0)) }
    case .clock: return need(instant).map { Happening(.clock($0)) }
    case .offline:
      guard let value else { return Happening(.offline(nil)) }
      return Codec.duration.read(value, &problems).map { Happening(.offline($0)) }
    case .policyAdded:
      return need(.record(AccessPolicy.fields, empty: AccessPolicy())).map { Happening(.policyAdded($0)) }
    case .policyRemoved: return need(.nonEmptyString).map { Happening(.policyRemoved(name: $0)) }
    case .misbehaves: return need(.enumeration()).map { Happening(.misbehaves($0)) }
    case .behaves:
      guard let value else { return Happening(.behaves(nil)) }
      return Codec<Misbehaviour>.enumeration().read(value, &problems).map { Happening(.behaves($0)) }
    case .fault: return need(.record(Fault.fields, empty: Fault())).map { Happening(.fault($0)) }
    case .cacheLoaded: return need(.nonEmptyString).map { Happening(.cacheLoaded(file: $0)) }
    default: break
    }
    var change = Change()
    if let value, !read(value, of: word, into: &change, &problems) { return nil }
    let event: Event =
      switch word {
      case .signedIn: .signedIn
      case .signedOut: .signedOut
      case .browserSignedOut: .browserSignedOut
      case .accessTokenExpired: .accessTokenExpired
      case .refreshTokenExpired: .refreshTokenExpired
      case .passwordChanged: .passwordChanged(to: change.to)
      case .passwordExpired: .passwordExpired
      case .usernameChanged: .usernameChanged(to: change.to)
      case .sessionsRevoked: .sessionsRevoked
      case .userDisabled: .userDisabled
      case .userDeleted: .userDeleted
      case .consentGranted: .consentGranted
      case .consentRevoked: .consentRevoked
      case .appDisabled: .appDisabled
      case .keysRotated: .keysRotated
      case .online: .online
      case .cacheCorrupted: .cacheCorrupted
      default: .deviceShared
      }
    return Happening(event, subject: change.subject)
  }

  /// The subject in its short forms: a string is the user (the app for `appDisabled`), a list is scopes.
  private static func read(
    _ value: Node, of word: Word, into change: inout Change, _ problems: inout Problems
  ) -> Bool {
    if let text = value.string {
      if word == .appDisabled { change.subject.client = text } else { change.subject.user = text }
      return true
    }
    if value.kind == .array {
      change.subject.scopes = Codec.list(of: .nonEmptyString).read(value, &problems)
      return change.subject.scopes != nil
    }
    return changeFields.read(value, into: &change, &problems)
  }

  private static let instant = Codec<Instant>(
    expecting: "an instant such as 2025-03-01T08:00:00Z", schema: ["type": "string", "format": "date-time"]
  ) { node in node.date ?? node.string.flatMap { Instant(rfc3339: $0) } }
  .flatMap { instant, node, problems -> Instant? in
    // Beyond its range an instant is the last moment that it can hold.
    let second: Int64 = 1_000_000_000
    guard (Int64.min + second...Int64.max - second).contains(instant.nanosecondsSince1970) else {
      problems.error("out-of-range", "the instant must lie between the years 1678 and 2261", at: node)
      return nil
    }
    return instant
  }

  private static func wholeSchema() -> JSON {
    func entry(_ word: Word, _ value: JSON) -> JSON {
      [
        "type": "object", "properties": [word.rawValue: value], "required": [.string(word.rawValue)],
        "additionalProperties": false, "description": .string(word.words),
      ]
    }
    let subject: JSON = [
      "anyOf": [
        ["type": "string"], ["type": "null"], ["type": "array", "items": ["type": "string"]], changeFields.schema,
      ]
    ]
    var cases: [JSON] = [["enum": .array(Word.allCases.map { .string($0.rawValue) })]]
    for word in Word.allCases {
      let value: JSON =
        switch word {
        case .wait: Codec<Duration>.duration.schema()
        case .clock: instant.schema()
        case .offline: ["anyOf": [["type": "null"], Codec<Duration>.duration.schema()]]
        case .policyAdded: AccessPolicy.fields.schema
        case .policyRemoved, .cacheLoaded: ["type": "string"]
        case .misbehaves: Codec<Misbehaviour>.enumeration().schema()
        case .behaves: ["anyOf": [["type": "null"], Codec<Misbehaviour>.enumeration().schema()]]
        case .fault: Fault.fields.schema
        default: subject
        }
      cases.append(entry(word, value))
    }
    return ["anyOf": .array(cases)]
  }
}
