import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import RunTrace
import Synchronization

/// What providers say of themselves and the keys they sign with, each fetched once and remembered.
final class ProviderKnowledge: Sendable {
  private struct State {
    var metadata: [String: ProviderMetadata] = [:]
    var keys: [String: JWKSet] = [:]
  }

  private let client: EndpointClient
  private let trace: TraceRecorder
  private let state = Mutex(State())

  init(client: EndpointClient, trace: TraceRecorder) {
    self.client = client
    self.trace = trace
  }

  /// The discovery document of an authority.
  func metadata(of authority: Authority, headers: HTTPFields) async throws(MSALError) -> ProviderMetadata {
    if let known = state.withLock({ $0.metadata[authority.url] }) { return known }
    let url = authority.openIDConfigurationURL
    let (status, json) = try await client.document(at: url, headers: headers)
    if let json, let error = OAuthError(json) {
      var refused = ErrorMapping.error(error, at: .tokenEndpoint)
      refused.httpStatus = status
      throw refused
    }
    guard status == 200, let json else {
      var error = MSALError(.serverUnhandledResponse, "\(url) answered \(status) and no metadata")
      error.httpStatus = status
      throw error
    }
    let metadata: ProviderMetadata
    do {
      metadata = try ProviderMetadata(json)
    } catch {
      throw MSALError(.serverInvalidResponse, "the metadata at \(url) lacks “\(error.missing)”")
    }
    try Self.check(metadata, of: authority)
    state.withLock { $0.metadata[authority.url] = metadata }
    return metadata
  }

  /// The provider's keys.
  /// - Parameter fresh: fetches them again although they are known, because a token names a key that is not among them.
  func keys(of metadata: ProviderMetadata, headers: HTTPFields, fresh: Bool) async throws(MSALError) -> JWKSet {
    guard let url = metadata.jwksURI else {
      throw MSALError(.serverInvalidResponse, "the provider \(metadata.issuer) publishes no keys")
    }
    if !fresh, let known = state.withLock({ $0.keys[url] }) { return known }
    let (status, json) = try await client.document(at: url, headers: headers)
    guard status == 200, let json, let keys = JWKSet(json) else {
      var error = MSALError(.serverInvalidResponse, "\(url) answered \(status) and no key set")
      error.httpStatus = status
      throw error
    }
    for refused in keys.unusable {
      trace.decide("signingKey", "set aside", why: "\(refused.keyID ?? "a key without a name"): \(refused.reason)")
    }
    state.withLock { $0.keys[url] = keys }
    return keys
  }

  /// Endpoints must be protected, and a plain OpenID provider must be who it was asked for (OpenID Connect Discovery §4.3).
  /// Microsoft's issuers name tenants by id where authorities may name them otherwise, so there the token's own check decides.
  private static func check(_ metadata: ProviderMetadata, of authority: Authority) throws(MSALError) {
    let endpoints = [metadata.authorizationEndpoint, metadata.tokenEndpoint, metadata.jwksURI].compactMap { $0 }
    let mayBePlain = authority.kind == .oidc && authority.url.hasPrefix("http://")
    for endpoint in endpoints where !mayBePlain && URLReference(endpoint).scheme?.lowercased() != "https" {
      throw MSALError(.serverNonHttpsRedirect, "the provider's endpoint \(endpoint) does not use https")
    }
    guard authority.kind != .oidc || metadata.issuer.trimmingSlash() == authority.url.trimmingSlash() else {
      throw MSALError(
        .authorityValidation,
        "\(authority.url) describes another issuer, \(metadata.issuer): the metadata is not its own")
    }
  }
}

extension String {
  /// Without one slash at the end.
  fileprivate func trimmingSlash() -> String { hasSuffix("/") ? String(dropLast()) : self }
}
