import DeclaredFields
import Diagnostics
import Directory
import Documents

/// Something that happens in the world: before a scenario begins (`given`), or as a step.
package struct Happening: Sendable {
  package var kind: HappeningKind
  /// What is said about it, `${…}` still in place; nil for a bare word.
  package var details: Resolvable<JSON>?
  /// Where it is written.
  package var place: Place
  package var node: Node
}

/// The vocabulary of happenings: past participles or states.
package enum HappeningKind: String, Sendable, CaseIterable {
  case signedIn, signedOut, browserSignedOut
  case wait, clock, accessTokenExpired, refreshTokenExpired
  case passwordChanged, passwordExpired, usernameChanged, sessionsRevoked, userDisabled, userDeleted
  case consentGranted, consentRevoked, appDisabled, policyAdded, policyRemoved
  case keysRotated, misbehaves, behaves, fault, offline, online
  case cacheCorrupted, cacheLoaded, deviceShared

  /// One line: what happens.
  package var words: String {
    switch self {
    case .signedIn:
      "the user has signed in, for real, so the cache holds what a real sign-in leaves: {user, client, scopes}"
    case .signedOut: "the user has signed out of the app"
    case .browserSignedOut: "the browser has forgotten its session"
    case .wait: "time passes"
    case .clock: "it is this instant now"
    case .accessTokenExpired: "time passes until the access tokens have expired"
    case .refreshTokenExpired: "time passes until the refresh tokens have expired"
    case .passwordChanged: "the password was changed elsewhere"
    case .passwordExpired: "the password must be changed at the next sign-in"
    case .usernameChanged: "the username is another one now: {user, to}"
    case .sessionsRevoked: "an administrator has revoked the user's sessions"
    case .userDisabled: "the user may no longer sign in"
    case .userDeleted: "the user no longer exists"
    case .consentGranted: "the user has consented, elsewhere: {user, client, scopes}"
    case .consentRevoked: "the consent was taken back: {user, client, scopes}"
    case .appDisabled: "an administrator has disabled the app"
    case .policyAdded: "a conditional access policy applies from now on"
    case .policyRemoved: "a policy no longer applies"
    case .keysRotated: "the platform signs with new keys"
    case .misbehaves: "the platform breaks a rule, as the conformance tests name them"
    case .behaves: "the platform keeps to that rule again, or to every rule"
    case .fault: "the service fails: {at, answer, times}"
    case .offline: "there is no network, for ever or for a while"
    case .online: "the network is back"
    case .cacheCorrupted: "the token cache on disk is damaged"
    case .cacheLoaded: "the token cache is this file"
    case .deviceShared: "the device is in shared mode"
    }
  }

  /// What may stand behind it, for a help line.
  var example: String {
    switch shape {
    case .duration, .optionalDuration: "2d"
    case .instant: "2025-01-01T00:00:00Z"
    case .subject: "megan@contoso.com"
    case .word: "MFA"
    case .misbehaviour, .optionalMisbehaviour: "wrong-issuer"
    case .path: "cache.json"
    case .policy: "{name: MFA, require: mfa}"
    case .fault: "{at: token, answer: {status: 503}}"
    case .nothing: "{}"
    }
  }

  enum Shape {
    case nothing, duration, optionalDuration, instant, subject, word, misbehaviour, optionalMisbehaviour, path, policy,
      fault
  }

  var shape: Shape {
    switch self {
    case .wait: .duration
    case .offline: .optionalDuration
    case .clock: .instant
    case .misbehaves: .misbehaviour
    case .behaves: .optionalMisbehaviour
    case .policyRemoved: .word
    case .cacheLoaded: .path
    case .policyAdded: .policy
    case .fault: .fault
    case .keysRotated, .online, .cacheCorrupted, .deviceShared: .nothing
    default: .subject
    }
  }

  /// Whether the word alone says enough.
  package var standsAlone: Bool {
    switch shape {
    case .nothing, .subject, .optionalDuration, .optionalMisbehaviour: true
    default: false
    }
  }

  private var codec: Codec<JSON> {
    switch shape {
    case .nothing:
      Codec<JSON>(
        expecting: "nothing more",
        schema: ["anyOf": [["type": "object", "maxProperties": 0], ["const": true], ["type": "null"]]]
      ) { node, problems in
        if node.kind == .null || node.bool == true || (node.kind == .mapping && node.count == 0) { return .null }
        problems.error("wrong-type", "nothing more is said about \(self.rawValue), found \(node.typeName)", at: node)
        return nil
      }
    case .duration, .optionalDuration:
      Codec<JSON>(expecting: Codec<Duration>.durationText.expectation, schema: Codec<Duration>.durationText.schema()) {
        node, problems in
        if self.shape == .optionalDuration, node.kind == .null { return .null }
        return Codec<Duration>.durationText.read(node, &problems).map { .string(DurationText.write($0)) }
      }
    case .instant: .instantText
    case .misbehaviour, .optionalMisbehaviour: Codec<Misbehaviour>.enumeration().map { .string($0.rawValue) }
    case .word, .path: Codec<String>.nonEmptyString.map { .string($0) }
    case .subject: .happeningSubject
    case .policy: .checked(by: Policy.fields, empty: Policy())
    case .fault: .checked(by: Fault.fields, empty: Fault())
    }
  }

  /// The JSON Schema of every happening's details.
  static var schemas: JSON {
    var properties: JSON = [:]
    for kind in allCases {
      var schema = kind.details.schema()
      if schema.object == nil { schema = [:] }
      schema["description"] = .string(kind.words)
      properties[kind.rawValue] = schema
    }
    return properties
  }

  /// How the details are written.
  var details: Codec<Resolvable<JSON>> { codec.resolvable }
}

