import Effects
import OAuth
import RunTrace

/// What the name of a field says about its value: more than `SecretParameters` knows, since a recording is kept and shared.
enum SecretNames {
  enum Verdict: Hashable, Sendable {
    /// Whatever the value is, it is one of these.
    case secret(String)
    /// It is one where it looks like one: the name is an ordinary word elsewhere.
    case secretIfRandom(String)
    case harmless
  }

  /// Fields of forms, queries and redirects.
  static func inParameters(_ name: String) -> Verdict {
    let name = name.lowercased()
    if let kind = named[name] { return .secret(kind) }
    if let kind = SecretParameters.kind(of: name) { return .secret(kind.rawValue) }
    return suspicious(name)
  }

  /// Members of JSON answers, where some of the names are ordinary words.
  static func inJSON(_ name: String) -> Verdict {
    let name = name.lowercased()
    if let kind = named[name] ?? SecretParameters.kind(of: name)?.rawValue {
      return ordinaryWords.contains(name) ? .secretIfRandom(kind) : .secret(kind)
    }
    return suspicious(name)
  }

  static func inHeaders(_ name: String) -> Verdict { harmlessHeaders.contains(name) ? .harmless : suspicious(name) }

  /// Beside those that OAuth knows.
  private static let named: [String: String] = [
    "nonce": "nonce", "code_challenge": "code challenge", "client-request-id": "correlation id",
    "client_request_id": "correlation id", "session_state": "session id", "sid": "session id", "user_code": "user code",
    "sig": "signature", "signature": "signature", "x-amz-signature": "signature", "tempauth": "signature",
    "actor_token": "access token", "initial_access_token": "access token", "request": "request object",
    "registration_access_token": "access token",
    "apicanary": "flow token", "sft": "flow token", "sctx": "flow token", "requestnonce": "nonce",
    "totpseed": "secret", "seed": "secret", "pwd": "password", "currentpassword": "password", "oldpassword": "password",
    "rh": "internal claim", "aio": "internal claim", "secrettext": "client secret", "passcode": "one-time code",
    "otp": "one-time code",
  ]

  private static let ordinaryWords: Set<String> = [
    "code", "state", "token", "canary", "flow", "ctx", "nonce", "request", "signature", "seed", "sig",
  ]

  private static let harmlessHeaders: Set<String> = [
    "x-ms-pkeyauth", "x-client-current-telemetry", "x-client-last-telemetry", "www-authenticate",
    "content-security-policy",
    "content-security-policy-report-only", "report-to", "nel", "etag", "if-match", "if-none-match",
  ]

  private static let suspiciousParts = [
    "secret", "passw", "token", "credential", "assertion", "signature", "cookie", "session", "apikey", "api_key",
    "api-key", "subscription-key", "functions-key", "accesskey", "access_key", "sharedkey", "auth", "ticket", "canary",
    "privatekey", "private_key",
  ]

  private static let harmlessEndings = [
    "_type", "_types", "_endpoint", "_supported", "_method", "_methods", "_uri", "_url", "_in", "_on", "_count",
    "_name",
  ]

  /// A name that sounds like a secret, of which nothing is known.
  private static func suspicious(_ name: String) -> Verdict {
    guard suspiciousParts.contains(where: { name.contains($0) }),
      !harmlessEndings.contains(where: { name.hasSuffix($0) }),
      // Where a long list goes on (OData): a place in it and no permission.
      !name.hasSuffix("skiptoken"), !name.hasSuffix("deltatoken")
    else { return .harmless }
    return .secretIfRandom("secret")
  }

  /// Whether a value looks as if nobody could guess it: long, in one piece, with letters and digits mixed.
  static func looksRandom(_ value: String) -> Bool {
    var letters = 0
    var digits = 0
    let bytes = value.utf8
    guard (16...16_384).contains(bytes.count), !UUIDText.isValid(value) else { return false }
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): letters += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "+"),
        UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "$"),
        UInt8(ascii: "%"):
        break
      default: return false
      }
    }
    return letters >= 4 && digits >= 2
  }
}
