import DeclaredFields
import Diagnostics
import Directory
import Documents

/// Whom a happening is about: the scenario's user and the first client where nothing is said.
struct HappeningSubject: Sendable {
  var user: String?
  var client: String?
  var scopes: [String]?
  var to: String?
  var password: String?

  static let fields = Fields<HappeningSubject>(
    "whom it is about",
    [
      Field("user", .nonEmptyString, into: \.user, "the username"),
      Field("client", .nonEmptyString, into: \.client, "the app, by its name in clients"),
      Field("scopes", .listOrOne(of: .nonEmptyString), into: \.scopes, "the scopes"),
      Field("to", .nonEmptyString, into: \.to, "the new username"),
      Field("password", .nonEmptyString, into: \.password, "the new password"),
    ])
}

/// Conditional access in miniature, as in the directory.
struct Policy: Sendable {
  var name: String?
  var subject: JSON?
  var requirement: String?
  var signInFrequency: Duration?
  var challengeWith: String?

  static let fields = Fields<Policy>(
    "a policy",
    [
      Field("name", .nonEmptyString, into: \.name, "what it is called"),
      Field("for", .any, into: \.subject, "whom and which apps it is for: {users, apps}"),
      Field(
        "require", .oneOf(AccessPolicy.Requirement.allCases.map(\.rawValue)), into: \.requirement, "what it asks for"),
      Field("signInFrequency", .durationText, into: \.signInFrequency, "how old a sign-in may be"),
      Field(
        "challengeWith", .oneOf(AccessPolicy.Challenge.allCases.map(\.rawValue)), into: \.challengeWith,
        "signIn: asked for at the sign-in page; claims: by the API, with a claims challenge"),
    ])
}

/// A failure of the service: where, what is answered instead, how often.
struct Fault: Sendable {
  var at: String?
  var answer: JSON?
  var times: JSON?

  static let fields = Fields<Fault>(
    "a fault",
    [
      Field(
        "at", .faultPlace, into: \.at, required: true,
        "where: token, authorize, graph, or a request such as 'GET /v1.0/me'"),
      Field(
        "answer", .faultAnswer, into: \.answer, required: true, "what comes instead: {status, …}, reset, or {delay: 5s}"
      ),
      Field("times", .faultTimes, into: \.times, default: 1, "how often, or always"),
    ])
}

/// What a fault answers with.
struct FaultAnswer: Sendable {
  var status: Int?
  var retryAfter: JSON?
  var error: String?
  var suberror: String?
  var code: JSON?
  var claims: JSON?
  var headers: JSON?
  var body: JSON?
  var delay: Duration?

  static let fields = Fields<FaultAnswer>(
    "a fault's answer",
    [
      Field("status", .integer(in: 100...599), into: \.status, "the HTTP status"),
      Field("retryAfter", .any, into: \.retryAfter, "the Retry-After header: a duration, or what stands there"),
      Field("error", .nonEmptyString, into: \.error, "the OAuth or Graph error code"),
      Field("suberror", .string, into: \.suberror, "the suberror"),
      Field("code", .any, into: \.code, "the AADSTS code"),
      Field("claims", .any, into: \.claims, "the claims of a challenge"),
      Field("headers", .any, into: \.headers, "further headers"),
      Field("body", .any, into: \.body, "the body, a mapping becomes JSON"),
      Field("delay", .durationText, into: \.delay, "how long the answer takes"),
    ])
}

extension Codec where Value == String {
  fileprivate static var faultPlace: Self {
    Self(
      expecting: "token, authorize, graph or a request such as 'GET /v1.0/me'",
      schema: [
        "anyOf": [["enum": ["token", "authorize", "graph"]], ["type": "string", "pattern": "^([A-Za-z]+ )?/"]]
      ]
    ) { node, problems in
      guard let text = Codec<String>.nonEmptyString.read(node, &problems) else { return nil }
      if Directory.Fault.Target(spelled: text) != nil { return text }
      problems.error(
        "unknown-value", "\"\(text)\" is no place for a fault",
        help: Suggestion.nearest(to: text, among: ["token", "authorize", "graph"]).map { "did you mean \"\($0)\"?" }
          ?? "write token, authorize, graph, or a request such as 'GET /v1.0/me'", at: node)
      return nil
    }
  }
}

extension Codec where Value == JSON {
  fileprivate static var faultAnswer: Self {
    let fields = FaultAnswer.fields
    return Self(
      expecting: "{status, …}, reset, truncated, html, or {delay: 5s}",
      schema: ["anyOf": [["enum": ["reset", "truncated", "html"]], fields.schema]]
    ) { node, problems in
      if node.kind == .string {
        guard Codec<String>.oneOf(["reset", "truncated", "html"]).read(node, &problems) != nil else { return nil }
        return node.json
      }
      var answer = FaultAnswer()
      return fields.read(node, into: &answer, &problems) ? node.json : .none
    }
  }

  fileprivate static var faultTimes: Self {
    Self(
      expecting: "a number, or always", schema: ["anyOf": [["type": "integer", "minimum": 1], ["const": "always"]]]
    ) { node, problems in
      if node.kind == .string { return Codec<String>.oneOf(["always"]).read(node, &problems).map { .string($0) } }
      return Codec<Int>.integer(in: 1...1_000_000).read(node, &problems).map { .integer(Int64($0)) }
    }
  }

  /// An instant: `2025-01-01T00:00:00Z`.
  static var instantText: Self {
    Self(expecting: "an instant such as 2025-01-01T00:00:00Z", schema: ["type": "string", "format": "date-time"]) {
      node, problems in
      if node.kind == .date { return node.json }
      guard let text = node.string else {
        problems.mismatch(node, expected: "an instant such as 2025-01-01T00:00:00Z")
        return nil
      }
      guard
        text.wholeMatch(
          of: /[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})/) != nil
      else {
        problems.error(
          "instant", "\"\(text)\" is no instant", help: "write it as in RFC 3339: 2025-01-01T00:00:00Z", at: node)
        return nil
      }
      return .string(text)
    }
  }

  /// A username, or `{user, client, scopes}`.
  static var happeningSubject: Self {
    let fields = HappeningSubject.fields
    return Self(
      expecting: "a username, or {user, client, scopes}",
      schema: ["anyOf": [["type": "string", "minLength": 1], fields.schema]]
    ) { node, problems in
      if node.kind == .string {
        return Codec<String>.nonEmptyString.read(node, &problems).map { ["user": .string($0)] }
      }
      var subject = HappeningSubject()
      return fields.read(node, into: &subject, &problems) ? node.json : .none
    }
  }

  /// A mapping with declared keys, kept as it is written.
  static func checked<Record: Sendable>(by fields: Fields<Record>, empty: Record) -> Self {
    Self(expecting: "a mapping", schema: fields.schema) { node, problems in
      var record = empty
      return fields.read(node, into: &record, &problems) ? node.json : .none
    }
  }
}
