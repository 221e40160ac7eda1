import Documents
import Effects
import HTTPTypes
import OAuth

/// The cookies by which a browser is known again: one for the session, one that binds its pages to it.
enum SessionCookies {
  static let session = "ESTSAUTHPERSISTENT"
  static let binding = "esctx"

  /// B2C tenants keep sessions of their own.
  static func sessionName(for realm: Realm) -> String {
    realm.policy == nil ? session : "x-ms-cpim-sso-\(realm.segment.prefix(36))"
  }

  /// The name as the browser knows it. Over TLS it says that the cookie is this very host's: no host above, below or
  /// beside it, and no page without TLS, can set one of that name (RFC 6265bis §4.1.3.2).
  static func fullName(_ name: String, on exchange: EmulatorRequest) -> String {
    exchange.isSecure ? "__Host-" + name : name
  }

  static func value(_ name: String, on exchange: EmulatorRequest) -> String? {
    exchange.cookies[fullName(name, on: exchange)]
  }

  /// - Parameters:
  ///   - maxAge: nil for a cookie that ends with the browser.
  ///   - goesEverywhere: whether other sites' requests carry it too, as a silent request in a hidden frame must.
  static func set(
    _ name: String, _ value: String, maxAge: Duration?, goesEverywhere: Bool = true, on exchange: EmulatorRequest,
    in response: inout ResponseMessage
  ) {
    // SameSite=None is taken by browsers together with Secure only.
    let site = exchange.isSecure && goesEverywhere ? "None" : "Lax"
    let security = "; SameSite=\(site)" + (exchange.isSecure ? "; Secure" : "")
    let age = maxAge.map { "; Max-Age=\($0.components.seconds)" } ?? ""
    let name = fullName(name, on: exchange)
    response.head.headerFields.append(
      HTTPField(name: .setCookie, value: "\(name)=\(value); Path=/; HttpOnly\(age)\(security)"))
  }

  /// The id of the browser's session; nil without a cookie, or with one that was not made here.
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
  /// Whether the browser came over TLS.
  var isSecure: Bool { base.hasPrefix("https:") }

  /// Whether the host is an address or a name of this machine.
  var isLocal: Bool {
    if host.isEmpty || host.hasPrefix("[") || host == "localhost" || host.hasSuffix(".localhost") { return true }
    return host.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
  }
}
