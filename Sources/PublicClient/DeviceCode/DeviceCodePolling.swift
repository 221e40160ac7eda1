import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import RunTrace

/// Asks again and again whether the user has signed in elsewhere, RFC 8628 §3.4 and §3.5.
struct DeviceCodePolling: Sendable {
  let parts: RequestDependencies
  let context: RequestContext
  let metadata: ProviderMetadata
  let headers: HTTPFields
  let authorization: DeviceAuthorization
  /// When the code expires.
  let end: Instant

  static let grant = "urn:ietf:params:oauth:grant-type:device_code"

  /// Asks at the server's interval, five seconds slower each time that it says so, and half as often after each request
  /// that brought no answer, until there is an answer or the code has expired.
  func run() async throws(MSALError) -> TokenResponse {
    let request = self.request
    var interval = authorization.interval
    var last = MSALError(.serverOauth, "the code expired before anybody entered it")
    while true {
      let rest = end - parts.world.clock.now
      try await wait(min(interval, rest))
      guard interval <= rest else { throw last.ending("expiredToken") }
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
    // Older endpoints know it by this name.
    form.append("code", authorization.deviceCode.reveal())
    if context.authority.kind != .oidc { form.append("client_info", "1") }
    form.append("claims", ifPresent: context.claims)
    return parts.tokenRequest(metadata, context, form: form, headers: headers)
  }

  /// How long to wait after a poll without tokens.
  /// - Throws: the error, where it is the end.
  private func next(_ interval: Duration, after error: MSALError) throws(MSALError) -> Duration {
    if error.transport != nil || error.isServerUnavailable {
      parts.trace.recordDecision(
        "deviceCode", "slower", reason: "\(error.message); the next attempt comes half as soon")
      return interval * 2
    }
    switch error.oauthError?.lowercased() {
    case "authorization_pending": return interval
    case "slow_down":
      parts.trace.recordDecision(
        "deviceCode", "slower", reason: "the server asks for five seconds more between attempts")
      return interval + .seconds(5)
    case "authorization_declined", "access_denied": throw error.ending("authorizationDeclined")
    case "expired_token", "code_expired": throw error.ending("expiredToken")
    default: throw error
    }
  }

  private func wait(_ duration: Duration) async throws(MSALError) {
    do {
      try await parts.world.clock.sleep(for: max(duration, .zero))
    } catch {
      throw MSALError(.cancelled)
    }
  }
}

extension MSALError {
  /// The same error under a name that MSAL has none for.
  fileprivate func ending(_ outcome: String) -> MSALError {
    var error = self
    error.ownOutcome = outcome
    return error
  }
}
