import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import RunTrace

/// A request that redeems the authorization code from a validated redirect (RFC 6749 §4.1.3, RFC 7636 §4.5), validates
/// the ID token, and saves the tokens.
struct AuthorizationCodeRedemption: Sendable {
  let parts: RequestDependencies
  let context: RequestContext
  let cloud: CloudRecord
  let metadata: ProviderMetadata
  let request: AuthorizeRequest
  let maxAge: Duration?

  func run(_ redirect: ValidatedRedirect) async throws(MSALError) -> TokenResult {
    let issuer = try await issuer(redirect)
    var form = parts.grantForm("authorization_code", context, scope: context.tokenScope)
    form.append("code", redirect.code.reveal())
    form.append("redirect_uri", request.redirectURI)
    form.append("code_verifier", request.pkce.verifier.reveal())
    let headers = parts.headers(
      correlationID: context.correlationID, clientInfo: redirect.clientInfo, telemetry: (.interactive, .notApplicable))
    let token = parts.tokenRequest(issuer.metadata, context, form: form, headers: headers)
    do {
      let tokens = try await parts.tokenEndpoint.redeem(token)
      let idToken = try await validateIDToken(tokens, redirect, issuer.metadata)
      let userInfo = try await parts.userInfo(
        context, issuer.metadata, subject: idToken.claims["sub"]?.string, accessToken: tokens.accessToken)
      var result = try parts.responseProcessor.process(
        ValidatedTokenResponse(
          tokens: tokens, idToken: idToken, cloud: issuer.cloud, requestAuthority: context.authority,
          authority: issuer.authority, source: .authorizationCode, userInfo: userInfo),
        for: context)
      result.sent = token.sent
      return result
    } catch {
      throw error.withContext(token.sent, correlationID: context.correlationID)
    }
  }

  private func validateIDToken(
    _ tokens: TokenResponse, _ redirect: ValidatedRedirect, _ metadata: ProviderMetadata
  ) async throws(MSALError) -> ValidatedIDToken {
    var expected = IDTokenValidationParameters(
      issuer: metadata.issuer, clientID: parts.configuration.clientID, nonce: .mustEqual(request.nonce),
      accessToken: tokens.accessToken, code: redirect.code, now: parts.world.clock.now)
    expected.maxAge = maxAge
    return try await parts.verification.checkRequired(
      in: tokens, of: metadata,
      headers: parts.headers(correlationID: context.correlationID, clientInfo: redirect.clientInfo),
      expecting: expected)
  }

  /// Returns the authority for the token request. If the response contains a trusted host, this is the authority in the
  /// user's cloud. Otherwise, it is the requested authority.
  private func issuer(
    _ redirect: ValidatedRedirect
  ) async throws(MSALError) -> (authority: Authority, cloud: CloudRecord, metadata: ProviderMetadata) {
    guard let host = redirect.cloudInstanceHostName?.lowercased(), context.authority.kind == .aad,
      host != context.authority.host, !cloud.contains(host)
    else { return (context.authority, cloud, metadata) }
    guard parts.resolver.isTrusted(host), let tenant = context.authority.tenant,
      let authority = try? Authority(parsing: "https://\(host)/\(tenant.segment)")
    else {
      parts.trace.recordDecision(
        "cloud", "ignored", reason: "the response contains the host \(host), which does not belong to the platform")
      return (context.authority, cloud, metadata)
    }
    parts.trace.recordDecision("cloud", "switched", reason: "the user belongs to the cloud of \(host)")
    let headers = parts.headers(correlationID: context.correlationID)
    let cloud = try await parts.resolver.resolve(authority, headers: headers)
    return (authority, cloud, try await parts.providers.metadata(of: authority, headers: headers))
  }
}
