import Diagnostics
import Documents
import Effects
import OAuth
import OrderedCollections

/// Writes placeholders for secrets: by the names of the fields that they stand in, by their form, and wherever a value that
/// is known as a secret comes again.
struct SecretMasker: Sendable {
  var ledger = SecretRegistry()
  /// What is told of the placeholders that are new since it was taken last.
  private(set) var issued: [String: IssuedSecret] = [:]
  /// The moment of the exchange that is being written: times are told from there.
  var now: Instant
  /// Whether what is met now was given out by the other side, so that a replay must make it.
  private var isAnswer = false
  /// The placeholders that stand in the recording already.
  private var met: Set<String> = []
  /// ID tokens whose signature could not be judged yet, and the keys that were seen.
  private var unjudged: [(label: String, token: String)] = []
  private var keys: [JWK] = []

  init(now: Instant) { self.now = now }

  /// Hands over what is to be told of new placeholders.
  mutating func takeIssued() -> [String: IssuedSecret] {
    defer { issued = [:] }
    return issued
  }

  /// Marks what follows as asked, or as answered.
  mutating func reads(answer: Bool, at now: Instant) {
    isAnswer = answer
    self.now = now
  }

  // MARK: Values

  /// The placeholder of a value that is a secret.
  mutating func secret(_ value: String, _ kind: String) -> String {
    guard !value.isEmpty else { return "" }
    let label = ledger.learn(value, kind: kind)
    meet(label, value)
    return SecretPlaceholder.secret(label).text
  }

  /// Tells of a secret where it is met for the first time. What was sent before it was given out needs no telling: in a
  /// replay it is sent again.
  mutating func meet(_ label: String, _ value: @autoclosure () -> String) {
    guard met.insert(label).inserted else { return }
    describe(value(), label)
  }

  /// Learns what can be told of a new secret without telling it.
  private mutating func describe(_ value: String, _ label: String) {
    guard isAnswer else { return }
    let kind = label.prefix { $0 != "#" }.dropLast()
    guard let jwt = try? UnverifiedJWT(parsing: value) else {
      var secret = IssuedSecret(length: value.utf8.count)
      if kind == "user code" || value.utf8.count < SecretRegistry.shortestRandom || UUIDText.isValid(value) {
        secret = IssuedSecret(shape: Self.shape(of: value))
      }
      issued[label] = secret
      return
    }
    let header = json(jwt.header, name: nil)
    let claims = claims(jwt.claims)
    issued[label] = IssuedSecret(token: .init(header: header, claims: claims))
    if kind == "id token" { judge(label, value) }
  }

  private static func shape(of value: String) -> String {
    String(
      value.map { letter in
        letter.isASCII && letter.isNumber
          ? "9"
          : letter.isASCII && letter.isUppercase
            ? "A"
            : letter.isASCII && letter.isLowercase ? "a" : letter
      })
  }

  // MARK: Tokens

  private static let moments: Set<String> = ["iat", "nbf", "exp", "auth_time", "updated_at"]

  private mutating func claims(_ claims: JSON) -> JSON {
    guard let members = claims.object else { return .null }
    var recorded: JSON.Members = [:]
    for (name, value) in members {
      if Self.moments.contains(name), let number = value.number, abs(number) < 1e12 {
        recorded[name] = .string(time(Int64(number.rounded(.down)), .number))
      } else if name == "nonce", let text = value.string {
        recorded[name] = .string(secret(text, "nonce"))
      } else if name == "at_hash" || name == "c_hash", let text = value.string {
        recorded[name] = .string(hash(text))
      } else {
        recorded[name] = json(value, name: name)
      }
    }
    return .object(recorded)
  }

  /// Secrets whose hash a token may carry: of this answer and of the redirect before it.
  private var hashes: [String: String] = [:]

  /// Remembers a value whose hash an ID token may carry.
  mutating func noteHash(of value: String, as label: String) { hashes[TokenHash.of(value)] = label }

  private func hash(_ text: String) -> String {
    // A hash of nothing that was given out stays as it is, and stays wrong.
    hashes[text].map { SecretPlaceholder.hash(of: $0).text } ?? PlaceholderText.escape(text)
  }

  private mutating func judge(_ label: String, _ token: String) {
    unjudged.append((label, token))
    if !keys.isEmpty { _ = judgeAll() }
  }

  /// Remembers keys that the platform gave out.
  /// - Returns: the ID tokens of which the keys show that somebody else signed them.
  mutating func learn(_ set: JWKSet) -> [String] {
    keys = set.keys + keys
    return judgeAll()
  }

  private(set) var badlySigned: Set<String> = []

  private mutating func judgeAll() -> [String] {
    var bad: [String] = []
    let keys = JWKSet(self.keys)
    unjudged.removeAll { label, token in
      guard let jwt = try? UnverifiedJWT(parsing: token) else { return true }
      do throws(SignatureValidationError) {
        try keys.verify(jwt)
        return true
      } catch {
        guard error == .signature else { return false }
        bad.append(label)
        return true
      }
    }
    badlySigned.formUnion(bad)
    return bad
  }

  // MARK: Times

  /// Whether a number of seconds is a moment that a replay can move. A server may send any number.
  static func isMoment(_ seconds: Int64) -> Bool { seconds.magnitude < 1_000_000_000_000 }

  /// A moment, told from the moment of the exchange.
  func time(_ seconds: Int64, _ form: SecretPlaceholder.TimeForm) -> String {
    SecretPlaceholder.time(seconds - now.secondsSince1970, form).text
  }
}
