import Documents
import Effects
import HTTPTypes
import OAuth

/// Protection of forms against cross-site request forgery. A hidden field of the form must match a browser cookie.
///
/// A page on another site can make the browser submit a form, but the page cannot read the cookie that determines the
/// field value.
struct BrowserBinding: Sendable {
  /// The value of the cookie.
  let value: String

  /// The name of the hidden field in forms outside a sign-in flow.
  static let field = "canary"

  /// Creates a binding with the value of the browser's cookie, or a new random value if the cookie is missing or
  /// malformed.
  init(_ exchange: EmulatorRequest, randomness: any Randomness) {
    value = Self.sent(by: exchange) ?? Base64URL.encode(randomness.bytes(16))
  }

  private static func sent(by exchange: EmulatorRequest) -> String? {
    guard let sent = SessionCookies.value(SessionCookies.binding, on: exchange), sent.utf8.count == 22,
      (try? Base64URL.decode(sent)) != nil
    else { return nil }
    return sent
  }

  /// The value of the hidden field: a one-way hash of the cookie.
  var token: String { OpaqueTokenCipher.pseudonym("canary", value) }

  /// Whether the submitted form comes from a page that the emulator sent to this browser.
  static func isOwnForm(_ exchange: EmulatorRequest) -> Bool {
    guard exchange.method == .post, let value = sent(by: exchange), let token = exchange.form[field] else {
      return false
    }
    return ConstantTime.equal(OpaqueTokenCipher.pseudonym("canary", value), token)
  }

  /// Sets the cookie, which expires when the browser closes.
  func set(on exchange: EmulatorRequest, in response: inout ResponseMessage) {
    SessionCookies.set(
      SessionCookies.binding, value, maxAge: nil, goesEverywhere: false, on: exchange, in: &response)
  }
}
