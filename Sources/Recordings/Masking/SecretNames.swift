import Effects
import OAuth
import RunTrace

/// The classification of fields by name. It includes more names than `SecretParameters`, because users share
/// recordings.
enum SecretNames {
  enum Classification: Hashable, Sendable {
    /// Every value of the field is a secret of this kind.
    case secret(String)
    /// A value of the field is a secret of this kind only if it looks random, because the field can also contain
    /// ordinary values.
    case secretIfRandom(String)
    case harmless
  }

  /// Classifies a field in a form, a query, or a redirect.
  static func inParameters(_ name: String) -> Classification {
    let name = name.lowercased()
    if let kind = additionalNames[name] { return .secret(kind) }
    if let kind = SecretParameters.kind(of: name) { return .secret(kind.rawValue) }
    return classifyUnknown(name)
  }

  /// Classifies a member of a JSON object.
  static func inJSON(_ name: String) -> Classification {
    let name = name.lowercased()
    if let kind = additionalNames[name] ?? SecretParameters.kind(of: name)?.rawValue {
      return ambiguousNames.contains(name) ? .secretIfRandom(kind) : .secret(kind)
    }
    return classifyUnknown(name)
  }

  static func inHeaders(_ name: String) -> Classification {
    harmlessHeaders.contains(name) ? .harmless : classifyUnknown(name)
  }

  /// Secret names that `SecretParameters` does not contain.
  private static let additionalNames: [String: String] = [
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

  private static let ambiguousNames: Set<String> = [
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

  /// Classifies an unknown name by its similarity to the names of secrets.
  private static func classifyUnknown(_ name: String) -> Classification {
    guard suspiciousParts.contains(where: { name.contains($0) }),
      !harmlessEndings.contains(where: { name.hasSuffix($0) }),
      // OData paging tokens are positions in a list, not credentials.
      !name.hasSuffix("skiptoken"), !name.hasSuffix("deltatoken")
    else { return .harmless }
    return .secretIfRandom("secret")
  }

  /// Whether a value looks random: it is long, does not contain spaces, and contains both letters and digits.
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
