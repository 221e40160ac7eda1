import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import RunTrace

/// Polling of the token endpoint until the user has signed in on another device (RFC 8628 §3.4, §3.5).
struct DeviceCodePolling: Sendable {
  let parts: RequestDependencies
  let context: RequestContext
  let metadata: ProviderMetadata
  let headers: HTTPFields
  let authorization: DeviceAuthorization
  /// The time at which the code expires.
  let end: Instant

  static let grant = "urn:ietf:params:oauth:grant-type:device_code"

  /// Polls until the service returns tokens or an error, or until the code expires. The interval increases by five
  /// seconds after `slow_down`, and doubles after a network or server failure (RFC 8628 §3.5).
  func run() async throws(MSALError) -> TokenResponse {
    let request = self.request
    var interval = authorization.interval
    var last = MSALError(.serverOauth, "the code expired before the user signed in")
    while true {
      let remaining = end - parts.world.clock.now
      try await wait(min(interval, remaining))
      guard interval <= remaining else { throw last.withOutcome("expiredToken") }
      do {
        return try await parts.tokenEndpoint.redeem(request)
      } catch {
        interval = try next(interval, after: error)
        last = error
      }
    }
  }

  private var request: TokenEndpoint.Request {
    var form: Parameters = ["client_id": parts.configuration.clientID, "grant_type": Self.grant]
    form.append("device_code", authorization.deviceCode.reveal())
    // Older endpoints use the name `code`.
    form.append("code", authorization.deviceCode.reveal())
    if context.authority.kind != .oidc { form.append("client_info", "1") }
    form.append("claims", ifPresent: context.claims)
    return parts.tokenRequest(metadata, context, form: form, headers: headers)
  }

  /// Returns how long to wait before the next poll.
  /// - Throws: The error from the service if polling must stop.
  private func next(_ interval: Duration, after error: MSALError) throws(MSALError) -> Duration {
    if error.transport != nil || error.isServerUnavailable {
      parts.trace.recordDecision(
        "deviceCode", "slowed down", reason: "\(error.message); the polling interval doubles")
      return interval * 2
    }
    switch error.oauthError?.lowercased() {
    case "authorization_pending": return interval
    case "slow_down":
      parts.trace.recordDecision(
        "deviceCode", "slowed down", reason: "the service requests five more seconds between polls")
      return interval + .seconds(5)
    case "authorization_declined", "access_denied": throw error.withOutcome("authorizationDeclined")
    case "expired_token", "code_expired": throw error.withOutcome("expiredToken")
    default: throw error
    }
  }

  private func wait(_ duration: Duration) async throws(MSALError) {
    do {
      try await parts.world.clock.sleep(for: max(duration, .zero))
    } catch {
      throw MSALError(.canceled)
    }
  }
}

extension MSALError {
  /// Returns the error with a custom outcome that MSAL does not define.
  fileprivate func withOutcome(_ outcome: String) -> MSALError {
    var error = self
    error.outcomeOverride = outcome
    return error
  }
}
