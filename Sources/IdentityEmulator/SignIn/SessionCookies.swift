import Documents
import Effects
import HTTPTypes
import OAuth

/// The cookie for the browser's session, and the cookie that binds forms to the browser.
enum SessionCookies {
  static let session = "ESTSAUTHPERSISTENT"
  static let binding = "esctx"

  /// Returns the name of the session cookie. B2C tenants have separate sessions.
  static func sessionName(for realm: Realm) -> String {
    realm.policy == nil ? session : "x-ms-cpim-sso-\(realm.segment.prefix(36))"
  }

  /// Returns the full cookie name, with the `__Host-` prefix if the connection uses TLS. Other hosts and pages without
  /// TLS cannot set cookies with this prefix (RFC 6265bis §4.1.3.2).
  static func fullName(_ name: String, on exchange: EmulatorRequest) -> String {
    exchange.isSecure ? "__Host-" + name : name
  }

  static func value(_ name: String, on exchange: EmulatorRequest) -> String? {
    exchange.cookies[fullName(name, on: exchange)]
  }

  /// Appends a `Set-Cookie` header.
  /// - Parameters:
  ///   - maxAge: The lifetime, or nil for a cookie that is deleted when the browser closes.
  ///   - goesEverywhere: Whether the browser also sends the cookie with cross-site requests. Silent requests in hidden
  ///     frames require the cookie.
  static func set(
    _ name: String, _ value: String, maxAge: Duration?, goesEverywhere: Bool = true, on exchange: EmulatorRequest,
    in response: inout ResponseMessage
  ) {
    // Browsers accept SameSite=None only together with Secure.
    let site = exchange.isSecure && goesEverywhere ? "None" : "Lax"
    let security = "; SameSite=\(site)" + (exchange.isSecure ? "; Secure" : "")
    let age = maxAge.map { "; Max-Age=\($0.components.seconds)" } ?? ""
    let name = fullName(name, on: exchange)
    response.head.headerFields.append(
      HTTPField(name: .setCookie, value: "\(name)=\(value); Path=/; HttpOnly\(age)\(security)"))
  }

  /// Returns the ID of the browser's session, or nil if the cookie is missing or invalid.
  static func sessionID(_ exchange: EmulatorRequest, realm: Realm) -> String? {
    value(sessionName(for: realm), on: exchange).flatMap {
      OpaqueTokenCipher.open($0, for: .browserSession)?["id"]?.string
    }
  }

  static func seal(_ id: String, randomness: any Randomness) -> String {
    OpaqueTokenCipher.seal(["id": .string(id)], for: .browserSession, randomness: randomness)
  }
}

extension EmulatorRequest {
  /// Whether the connection uses TLS.
  var isSecure: Bool { base.hasPrefix("https:") }

  /// Whether the host is an IP address or `localhost`.
  var isLocal: Bool {
    if host.isEmpty || host.hasPrefix("[") || host == "localhost" || host.hasSuffix(".localhost") { return true }
    return host.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
  }
}
