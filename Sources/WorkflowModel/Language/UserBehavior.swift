import Diagnostics
import Documents

/// The behavior of the simulated user. Values that are not set are inherited.
package struct UserBehavior: Sendable {
  package enum MFA: Sendable {
    case approve, deny, ignore
    /// The user enters the one-time code that is derived from this base32 seed.
    case totp(seed: String)
  }

  package enum Consent: Sendable {
    case accept, decline
    /// The user accepts only these scopes if the page offers a choice.
    case only([String])
  }

  package enum Cancellation: Sendable {
    case never
    /// The user closes the first page.
    case atOnce
    case at(Screen)
  }

  package var username: Resolvable<String>?
  package var password: Resolvable<String>?
  package var newPassword: Resolvable<String>?
  package var mfa: Resolvable<MFA>?
  package var consent: Resolvable<Consent>?
  package var picks: Resolvable<String>?
  package var cancels: Resolvable<Cancellation>?
  package var delay: Resolvable<Duration>?
  package var forgetsPassword: Resolvable<Bool>?
  package var signsUp: Resolvable<JSON>?

  package init() {}

  /// Returns this behavior merged over `base`.
  package func over(_ base: UserBehavior) -> UserBehavior {
    var merged = base
    merged.username = username ?? base.username
    merged.password = password ?? base.password
    merged.newPassword = newPassword ?? base.newPassword
    merged.mfa = mfa ?? base.mfa
    merged.consent = consent ?? base.consent
    merged.picks = picks ?? base.picks
    merged.cancels = cancels ?? base.cancels
    merged.delay = delay ?? base.delay
    merged.forgetsPassword = forgetsPassword ?? base.forgetsPassword
    merged.signsUp = signsUp ?? base.signsUp
    return merged
  }

  package static let fields = Fields<UserBehavior>(
    "a user behavior",
    [
      Field(
        "username", Codec<String>.nonEmptyString.resolvable, into: { $0.username = $1 },
        "username for sign-in; the first user in the directory by default"),
      Field(
        "password", Codec<String>.string.resolvable, into: { $0.password = $1 },
        "password to enter; the user's password in the directory by default"),
      Field(
        "newPassword", Codec<String>.string.resolvable, into: { $0.newPassword = $1 },
        "password to enter if a new password is required"),
      Field(
        "mfa", Codec<MFA>.mfa.resolvable, into: { $0.mfa = $1 }, default: "approve",
        "response to the second-factor prompt: `approve`, `deny`, `ignore`, or `{totp: SEED}`"),
      Field(
        "consent", Codec<Consent>.consent.resolvable, into: { $0.consent = $1 }, default: "accept",
        "response to the consent page: `accept`, `decline`, or the scopes to accept"),
      Field(
        "picks", Codec<String>.nonEmptyString.resolvable, into: { $0.picks = $1 },
        "account to select: a username, or `another`"),
      Field(
        "cancels", Codec<Cancellation>.canceling.resolvable, into: { $0.cancels = $1 }, default: false,
        "whether, or on which page, the user closes the window"),
      Field(
        "delay", Codec<Duration>.durationText.resolvable, into: { $0.delay = $1 },
        "time that the user takes in each interaction"),
      Field(
        "forgetsPassword", Codec<Bool>.bool.resolvable, into: { $0.forgetsPassword = $1 }, default: false,
        "whether the user selects the \"Forgot your password?\" link"),
      Field(
        "signsUp", Codec<JSON>.any.resolvable, into: { $0.signsUp = $1 },
        "`true` to sign up, or the attributes to enter during sign-up"),
    ])
}

