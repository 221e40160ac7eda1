import Effects
import HTTPTypes
import OAuth

/// Decides whether the simulated user may enter a secret: a password or a one-time code. The user code of a device code
/// flow is not a secret, because providers include it in URLs (RFC 8628 §3.3.1).
enum SecretRule {
  /// Checks a form before the user types and submits a secret.
  /// - Parameters:
  ///   - navigation: The submission of the form.
  ///   - page: The page with the form.
  /// - Returns: The reason to close the page without typing the secret, or nil if the form may receive it.
  static func rejection(of navigation: Navigation, on page: URLReference) -> String? {
    if !page.isConfidential {
      return rejection(
        "the page \(page.withoutQuery) is not https", fix: "serve it over https or from a loopback address")
    }
    if !navigation.url.isConfidential {
      return rejection(
        "the form at \(page.withoutQuery) submits to \(navigation.url.withoutQuery), which is not https",
        fix: "use an https action")
    }
    if navigation.method != .post {
      return rejection("the form at \(page.withoutQuery) uses GET", fix: "use `method=post`")
    }
    return nil
  }

  /// Detects a downgrade from a confidential URL. After a downgrade, an attacker on the network can control all
  /// subsequent pages.
  /// - Returns: The reason to stop, or nil if there is no downgrade.
  static func downgrade(from source: URLReference?, to target: URLReference) -> String? {
    guard let source, source.isConfidential, target.scheme?.lowercased() == "http", !target.isConfidential else {
      return nil
    }
    return
      "\(source.withoutQuery) navigates to \(target.withoutQuery), which is not https; use an https or loopback URL"
  }

  private static func rejection(_ reason: String, fix: String) -> String {
    "\(reason), so the simulated user does not enter secrets there; \(fix)"
  }
}

extension URLReference {
  /// Whether messages are protected from attackers on the network, because the connection uses TLS or the host is this
  /// machine.
  var isConfidential: Bool {
    switch scheme?.lowercased() {
    case "https": true
    case "http": isThisMachine
    default: false
    }
  }

  /// The URL for messages. The query and the fragment are removed, because they can contain secrets.
  var withoutQuery: String {
    var url = self
    url.query = nil
    url.fragment = nil
    return url.text
  }
}
