import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import RunTrace
import Synchronization

/// What providers say of themselves and the keys they sign with, each fetched once and remembered, however many ask at the
/// same time.
final class ProviderMetadataCache: Sendable {
  private struct State {
    var metadata: [String: ProviderMetadata] = [:]
    var keys: [String: JWKSet] = [:]
  }

  private let client: EndpointClient
  private let trace: TraceRecorder
  private let state = Mutex(State())
  private let metadataRequests = RequestCoalescer<String, ProviderMetadata>()
  private let keyRequests = RequestCoalescer<String, JWKSet>()

  init(client: EndpointClient, trace: TraceRecorder) {
    self.client = client
    self.trace = trace
  }

  /// The discovery document of an authority.
  func metadata(of authority: Authority, headers: HTTPFields) async throws(MSALError) -> ProviderMetadata {
    if let known = state.withLock({ $0.metadata[authority.url] }) { return known }
    return try await metadataRequests.run(authority.url) { () async throws(MSALError) -> ProviderMetadata in
      if let known = self.state.withLock({ $0.metadata[authority.url] }) { return known }
      let metadata = try await self.fetchMetadata(of: authority, headers: headers)
      self.state.withLock { $0.metadata[authority.url] = metadata }
      return metadata
    }.outcome.get()
  }

  private func fetchMetadata(of authority: Authority, headers: HTTPFields) async throws(MSALError) -> ProviderMetadata {
    let url = authority.openIDConfigurationURL
    let (status, json) = try await client.metadata(at: url, headers: headers)
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
    do {
      try MetadataCheck.check(metadata, of: authority)
    } catch {
      trace.recordDecision("metadata", "refused", reason: error.message)
      throw error
    }
    return metadata
  }

  /// The provider's keys.
  /// - Parameter fresh: fetches them again although they are known, because a token names a key that is not among them.
  func keys(of metadata: ProviderMetadata, headers: HTTPFields, fresh: Bool) async throws(MSALError) -> JWKSet {
    guard let url = metadata.jwksURI else {
      throw MSALError(.serverInvalidResponse, "the provider \(metadata.issuer) publishes no keys")
    }
    if !fresh, let known = state.withLock({ $0.keys[url] }) { return known }
    return try await keyRequests.run(url) { () async throws(MSALError) -> JWKSet in
      if !fresh, let known = self.state.withLock({ $0.keys[url] }) { return known }
      let keys = try await self.fetchKeys(at: url, headers: headers)
      self.state.withLock { $0.keys[url] = keys }
      return keys
    }.outcome.get()
  }

  private func fetchKeys(at url: String, headers: HTTPFields) async throws(MSALError) -> JWKSet {
    let (status, json) = try await client.document(at: url, headers: headers)
    guard status == 200, let json, let keys = JWKSet(json) else {
      var error = MSALError(.serverInvalidResponse, "\(url) answered \(status) and no key set")
      error.httpStatus = status
      throw error
    }
    for refused in keys.unusable {
      trace.recordDecision(
        "signingKey", "set aside", reason: "\(refused.keyID ?? "a key without a name"): \(refused.reason)")
    }
    return keys
  }
}