extension Codec where Value == Happening {
  static var happening: Self {
    let bare = HappeningKind.allCases.filter(\.standsAlone)
    let properties = HappeningKind.schemas
    return Self(
      expecting: "something that happens",
      schema: [
        "anyOf": [
          ["enum": .array(bare.map { .string($0.rawValue) })],
          [
            "type": "object", "properties": properties, "additionalProperties": false, "minProperties": 1,
            "maxProperties": 1,
          ],
        ]
      ]
    ) { node, problems in
      switch node.kind {
      case .string:
        let word = node.string ?? ""
        guard let kind = problems.happening(word, at: node) else { return nil }
        guard kind.standsAlone else {
          problems.error("happening", "\(word) needs a value", help: "write \(word): \(kind.example)", at: node)
          return nil
        }
        return Happening(kind: kind, details: nil, place: node.place, node: node)
      case .mapping:
        var found: [Happening] = []
        for (key, value) in node.entries {
          guard let kind = problems.happening(key.string ?? key.scalarText ?? "", at: key) else { continue }
          if value.kind == .null, kind.standsAlone {
            found.append(Happening(kind: kind, details: nil, place: key.place, node: node))
          } else if let details = kind.details.read(value, &problems) {
            found.append(Happening(kind: kind, details: details, place: key.place, node: node))
          }
        }
        if node.count != 1 {
          problems.error(
            "happening",
            node.count == 0 ? "nothing happens here" : "one thing at a time: \(node.count) happenings in one mapping",
            help: "write each as an element of the list", at: node)
          return nil
        }
        return found.first
      default:
        problems.mismatch(node, expected: "something that happens, such as passwordChanged or {wait: 2d}")
        return nil
      }
    }
  }
}

extension Codec where Value == [Happening] {
  /// A list of happenings, or one.
  static var happenings: Self {
    let list = Codec<[Happening]>.list(of: .happening)
    return Self(
      expecting: "a list of happenings", schema: ["$ref": "#/$defs/happenings"]
    ) { node, problems in
      if node.kind == .array { return list.read(node, &problems) }
      return Codec<Happening>.happening.read(node, &problems).map { [$0] }
    }
  }
}

extension Problems {
  fileprivate mutating func happening(_ word: String, at node: Node) -> HappeningKind? {
    if let kind = HappeningKind(rawValue: word) { return kind }
    let all = HappeningKind.allCases.map(\.rawValue)
    error(
      "unknown-happening", "\"\(word)\" is nothing that can happen",
      help: Suggestion.nearest(to: word, among: all).map { "did you mean \"\($0)\"?" }
        ?? "it is one of \(all.joined(separator: ", "))",
      at: node)
    return nil
  }
}
