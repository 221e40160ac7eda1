import Documents
import Effects
import HTTPTypes
import OAuth

/// The cookies by which a browser is known again: one for the session, one that binds a running sign-in to it.
enum SessionCookies {
  static let session = "ESTSAUTHPERSISTENT"
  static let binding = "esctx"

  /// B2C tenants keep sessions of their own.
  static func sessionName(for realm: Realm) -> String {
    realm.policy == nil ? session : "x-ms-cpim-sso-\(realm.segment.prefix(36))"
  }

  static func set(
    _ name: String, _ value: String, maxAge: Duration?, on exchange: Exchange, in response: inout ResponseMessage
  ) {
    // Cookies that must survive a cross-site POST need SameSite=None, which browsers take with Secure only.
    let security = exchange.base.hasPrefix("https:") ? "; Secure; SameSite=None" : "; SameSite=Lax"
    let age = maxAge.map { "; Max-Age=\($0.components.seconds)" } ?? ""
    response.head.headerFields.append(
      HTTPField(name: .setCookie, value: "\(name)=\(value); Path=/; HttpOnly\(age)\(security)"))
  }

  /// The id of the browser's session; nil without a cookie, or with one that was not made here.
  static func sessionID(_ exchange: Exchange, realm: Realm) -> String? {
    exchange.cookies[sessionName(for: realm)].flatMap { Sealing.open($0, for: .browserSession)?["id"]?.string }
  }

  static func seal(_ id: String, randomness: any Randomness) -> String {
    Sealing.seal(["id": .string(id)], for: .browserSession, randomness: randomness)
  }
}
