import Effects
import IdentityPlatform

/// Decides which hosts may receive an access token. Every request with a token must pass this check.
package struct TokenDestinations: Sendable {
  /// The resource for which a token was issued.
  package enum Resource: Hashable, Sendable {
    case graph
    /// Any other API.
    case api
  }

  private enum Reach: Sendable {
    /// An emulator or a recording responds, so no request leaves the process.
    case process
    case network(issuer: Origin?, Grants)
  }

  private let reach: Reach

  /// The destinations for runs whose requests never leave the process.
  package static let inProcess = TokenDestinations(reach: .process)

  /// Returns the destinations for runs over the network.
  /// - Parameters:
  ///   - issuer: A URL of the authority that issues the tokens.
  ///   - grants: The hosts that the user allows.
  package static func network(issuer: String, grants: Grants) -> TokenDestinations {
    TokenDestinations(reach: .network(issuer: Origin(of: issuer), grants))
  }

  /// Returns the reason that a token may not be sent to a URL, or nil if it may be sent.
  ///
  /// A Microsoft Graph token may be sent only to Microsoft Graph hosts and to hosts on this machine that the user
  /// allows. A token for another API may be sent to the origin of the issuer and to hosts that the user allows. No
  /// token may be sent over `http` to another machine (RFC 6750 §5.2). If the issuer runs on this machine, tokens may
  /// be sent to any server on this machine.
  package func violation(sending resource: Resource, to url: String) -> TrustViolation? {
    guard case .network(let issuer, let grants) = reach else { return nil }
    guard let origin = Origin(of: url) else {
      return TrustViolation(.tokens, "`\(url)` is not an absolute http or https URL", help: "use an https URL")
    }
    guard origin.isProtected else {
      return TrustViolation(
        .tokens, "access tokens are never sent over http to `\(origin.host)`", help: "use an https URL")
    }
    if origin.isLoopback, issuer?.isLoopback == true { return nil }
    switch resource {
    case .graph:
      guard !Self.isGraph(origin), !(origin.isLoopback && origin.isGranted(by: grants)) else { return nil }
      return TrustViolation(
        .tokens, "`\(origin)` is not a Microsoft Graph host and cannot receive Graph tokens",
        help: origin.isLoopback
          ? "pass `--allow-host \(Self.grant(for: origin))`"
          : "use a Microsoft Graph host, such as `https://graph.microsoft.com`")
    case .api:
      guard origin != issuer, !origin.isGranted(by: grants) else { return nil }
      return TrustViolation(
        .tokens, "access tokens are not sent to `\(origin)` without your permission",
        help: "pass `--allow-host \(Self.grant(for: origin))`, or list it under `hosts` in your configuration")
    }
  }

  /// Whether an origin belongs to Microsoft Graph in any cloud.
  package static func isGraph(_ origin: Origin) -> Bool {
    origin.scheme == "https" && origin.port == 443 && Cloud.isGraph(host: origin.host)
  }

  private static func grant(for origin: Origin) -> String {
    origin.port == 443 ? origin.host : "\(origin.host):\(origin.port)"
  }
}
