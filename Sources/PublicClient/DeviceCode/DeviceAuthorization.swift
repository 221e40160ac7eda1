import Documents
import RunTrace

/// The response to a device authorization request (RFC 8628 §3.2).
struct DeviceAuthorization: Sendable {
  var deviceCode: Secret
  var prompt: DeviceCodePrompt
  var interval: Duration

  /// The default polling interval in seconds (RFC 8628 §3.2).
  static let defaultInterval: Int64 = 5
  /// MSAL Python's default lifetime of a device code, in seconds.
  static let defaultLifetime: Int64 = 1800

  init(_ json: JSON) throws(MSALError) {
    guard let code = json["device_code"]?.string, let userCode = json["user_code"]?.string,
      let uri = json["verification_uri"]?.string ?? json["verification_url"]?.string
    else {
      throw MSALError(
        .serverInvalidResponse, "the response does not contain `device_code`, `user_code`, or `verification_uri`")
    }
    func seconds(_ name: String, _ defaultValue: Int64) -> Duration {
      let value = json[name]?.integer ?? json[name]?.string.flatMap { Int64($0) } ?? defaultValue
      return .seconds(min(max(value, 0), 86_400))
    }
    deviceCode = Secret(code, kind: .deviceCode)
    interval = max(seconds("interval", Self.defaultInterval), .seconds(1))
    prompt = DeviceCodePrompt(
      userCode: userCode, verificationURI: uri, verificationURIComplete: json["verification_uri_complete"]?.string,
      message: json["message"]?.string ?? "Open \(uri) and enter the code \(userCode).",
      expiresIn: seconds("expires_in", Self.defaultLifetime))
  }
}
