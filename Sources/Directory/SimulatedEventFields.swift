import Diagnostics
import Documents
import Effects
import OrderedCollections

extension SimulatedEvent.Word {
  /// The kind of value that a keyword accepts.
  enum Shape {
    case nothing, duration, optionalDuration, instant, misbehavior, optionalMisbehavior, name, path, policy, fault
    /// A subject with these keys. A string sets the first key.
    case subject([SubjectKey])
  }

  package enum SubjectKey: String, Sendable {
    case user, client, scopes, to
  }

  /// The keys of the subject, or nil if the event does not have a subject.
  package var subjectKeys: [SubjectKey]? {
    if case .subject(let keys) = shape { keys } else { nil }
  }

  var shape: Shape {
    switch self {
    case .wait: .duration
    case .offline: .optionalDuration
    case .clock: .instant
    case .misbehaves: .misbehavior
    case .stopsMisbehaving: .optionalMisbehavior
    case .policyRemoved: .name
    case .cacheLoaded: .path
    case .policyAdded: .policy
    case .fault: .fault
    case .keysRotated, .online, .cacheCorrupted, .deviceShared: .nothing
    case .signedIn, .consentGranted, .consentRevoked: .subject([.user, .client, .scopes])
    case .signedOut: .subject([.user, .client])
    case .passwordChanged, .usernameChanged: .subject([.user, .to])
    case .appDisabled: .subject([.client])
    case .browserSignedOut, .accessTokenExpired, .refreshTokenExpired, .passwordExpired, .sessionsRevoked,
      .userDisabled, .userDeleted:
      .subject([.user])
    }
  }

  /// Whether the keyword can appear without a value.
  package var standsAlone: Bool {
    switch shape {
    case .nothing, .subject, .optionalDuration, .optionalMisbehavior: true
    case .duration, .instant, .misbehavior, .name, .path, .policy, .fault: false
    }
  }

  /// An example value, for help text.
  var example: String {
    switch shape {
    case .duration, .optionalDuration: "2d"
    case .instant: "2025-01-01T00:00:00Z"
    case .misbehavior, .optionalMisbehavior: "wrong-issuer"
    case .name: "MFA"
    case .path: "cache.json"
    case .policy: "{name: MFA, require: mfa}"
    case .fault: "{at: token, response: {status: 503}}"
    case .subject(let keys): keys.first == .client ? "app" : "megan@contoso.com"
    case .nothing: "{}"
    }
  }
}

extension SimulatedEvent {
  /// The decoded value of a keyword: the subject and, for some keywords, the new name or password.
  private struct Change: Sendable {
    var subject = Subject()
    var to: String?
  }

  private static func fields(_ word: Word, _ keys: [Word.SubjectKey]) -> Fields<Change> {
    Fields<Change>(
      word.rawValue,
      keys.map { key in
        switch key {
        case .user:
          Field("user", .nonEmptyString, into: { $0.subject.user = $1 }, "username; the scenario's user by default")
        case .client:
          Field(
            "client", .nonEmptyString, into: { $0.subject.client = $1 }, "name of the app; the first app by default")
        case .scopes:
          Field(
            "scopes", .listOrOne(of: .nonEmptyString), into: { $0.subject.scopes = $1 }, "scopes, such as `User.Read`")
        case .to:
          Field(
            "to", .nonEmptyString, into: { $0.to = $1 },
            word == .usernameChanged ? "new username" : "new password")
        }
      })
  }

  /// The codec for a keyword, or for a mapping from one keyword to its value.
  package static let codec = Codec<SimulatedEvent>(
    expecting: "an event such as `passwordChanged` or `{wait: 2d}`", schema: wholeSchema()
  ) { node, problems in
    if let text = node.string {
      guard let word = word(text, at: node, &problems) else { return nil }
      return read(word, nil, at: node, &problems)
    }
    guard node.kind == .mapping else {
      problems.mismatch(node, expected: "an event such as `passwordChanged` or `{wait: 2d}`")
      return nil
    }
    guard node.count == 1 else {
      problems.error(
        "event",
        node.count == 0 ? "event is empty" : "mapping contains \(node.count) events",
        help: "write each event as a separate list element", at: node)
      return nil
    }
    guard let (key, value) = node.entries.first(where: { _ in true }),
      let word = word(key.string ?? key.scalarText ?? "", at: key, &problems)
    else { return nil }
    let isEmpty = value.kind == .null || (value.kind == .mapping && value.count == 0)
    return read(word, isEmpty ? nil : value, at: key, &problems)
  }

