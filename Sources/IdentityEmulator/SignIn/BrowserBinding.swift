import Effects
import HTTPTypes
import OAuth

/// What only this browser can know: the value of a cookie of its own, without which none of its forms counts.
///
/// A page of another site can make the browser send a form, but can neither read the cookie nor the page, so it cannot
/// write into the form what has to match.
struct BrowserBinding: Sendable {
  /// The cookie's value.
  let value: String

  /// The hidden field of forms that belong to no sign-in.
  static let field = "canary"

  /// The binding that the browser has, or a new one. A value of another shape was not made here.
  init(_ exchange: EmulatorRequest, randomness: any Randomness) {
    value = Self.sent(by: exchange) ?? Base64URL.encode(randomness.bytes(16))
  }

  private static func sent(by exchange: EmulatorRequest) -> String? {
    guard let sent = SessionCookies.value(SessionCookies.binding, on: exchange), sent.utf8.count == 22,
      (try? Base64URL.decode(sent)) != nil
    else { return nil }
    return sent
  }

  /// What a form's hidden field says: it follows from the cookie, and the cookie not from it.
  var token: String { OpaqueTokenCipher.pseudonym("canary", value) }

  /// Whether a form that was sent back is one that this browser was shown.
  static func isOwnForm(_ exchange: EmulatorRequest) -> Bool {
    guard exchange.method == .post, let value = sent(by: exchange), let token = exchange.form[field] else {
      return false
    }
    return ConstantTime.equal(OpaqueTokenCipher.pseudonym("canary", value), token)
  }

  /// Lets the browser keep it until it is closed.
  func set(on exchange: EmulatorRequest, in response: inout ResponseMessage) {
    SessionCookies.set(
      SessionCookies.binding, value, maxAge: nil, goesEverywhere: false, on: exchange, in: &response)
  }
}
