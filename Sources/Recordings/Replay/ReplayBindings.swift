import Documents
import Effects
import OAuth
import OrderedCollections

/// What the placeholders of a recording stand for in this replay: what the app sent in their place, and what was issued anew.
struct ReplayBindings: Sendable {
  private(set) var values: [String: String] = [:]
  /// Finds the secrets of this replay in texts that people read.
  private(set) var masker: SecretMasker
  private let issued: [String: IssuedSecret]
  private let badlySigned: Set<String>
  private let randomness: any Randomness
  /// Tokens that contain tokens: each level makes the text longer by a third or more.
  private var depth = 0
  private static let deepest = 8
  /// How many bytes placeholders may still become in the message under way: a short recording could name a long token a
  /// thousand times.
  private var room = ReplayBindings.mostBytes
  static let mostBytes = 16 << 20

  init(_ recording: Recording, randomness: any Randomness, now: Instant) {
    issued = recording.issued
    badlySigned = recording.badlySigned
    self.randomness = randomness
    masker = SecretMasker(now: now)
  }

  /// Says what a placeholder stands for from now on.
  mutating func bind(_ label: String, to value: String) {
    values[label] = value
    masker.ledger.remember(value, as: label)
  }

  mutating func bind(_ bound: [String: String]) {
    for (label, value) in bound where values[label] != value { bind(label, to: value) }
  }

  /// A text of the app as people may read it.
  mutating func shown(_ text: String) -> String { masker.text(text) }

  /// A field of the app as people may read it.
  mutating func shown(_ name: String, _ value: String) -> String {
    masker.parameters([name: value]).values.first?.first ?? ""
  }

  // MARK: Texts of the recording as they are sent out

  /// The moment that times are told from.
  private var now: Instant { masker.now }

  mutating func begin(at now: Instant) {
    room = Self.mostBytes
    masker.reads(answer: false, at: now)
  }

  /// - Parameter redirectURI: of the visit under way.
  mutating func text(_ recorded: String, redirectURI: String? = nil) -> String {
    var text = ""
    for part in PlaceholderText(recorded).parts {
      switch part {
      case .literal(let literal): text += literal
      case .standIn(let standIn):
        let value = value(of: standIn, redirectURI: redirectURI)
        guard value.utf8.count <= room else { continue }
        room -= value.utf8.count
        text += value
      }
    }
    return text
  }

  /// JSON of the recording, with numbers where moments were numbers, and keys where keys were.
  mutating func json(_ recorded: JSON, name: String? = nil, keyType: String? = nil) -> JSON {
    switch recorded {
    case .object(let members):
      let keyType = members["kty"]?.string
      var made: JSON.Members = [:]
      for (key, value) in members { made[text(key)] = json(value, name: key, keyType: keyType) }
      return .object(made)
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

  private mutating func value(of standIn: SecretPlaceholder, redirectURI: String?) -> String {
    switch standIn {
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

  /// What a placeholder stands for; what was never sent nor issued is issued now.
  mutating func secret(_ label: String) -> String {
    if let value = values[label] { return value }
    // A recording whose placeholders hold each other must end too.
    values[label] = ""
    let value = issue(label)
    bind(label, to: value)
    return value
  }

  private mutating func issue(_ label: String) -> String {
    let secret = issued[label] ?? IssuedSecret()
    if let token = secret.token, depth < Self.deepest {
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
        // Every GUID has only these.
        case "a": Character(Unicode.Scalar(UInt8(ascii: "a") + byte % 6))
        case "A": Character(Unicode.Scalar(UInt8(ascii: "A") + byte % 6))
        default: letter
        }
      })
  }

  /// The token with its times moved to now and a signature of the replay's own key; a signature that was wrong is wrong
  /// again.
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
    // Neither `none` nor a shared secret is a signature that anybody believes.
    guard let key, var signature = try? key.signature(over: Array(input.utf8)) else {
      return input + "." + (header["alg"]?.string == "none" ? "" : Base64URL.encode(randomness.bytes(32)))
    }
    if isBad, let first = signature.first { signature[0] = first ^ 1 }
    return "\(input).\(Base64URL.encode(signature))"
  }
}