  private static func word(_ text: String, at node: Node, _ problems: inout DiagnosticCollector) -> Word? {
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    if problems.reportRenamed(text, among: words, at: node) { return nil }
    problems.error(
      "unknown-event", "unknown event `\(text)`",
      help: Suggestion.nearest(to: text, among: words).map { "did you mean `\($0)`?" }
        ?? "use one of \(words.joined(separator: ", "))", at: node)
    return nil
  }

  private static func read(_ word: Word, _ value: Node?, at key: Node, _ problems: inout DiagnosticCollector)
    -> SimulatedEvent?
  {
    guard let value else {
      guard word.standsAlone else {
        problems.error(
          "event", "`\(word.rawValue)` requires a value", help: "write `\(word.rawValue): \(word.example)`", at: key)
        return nil
      }
      return bare(word).map { SimulatedEvent($0) }
    }
    switch word.shape {
    case .duration: return Codec.duration.read(value, &problems).map { SimulatedEvent(.wait($0)) }
    case .optionalDuration: return Codec.duration.read(value, &problems).map { SimulatedEvent(.offline($0)) }
    case .instant: return instant.read(value, &problems).map { SimulatedEvent(.clock($0)) }
    case .policy:
      return Codec.record(AccessPolicy.fields, empty: AccessPolicy()).read(value, &problems)
        .map { SimulatedEvent(.policyAdded($0)) }
    case .name: return Codec.nonEmptyString.read(value, &problems).map { SimulatedEvent(.policyRemoved(name: $0)) }
    case .path: return Codec.nonEmptyString.read(value, &problems).map { SimulatedEvent(.cacheLoaded(file: $0)) }
    case .misbehavior: return misbehavior.read(value, &problems).map { SimulatedEvent(.misbehaves($0)) }
    case .optionalMisbehavior: return misbehavior.read(value, &problems).map { SimulatedEvent(.stopsMisbehaving($0)) }
    case .fault:
      return Codec.record(Fault.fields, empty: Fault()).read(value, &problems).map { SimulatedEvent(.fault($0)) }
    case .nothing:
      guard value.bool != true else { return bare(word).map { SimulatedEvent($0) } }
      problems.error(
        "wrong-type", "`\(word.rawValue)` does not accept a value, found \(value.typeName)", at: value)
      return nil
    case .subject(let keys): return read(word, keys, value, &problems)
    }
  }

  private static let misbehavior = Codec<Misbehavior>.enumeration()

  /// Decodes a subject. A string sets the first key, a list contains scopes, and a mapping contains the keys.
  private static func read(
    _ word: Word, _ keys: [Word.SubjectKey], _ value: Node, _ problems: inout DiagnosticCollector
  ) -> SimulatedEvent? {
    var change = Change()
    if value.kind == .string {
      guard let text = Codec.nonEmptyString.read(value, &problems) else { return nil }
      if keys.first == .client { change.subject.client = text } else { change.subject.user = text }
    } else if value.kind == .array, keys.contains(.scopes) {
      guard let scopes = Codec.list(of: Codec<String>.nonEmptyString).read(value, &problems) else { return nil }
      if scopes.contains(where: isUsername) { return usersInList(word, scopes, at: value, &problems) }
      change.subject.scopes = scopes
    } else if value.kind == .mapping {
      guard fields(word, keys).read(value, into: &change, &problems) else { return nil }
      if let scopes = change.subject.scopes, scopes.contains(where: isUsername) {
        return usersInList(word, scopes, at: value["scopes"] ?? value, &problems)
      }
    } else {
      let names = keys.map(\.rawValue).joined(separator: ", ")
      problems.mismatch(value, expected: "\(keys.first == .client ? "an app" : "a username"), or `{\(names)}`")
      return nil
    }
    switch word {
    case .passwordChanged: return SimulatedEvent(.passwordChanged(to: change.to), subject: change.subject)
    case .usernameChanged: return SimulatedEvent(.usernameChanged(to: change.to), subject: change.subject)
    default: return bare(word).map { SimulatedEvent($0, subject: change.subject) }
    }
  }

