import HTTPTypes
import OAuth

/// Where the simulated user enters a secret: passwords of every kind, and one-time codes. A device's user code is not a
/// secret of the user, and providers send it in addresses themselves (RFC 8628 §3.3.1).
enum SecretRule {
  /// Decides before a secret is typed and sent.
  /// - Parameters:
  ///   - navigation: the form's submission.
  ///   - page: the page that contains the form.
  /// - Returns: the reason for closing the page instead; nil if the form may receive the secret.
  static func refusal(of navigation: Navigation, on page: URLReference) -> String? {
    if !page.isConfidential {
      return refusal(
        "the page \(page.withoutQuery) is not https", fix: "serve it over https or from a loopback address")
    }
    if !navigation.url.isConfidential {
      return refusal(
        "the form at \(page.withoutQuery) submits to \(navigation.url.withoutQuery), which is not https",
        fix: "use an https action")
    }
    if navigation.method != .post {
      return refusal("the form at \(page.withoutQuery) uses GET", fix: "use `method=post`")
    }
    return nil
  }

  /// A network attacker controls everything after a downgrade: the pages, and their forms' actions.
  /// - Returns: the reason for not going on from a confidential address to one in clear text; nil if there is no downgrade.
  static func downgrade(from source: URLReference?, to target: URLReference) -> String? {
    guard let source, source.isConfidential, target.scheme?.lowercased() == "http", !target.isConfidential else {
      return nil
    }
    return
      "\(source.withoutQuery) leads to \(target.withoutQuery), which is not https; use an https or a loopback address"
  }

  private static func refusal(_ reason: String, fix: String) -> String {
    "\(reason), so the simulated user does not enter secrets there; \(fix)"
  }
}

extension URLReference {
  /// Whether nobody on the network can read or change the exchange: TLS, or this machine only.
  var isConfidential: Bool {
    switch scheme?.lowercased() {
    case "https": true
    case "http": isLoopback
    default: false
    }
  }

  /// Whether the host is this machine: `localhost` and names below it, 127.0.0.0/8, or `::1` (RFC 6761 §6.3).
  var isLoopback: Bool {
    guard let host else { return false }
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
  }

  /// The address for messages: its query and fragment may contain secrets.
  var withoutQuery: String {
    var url = self
    url.query = nil
    url.fragment = nil
    return url.text
  }
}
