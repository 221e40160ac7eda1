import Documents
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections

/// A decoded token as text, with explanations of the header and the claims. Times are also shown relative to the
/// current time.
package struct TokenText {
  private let style: TerminalStyle
  private let now: Instant

  /// - Parameter now: The current time.
  package init(style: TerminalStyle, now: Instant) {
    self.style = style
    self.now = now
  }

  package func text(of token: UnverifiedJWT) -> String {
    var text = heading("header")
    for (name, value) in token.header.object ?? [:] {
      text += line(name, inline(value), TokenHeader.meaning(of: name) ?? "")
    }
    text += "\n" + heading("claims")
    for (name, value) in token.claims.object ?? [:] {
      let meaning = ClaimDescription.named(name)
      text += line(name, inline(value), meaning?.meaning ?? "")
      if meaning?.isTime == true, let formatted = time(value, isEnd: name == "exp") { text += formatted }
    }
    text += "\n" + heading("signature")
    text += style.wrap("\(token.signature.count) bytes, not shown and not verified", indent: 2)
    if token.claims["scp"] != nil || token.claims["roles"] != nil || token.claims["appid"] != nil {
      text += "\n"
      text += style.wrap(
        "This access token is for the API in aud. Apps must not read it, because its format can change at any time.",
        indent: 0, tone: .dim)
    }
    return text
  }

  private func heading(_ words: String) -> String { style.shown(style.paint(words, .strong) + "\n") }

  private func line(_ name: String, _ value: String, _ meaning: String) -> String {
    style.wrap("\(name): \(value)", indent: 2, hanging: 2)
      + (meaning.isEmpty ? "" : style.wrap(meaning, indent: 6, tone: .dim))
  }

  /// Formats the time in a claim, both as a date and relative to the current time.
  private func time(_ value: JSON, isEnd: Bool) -> String? {
    guard let seconds = value.integer, let moment = RelativeTimes.moment(seconds: seconds) else { return nil }
    let distance = Instant(secondsSince1970: seconds) - now
    // At its exact expiration time, a token is already expired (RFC 7519 §4.1.4).
    let isPast = distance <= .zero
    let span = TerminalRunReport.duration(isPast ? .zero - distance : distance)
    return style.wrap(
      "\(moment), \(distance == .zero ? "now" : isPast ? "\(span) ago" : "in \(span)")\(isEnd && isPast ? ": expired" : "")",
      indent: 6,
      tone: isEnd ? (isPast ? .bad : .good) : .plain)
  }

  private func inline(_ value: JSON) -> String { value.string ?? value.text() }
}

/// The parameters in a token's header (RFC 7515 §4.1).
enum TokenHeader {
  static func meaning(of name: String) -> String? { all[name] }

  private static let all = [
    "alg": "signature algorithm", "kid": "ID of the provider's key", "typ": "type: JWT",
    "x5t": "fingerprint of the key's certificate", "x5c": "the key's certificates",
    "nonce": "present if only the API can verify the signature",
  ]
}
