import Documents
import Effects
import OAuth
import OrderedCollections

/// The values of a recording's placeholders during a replay. They are secrets that the app sent or that the replay
/// issued.
struct ReplayBindings: Sendable {
  private(set) var values: [String: String] = [:]
  /// The masker that hides the secrets in this replay for display.
  private(set) var masker: SecretMasker
  private let issued: [String: IssuedSecret]
  private let badlySigned: Set<String>
  private let randomness: any Randomness
  /// The current nesting depth of tokens. It is limited, because each level makes the text at least a third longer.
  private var depth = 0
  private static let maxDepth = 8
  /// The number of bytes that placeholders can still add to the current message. This limit prevents a short recording
  /// that repeats a long token from creating a huge message.
  private var remainingBytes = ReplayBindings.maxBytes
  static let maxBytes = 16 << 20

  init(_ recording: Recording, randomness: any Randomness, now: Instant) {
    issued = recording.issued
    badlySigned = recording.badlySigned
    self.randomness = randomness
    masker = SecretMasker(now: now)
  }

  /// Sets the value of a placeholder.
  mutating func bind(_ label: String, to value: String) {
    values[label] = value
    masker.registry.assign(value, as: label)
  }

  mutating func bind(_ bound: [String: String]) {
    for (label, value) in bound where values[label] != value { bind(label, to: value) }
  }

  /// Masks secrets in text for display.
  mutating func masked(_ text: String) -> String { masker.text(text) }

  /// Masks the value of a named field for display.
  mutating func masked(_ name: String, _ value: String) -> String {
    masker.parameters([name: value]).values.first?.first ?? ""
  }

  // MARK: Replacement of placeholders

  /// The current time, to which recorded times are relative.
  private var now: Instant { masker.now }

  mutating func startMessage(at now: Instant) {
    remainingBytes = Self.maxBytes
    masker.startMessage(isResponse: false, at: now)
  }

  /// Replaces the placeholders in a recorded text.
  /// - Parameter redirectURI: The redirect URI of the current visit.
  mutating func text(_ recorded: String, redirectURI: String? = nil) -> String {
    var text = ""
    for part in PlaceholderText(recorded).parts {
      switch part {
      case .literal(let literal): text += literal
      case .placeholder(let placeholder):
        let value = value(of: placeholder, redirectURI: redirectURI)
        guard value.utf8.count <= remainingBytes else { continue }
        remainingBytes -= value.utf8.count
        text += value
      }
    }
    return text
  }

  /// Replaces the placeholders in recorded JSON. Replaces time placeholders with numbers, and key placeholders with the
  /// replay's public keys.
  mutating func json(_ recorded: JSON, name: String? = nil, keyType: String? = nil) -> JSON {
    switch recorded {
    case .object(let members):
      let keyType = members["kty"]?.string
      var result: JSON.Members = [:]
      for (key, value) in members { result[text(key)] = json(value, name: key, keyType: keyType) }
      return .object(result)
    case .array(let values): return .array(values.map { json($0) })
    case .string(let string):
      if string == SecretMasker.replayKey, let name, let keyType, let member = ReplayKeys.member(name, keyType: keyType)
      {
        return .string(member)
      }
      if case .time(let seconds, .number)? = PlaceholderText(string).only {
        return .integer(now.secondsSince1970 + seconds)
      }
      if case .number(let digits)? = PlaceholderText(string).only { return .string(WideNumber.marked(digits: digits)) }
      return .string(text(string))
    default: return recorded
    }
  }

  private mutating func value(of placeholder: SecretPlaceholder, redirectURI: String?) -> String {
    switch placeholder {
    case .secret(let label): return secret(label)
    case .hash(let label): return TokenHash.of(secret(label))
    case .redirectURI: return redirectURI ?? ""
    case .number(let digits): return digits
    case .time(let seconds, .date):
      return CalendarTime(secondsSince1970: now.secondsSince1970 + seconds, nanosecond: 0).httpDate
    case .time(let seconds, _): return String(now.secondsSince1970 + seconds)
    }
  }

  // MARK: Issuing

  /// Returns the value of a placeholder. Issues a new secret if the placeholder has no value yet.
  mutating func secret(_ label: String) -> String {
    if let value = values[label] { return value }
    // This provisional value stops the recursion if placeholders refer to each other.
    values[label] = ""
    let value = issue(label)
    bind(label, to: value)
    return value
  }

  private mutating func issue(_ label: String) -> String {
    let secret = issued[label] ?? IssuedSecret()
    if let token = secret.token, depth < Self.maxDepth {
      depth += 1
      defer { depth -= 1 }
      return sign(token, isBad: badlySigned.contains(label))
    }
    if let shape = secret.shape { return shaped(shape) }
    return random(length: min(secret.length ?? 43, 16_384))
  }

  private func random(length: Int) -> String {
    String(Base64URL.encode(randomness.bytes(max(1, length) * 3 / 4 + 1)).prefix(max(1, length)))
  }

  private func shaped(_ shape: String) -> String {
    let random = randomness.bytes(shape.count)
    return String(
      zip(shape, random).map { letter, byte -> Character in
        switch letter {
        case "9": Character(Unicode.Scalar(UInt8(ascii: "0") + byte % 10))
        // Use only hexadecimal digits, so that GUIDs stay valid.
        case "a": Character(Unicode.Scalar(UInt8(ascii: "a") + byte % 6))
        case "A": Character(Unicode.Scalar(UInt8(ascii: "A") + byte % 6))
        default: letter
        }
      })
  }

  /// Creates a token that is signed with one of the replay's keys and has times relative to now. If the recorded
  /// signature was invalid, the new signature is also invalid.
  private mutating func sign(_ token: IssuedSecret.Token, isBad: Bool) -> String {
    let header = json(token.header)
    let claims = json(token.claims)
    let input = UnverifiedJWT.signingInput(header: header, claims: claims)
    let key =
      switch header["alg"]?.string {
      case SignatureAlgorithm.rs256.rawValue: ReplayKeys.signingRSA
      case SignatureAlgorithm.es256.rawValue: ReplayKeys.signingP256
      default: nil as SigningKey?
      }
    // If `alg` is `none` or requires a shared secret, the token does not get a valid signature.
    guard let key, var signature = try? key.signature(over: Array(input.utf8)) else {
      return input + "." + (header["alg"]?.string == "none" ? "" : Base64URL.encode(randomness.bytes(32)))
    }
    if isBad, let first = signature.first { signature[0] = first ^ 1 }
    return "\(input).\(Base64URL.encode(signature))"
  }
}
