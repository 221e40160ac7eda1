import Diagnostics
import Documents
import Effects
import OAuth
import OrderedCollections

/// A masker that replaces secrets with placeholders. It detects secrets by field name, by format, and by comparison
/// with known secrets.
struct SecretMasker: Sendable {
  var registry = SecretRegistry()
  /// The metadata of secrets that first appeared since the last call to `drainIssued()`.
  private(set) var issued: [String: IssuedSecret] = [:]
  /// The time of the current exchange, to which recorded times are relative.
  var now: Instant
  /// Whether the current message is a response. A replay must issue secrets that first appear in a response.
  private var isResponse = false
  /// The labels that the recording already contains.
  private var recordedLabels: Set<String> = []
  /// The ID tokens whose signing keys are not recorded yet.
  private var unverified: [(label: String, token: String)] = []
  private var keys: [JWK] = []

  init(now: Instant) { self.now = now }

  /// Returns the metadata of new secrets and clears the list.
  mutating func drainIssued() -> [String: IssuedSecret] {
    defer { issued = [:] }
    return issued
  }

  /// Starts masking a request or a response.
  mutating func startMessage(isResponse: Bool, at now: Instant) {
    self.isResponse = isResponse
    self.now = now
  }

  // MARK: Values

  /// Returns the placeholder for a secret value.
  mutating func secret(_ value: String, _ kind: String) -> String {
    guard !value.isEmpty else { return "" }
    let label = registry.register(value, kind: kind)
    recordOccurrence(label, value)
    return SecretPlaceholder.secret(label).text
  }

  /// Records the metadata of a secret when the secret first appears. Secrets that the app sends do not need metadata,
  /// because the app also sends them during replay.
  mutating func recordOccurrence(_ label: String, _ value: @autoclosure () -> String) {
    guard recordedLabels.insert(label).inserted else { return }
    describe(value(), label)
  }

  /// Stores the metadata that a replay needs to issue a similar secret. The metadata does not include the secret
  /// itself.
  private mutating func describe(_ value: String, _ label: String) {
    guard isResponse else { return }
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
    if kind == "id token" { verifySignature(of: label, value) }
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

  private static let timeClaims: Set<String> = ["iat", "nbf", "exp", "auth_time", "updated_at"]

  private mutating func claims(_ claims: JSON) -> JSON {
    guard let members = claims.object else { return .null }
    var recorded: JSON.Members = [:]
    for (name, value) in members {
      if Self.timeClaims.contains(name), let number = value.number, abs(number) < 1e12 {
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

  /// The labels of values by hash, for the `at_hash` and `c_hash` claims in this response's ID token. The authorization
  /// code from the preceding redirect is included.
  private var hashes: [String: String] = [:]

  /// Records a value whose hash can appear in an ID token.
  mutating func recordHash(of value: String, as label: String) { hashes[TokenHash.of(value)] = label }

  private func hash(_ text: String) -> String {
    // A hash that does not match any recorded value stays unchanged, so that it is also invalid during replay.
    hashes[text].map { SecretPlaceholder.hash(of: $0).text } ?? PlaceholderText.escape(text)
  }

  private mutating func verifySignature(of label: String, _ token: String) {
    unverified.append((label, token))
    if !keys.isEmpty { _ = verifyPending() }
  }

  /// Adds the provider's signing keys.
  /// - Returns: The labels of ID tokens with an invalid signature.
  mutating func addKeys(_ set: JWKSet) -> [String] {
    keys = set.keys + keys
    return verifyPending()
  }

  private(set) var badlySigned: Set<String> = []

  private mutating func verifyPending() -> [String] {
    var bad: [String] = []
    let keys = JWKSet(self.keys)
    unverified.removeAll { label, token in
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

  /// Whether a replay can shift a time by this number of seconds. Servers can send arbitrary numbers.
  static func isPlausibleTime(_ seconds: Int64) -> Bool { seconds.magnitude < 1_000_000_000_000 }

  /// Returns a placeholder for a time. The placeholder is relative to the time of the exchange.
  func time(_ seconds: Int64, _ format: SecretPlaceholder.TimeFormat) -> String {
    SecretPlaceholder.time(seconds - now.secondsSince1970, format).text
  }
}