  /// Whether a string in a list of scopes is a username. A scope with an at sign always contains a slash.
  private static func isUsername(_ text: String) -> Bool { text.contains("@") && !text.contains("/") }

  /// Reports usernames in a list, because the list must contain only scopes.
  private static func usersInList(
    _ word: Word, _ scopes: [String], at node: Node, _ problems: inout DiagnosticCollector
  ) -> SimulatedEvent? {
    let users = scopes.filter(isUsername)
    let example = users.map { "\(word.rawValue): \($0)" }.joined(separator: ", ")
    problems.error(
      "event", "`\(word.rawValue)` accepts a list of scopes, but `\(users[0])` is a username",
      help: users.count == 1 ? "write \(example)" : "write one event for each user: [\(example)]", at: node)
    return nil
  }

  /// Returns the event for a keyword without a value, or nil if the keyword requires a value.
  private static func bare(_ word: Word) -> Event? {
    switch word {
    case .signedIn: .signedIn
    case .signedOut: .signedOut
    case .browserSignedOut: .browserSignedOut
    case .accessTokenExpired: .accessTokenExpired
    case .refreshTokenExpired: .refreshTokenExpired
    case .passwordChanged: .passwordChanged(to: nil)
    case .passwordExpired: .passwordExpired
    case .usernameChanged: .usernameChanged(to: nil)
    case .sessionsRevoked: .sessionsRevoked
    case .userDisabled: .userDisabled
    case .userDeleted: .userDeleted
    case .consentGranted: .consentGranted
    case .consentRevoked: .consentRevoked
    case .appDisabled: .appDisabled
    case .keysRotated: .keysRotated
    case .stopsMisbehaving: .stopsMisbehaving(nil)
    case .offline: .offline(nil)
    case .online: .online
    case .cacheCorrupted: .cacheCorrupted
    case .deviceShared: .deviceShared
    case .wait, .clock, .policyAdded, .policyRemoved, .misbehaves, .fault, .cacheLoaded: nil
    }
  }

  private static let instant = Codec<Instant>(
    expecting: "a date and time such as `2025-01-01T00:00:00Z`", schema: ["type": "string", "format": "date-time"]
  ) { node, problems in
    guard let instant = node.date ?? node.string.flatMap({ Instant(rfc3339: $0) }) else {
      if let text = node.string {
        problems.error(
          "instant", "`\(text)` is not a date and time",
          help: "use the format of RFC 3339, such as `2025-01-01T00:00:00Z`",
          at: node)
      } else {
        problems.mismatch(node, expected: "a date and time such as `2025-01-01T00:00:00Z`")
      }
      return nil
    }
    // `Instant` clamps times outside its range, so treat times near the limits as out of range.
    let second: Int64 = 1_000_000_000
    guard (Int64.min + second...Int64.max - second).contains(instant.nanosecondsSince1970) else {
      problems.error("out-of-range", "date is not between the years 1678 and 2261", at: node)
      return nil
    }
    return instant
  }

  private static func wholeSchema() -> JSON {
    var properties: JSON = [:]
    for word in Word.allCases {
      var schema: JSON =
        switch word.shape {
        case .duration: Codec<Duration>.duration.schema()
        case .instant: instant.schema()
        case .optionalDuration: ["anyOf": [["type": "null"], Codec<Duration>.duration.schema()]]
        case .policy: AccessPolicy.fields.schema
        case .name, .path: ["type": "string", "minLength": 1]
        case .misbehavior: misbehavior.schema()
        case .optionalMisbehavior: ["anyOf": [["type": "null"], misbehavior.schema()]]
        case .fault: Fault.fields.schema
        case .nothing: ["anyOf": [["type": "object", "maxProperties": 0], ["const": true], ["type": "null"]]]
        case .subject(let keys):
          [
            "anyOf": .array(
              [["type": "string", "minLength": 1], ["type": "null"], fields(word, keys).schema]
                + (keys.contains(.scopes) ? [["type": "array", "items": ["type": "string"]]] : []))
          ]
        }
      schema["description"] = .string(word.summary)
      properties[word.rawValue] = schema
    }
    return [
      "anyOf": [
        ["enum": .array(Word.allCases.filter(\.standsAlone).map { .string($0.rawValue) })],
        [
          "type": "object", "properties": properties, "additionalProperties": false, "minProperties": 1,
          "maxProperties": 1,
        ],
      ]
    ]
  }
}
