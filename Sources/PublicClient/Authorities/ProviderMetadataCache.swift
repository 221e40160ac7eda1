import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import RunTrace
import Synchronization

/// A cache of provider metadata and signing keys. Concurrent calls share one request.
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

  /// Returns the discovery document of an authority.
  func metadata(of authority: Authority, headers: HTTPFields) async throws(MSALError) -> ProviderMetadata {
    if let cached = state.withLock({ $0.metadata[authority.url] }) { return cached }
    return try await metadataRequests.run(authority.url) { () async throws(MSALError) -> ProviderMetadata in
      if let cached = self.state.withLock({ $0.metadata[authority.url] }) { return cached }
      let metadata = try await self.fetchMetadata(of: authority, headers: headers)
      self.state.withLock { $0.metadata[authority.url] = metadata }
      return metadata
    }.outcome.get()
  }

  private func fetchMetadata(of authority: Authority, headers: HTTPFields) async throws(MSALError) -> ProviderMetadata {
    let url = authority.openIDConfigurationURL
    let (status, json) = try await client.metadata(at: url, headers: headers)
    if let json, let error = OAuthError(json) {
      var failure = ErrorMapping.error(error, at: .tokenEndpoint)
      failure.httpStatus = status
      throw failure
    }
    guard status == 200, let json else {
      var error = MSALError(.serverUnhandledResponse, "\(url) returned status \(status) without metadata")
      error.httpStatus = status
      throw error
    }
    let metadata: ProviderMetadata
    do {
      metadata = try ProviderMetadata(json)
    } catch {
      throw MSALError(.serverInvalidResponse, "the metadata at \(url) does not contain `\(error.missing)`")
    }
    do {
      try MetadataCheck.check(metadata, of: authority)
    } catch {
      trace.recordDecision("metadata", "rejected", reason: error.message)
      throw error
    }
    return metadata
  }

  /// Returns the provider's signing keys.
  /// - Parameter fresh: Whether to fetch the keys even if they are cached, because a token references an unknown key.
  func keys(of metadata: ProviderMetadata, headers: HTTPFields, fresh: Bool) async throws(MSALError) -> JWKSet {
    guard let url = metadata.jwksURI else {
      throw MSALError(.serverInvalidResponse, "the provider \(metadata.issuer) does not publish keys")
    }
    if !fresh, let cached = state.withLock({ $0.keys[url] }) { return cached }
    return try await keyRequests.run(url) { () async throws(MSALError) -> JWKSet in
      if !fresh, let cached = self.state.withLock({ $0.keys[url] }) { return cached }
      let keys = try await self.fetchKeys(at: url, headers: headers)
      self.state.withLock { $0.keys[url] = keys }
      return keys
    }.outcome.get()
  }

  private func fetchKeys(at url: String, headers: HTTPFields) async throws(MSALError) -> JWKSet {
    let (status, json) = try await client.document(at: url, headers: headers)
    guard status == 200, let json, let keys = JWKSet(json) else {
      var error = MSALError(.serverInvalidResponse, "\(url) returned status \(status) without a key set")
      error.httpStatus = status
      throw error
    }
    for key in keys.unusable {
      trace.recordDecision("signingKey", "skipped", reason: "\(key.keyID ?? "key without an ID"): \(key.reason)")
    }
    return keys
  }
}
