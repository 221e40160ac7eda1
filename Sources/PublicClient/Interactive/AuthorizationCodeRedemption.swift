import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import RunTrace

/// Exchanges the code of a checked redirect for tokens, checks the ID token in full, and keeps them.
struct AuthorizationCodeRedemption: Sendable {
  let parts: RequestDependencies
  let context: RequestContext
  let cloud: CloudRecord
  let metadata: ProviderMetadata
  let request: AuthorizeRequest
  let maxAge: Duration?

  func run(_ redirect: ValidatedRedirect) async throws(MSALError) -> TokenResult {
    let place = try await place(redirect)
    var form = parts.grantForm("authorization_code", context, scope: context.tokenScope)
    form.append("code", redirect.code.reveal())
    form.append("redirect_uri", request.redirectURI)
    form.append("code_verifier", request.pkce.verifier.reveal())
    let headers = parts.headers(
      correlationID: context.correlationID, clientInfo: redirect.clientInfo, telemetry: (.interactive, .notApplicable))
    let token = parts.tokenRequest(place.metadata, context, form: form, headers: headers)
    do {
      let tokens = try await parts.tokenEndpoint.redeem(token)
      let checked = try await check(tokens, redirect, place.metadata)
      let userInfo = try await parts.userInfo(
        context, place.metadata, subject: checked.claims["sub"]?.string, accessToken: tokens.accessToken)
      var result = try parts.intake.take(
        TokenResponseProcessor.Answer(
          tokens: tokens, idToken: checked, cloud: place.cloud, requestAuthority: context.authority,
          authority: place.authority, source: .authorizationCode, userInfo: userInfo),
        for: context)
      result.sent = token.sent
      return result
    } catch {
      throw error.attempted(token.sent, correlationID: context.correlationID)
    }
  }

  private func check(
    _ tokens: TokenResponse, _ redirect: ValidatedRedirect, _ metadata: ProviderMetadata
  ) async throws(MSALError) -> ValidatedIDToken {
    try await parts.verification.checkRequired(
      in: tokens, of: metadata,
      headers: parts.headers(correlationID: context.correlationID, clientInfo: redirect.clientInfo),
      expecting: IDTokenValidationParameters(
        issuer: metadata.issuer, clientID: parts.configuration.clientID, nonce: .mustEqual(request.nonce),
        accessToken: tokens.accessToken, code: redirect.code, maxAge: maxAge, now: parts.world.clock.now))
  }

  /// The cloud that the response hands over to, where it names one that is trusted; else the one that was asked.
  private func place(
    _ redirect: ValidatedRedirect
  ) async throws(MSALError) -> (authority: Authority, cloud: CloudRecord, metadata: ProviderMetadata) {
    guard let host = redirect.cloudInstanceHostName?.lowercased(), context.authority.kind == .aad,
      host != context.authority.host, !cloud.contains(host)
    else { return (context.authority, cloud, metadata) }
    guard parts.resolver.isTrusted(host), let tenant = context.authority.tenant,
      let authority = try? Authority(parsing: "https://\(host)/\(tenant.segment)")
    else {
      parts.trace.recordDecision(
        "cloud", "ignored", reason: "the response names \(host), which is no host of the platform")
      return (context.authority, cloud, metadata)
    }
    parts.trace.recordDecision("cloud", "handed over", reason: "the user belongs to the cloud of \(host)")
    let headers = parts.headers(correlationID: context.correlationID)
    let other = try await parts.resolver.resolve(authority, headers: headers)
    return (authority, other, try await parts.providers.metadata(of: authority, headers: headers))
  }
}
