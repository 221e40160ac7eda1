import Diagnostics
import Documents

/// Who sits at the keyboard, and what that user does; everything that is not said is left to the layer below.
package struct UserBehavior: Sendable {
  package enum MFA: Sendable {
    case approve, deny, ignore
    /// Answers with the one-time code of this base32 seed.
    case totp(seed: String)
  }

  package enum Consent: Sendable {
    case accept, decline
    /// Accepts these scopes only, where the page lets one choose.
    case only([String])
  }

  package enum Cancellation: Sendable {
    case never
    /// Closes the first page.
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

  /// The same user where something is said, `base` where nothing is.
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
    "a user",
    [
      Field(
        "username", Codec<String>.nonEmptyString.resolvable, into: \.username,
        "who it is; the directory's first user by default"),
      Field(
        "password", Codec<String>.string.resolvable, into: \.password,
        "what is typed as password; what the directory says by default"),
      Field(
        "newPassword", Codec<String>.string.resolvable, into: \.newPassword,
        "what is typed where a new password is asked for"),
      Field("mfa", Codec<MFA>.mfa.resolvable, into: \.mfa, default: "approve", "what is done about the second factor"),
      Field(
        "consent", Codec<Consent>.consent.resolvable, into: \.consent, default: "accept",
        "what is done on the consent page"),
      Field(
        "picks", Codec<String>.nonEmptyString.resolvable, into: \.picks,
        "which account is picked: a username, or \"another\""),
      Field(
        "cancels", Codec<Cancellation>.canceling.resolvable, into: \.cancels, default: false,
        "closes the window: at once, or at a screen"),
      Field("delay", Codec<Duration>.durationText.resolvable, into: \.delay, "how long the user takes"),
      Field(
        "forgetsPassword", Codec<Bool>.bool.resolvable, into: \.forgetsPassword, default: false,
        "follows \"Forgot your password?\""),
      Field(
        "signsUp", Codec<JSON>.any.resolvable, into: \.signsUp, "makes a new account: true, or the attributes to type"),
    ])
}

/// One entry for each time the user sits down; the last repeats.
package struct UserBehaviors: Sendable {
  /// Never empty.
  package private(set) var entries: [UserBehavior]
  package var place: FileSpan?

  package init(_ entries: [UserBehavior] = [], at place: FileSpan? = nil) {
    self.entries = entries.isEmpty ? [UserBehavior()] : entries
    self.place = place
  }

  /// Who sits down, counted from 0.
  package subscript(sitting: Int) -> UserBehavior { entries[min(max(0, sitting), entries.count - 1)] }

  /// The nearer layer over the farther one; mappings merge sitting by sitting.
  package func over(_ base: UserBehaviors?) -> UserBehaviors {
    guard let base else { return self }
    let count = max(entries.count, base.entries.count)
    return UserBehaviors((0..<count).map { self[$0].over(base[$0]) }, at: place ?? base.place)
  }
}

extension Codec where Value == UserBehavior {
  /// A string is the username.
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
  static var sittings: Self {
    let people = Codec<[UserBehavior]>.listOrOne(of: .user)
    return Self(
      expecting: people.expectation, schema: ["$ref": "#/$defs/user"]
    ) { node, problems in
      if node.kind == .array, node.count == 0 {
        problems.error("empty-value", "a list of sittings needs at least one", at: node)
        return nil
      }
      return people.read(node, &problems).map { UserBehaviors($0, at: node.place) }
    }
  }
}

extension Codec where Value == UserBehavior.MFA {
  static var mfa: Self {
    let words = ["approve", "deny", "ignore"]
    return Self(
      expecting: "approve, deny, ignore or {totp: seed}",
      schema: [
        "anyOf": [
          ["enum": ["approve", "deny", "ignore"]],
          [
            "type": "object",
            "properties": ["totp": ["type": "string", "description": "the base32 seed of the one-time codes"]],
            "required": ["totp"], "additionalProperties": false,
          ],
        ]
      ]
    ) { node, problems in
      if node.kind == .mapping {
        guard node.count == 1, let seed = node["totp"]?.string else {
          problems.error(
            "unknown-value", "this is no way to answer a second factor", help: "write {totp: '${secret:SEED}'}",
            at: node)
          return nil
        }
        return .totp(seed: seed)
      }
      switch Codec<String>.oneOf(words).read(node, &problems) {
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
      expecting: "accept, decline or a list of scopes",
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
      expecting: "true, or the screen where the window is closed",
      schema: ["anyOf": [["type": "boolean"], screen.schema()]]
    ) { node, problems in
      if let flag = node.bool { return flag ? .atOnce : .never }
      return screen.read(node, &problems).map { .at($0) }
    }
  }
}