/// The user behavior in each interaction. The last entry applies to all later interactions.
package struct UserBehaviors: Sendable {
  /// The entries. The list is never empty.
  package private(set) var entries: [UserBehavior]
  package var place: FileSpan?

  package init(_ entries: [UserBehavior] = [], at place: FileSpan? = nil) {
    self.entries = entries.isEmpty ? [UserBehavior()] : entries
    self.place = place
  }

  /// Returns the behavior in the interaction with this number, counted from 0.
  package subscript(interaction: Int) -> UserBehavior { entries[min(max(0, interaction), entries.count - 1)] }

  /// Returns these behaviors merged over `base`, interaction by interaction.
  package func over(_ base: UserBehaviors?) -> UserBehaviors {
    guard let base else { return self }
    let count = max(entries.count, base.entries.count)
    return UserBehaviors((0..<count).map { self[$0].over(base[$0]) }, at: place ?? base.place)
  }
}

extension Codec where Value == UserBehavior {
  /// A username, or a mapping.
  static var user: Self {
    let username = Codec<String>.nonEmptyString
    return Self(
      expecting: "a username or a mapping", schema: ["anyOf": [username.schema(), UserBehavior.fields.schema]]
    ) { node, problems in
      var user = UserBehavior()
      if node.kind == .string {
        guard let name = username.resolvable.read(node, &problems) else { return nil }
        user.username = name
        return user
      }
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a username or a mapping")
        return nil
      }
      return UserBehavior.fields.read(node, into: &user, &problems) ? user : nil
    }
  }
}

extension Codec where Value == UserBehaviors {
  static var userBehaviors: Self {
    let behaviors = Codec<[UserBehavior]>.listOrOne(of: .user)
    return Self(
      expecting: behaviors.expectation, schema: ["$ref": "#/$defs/user"]
    ) { node, problems in
      if node.kind == .array, node.count == 0 {
        problems.error("empty-value", "empty list of user behaviors", help: "add an entry", at: node)
        return nil
      }
      return behaviors.read(node, &problems).map { UserBehaviors($0, at: node.place) }
    }
  }
}

extension Codec where Value == UserBehavior.MFA {
  static var mfa: Self {
    let responses = ["approve", "deny", "ignore"]
    return Self(
      expecting: "`approve`, `deny`, `ignore`, or `{totp: SEED}`",
      schema: [
        "anyOf": [
          ["enum": .array(responses.map { .string($0) })],
          [
            "type": "object",
            "properties": ["totp": ["type": "string", "description": "base32 seed for one-time codes"]],
            "required": ["totp"], "additionalProperties": false,
          ],
        ]
      ]
    ) { node, problems in
      if node.kind == .mapping {
        guard node.count == 1, let seed = node["totp"]?.string else {
          problems.error(
            "unknown-value", "unknown response to a second factor", help: "use `{totp: '${secret:SEED}'}`",
            at: node)
          return nil
        }
        return .totp(seed: seed)
      }
      switch Codec<String>.oneOf(responses).read(node, &problems) {
      case "approve": return .approve
      case "deny": return .deny
      case "ignore": return .ignore
      default: return nil
      }
    }
  }
}

extension Codec where Value == UserBehavior.Consent {
  static var consent: Self {
    Self(
      expecting: "`accept`, `decline`, or a list of scopes",
      schema: ["anyOf": [["enum": ["accept", "decline"]], ["type": "array", "items": ["type": "string"]]]]
    ) { node, problems in
      if node.kind == .array {
        return Codec<[String]>.list(of: .nonEmptyString).read(node, &problems).map { .only($0) }
      }
      switch Codec<String>.oneOf(["accept", "decline"]).read(node, &problems) {
      case "accept": return .accept
      case "decline": return .decline
      default: return nil
      }
    }
  }
}

extension Codec where Value == UserBehavior.Cancellation {
  static var canceling: Self {
    let screen = Codec<Screen>.enumeration()
    return Self(
      expecting: "a boolean, or the page on which the user closes the window",
      schema: ["anyOf": [["type": "boolean"], screen.schema()]]
    ) { node, problems in
      if let flag = node.bool { return flag ? .atOnce : .never }
      return screen.read(node, &problems).map { .at($0) }
    }
  }
}
