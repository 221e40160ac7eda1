import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace

/// A resolver that uses instance discovery to validate an authority's host and to determine the other hosts in its
/// cloud. All clients in a process share one discovery document, which describes all clouds.
final class AuthorityResolver: Sendable {
  private let configuration: PublicClientConfiguration
  private let client: EndpointClient
  private let trace: TraceRecorder
  private let clouds: KnownClouds

  init(
    configuration: PublicClientConfiguration, client: EndpointClient, clouds: KnownClouds, trace: TraceRecorder
  ) {
    self.configuration = configuration
    self.clouds = clouds
    self.client = client
    self.trace = trace
  }

  /// Resolves and validates an authority. Concurrent calls share one request.
  /// - Parameter requested: The authority that the app requested, if a different authority issues the tokens.
  ///   `knownAuthorities` applies to the requested authority.
  func resolve(
    _ authority: Authority, for requested: Authority? = nil, headers: @autoclosure () -> HTTPFields
  ) async throws(MSALError) -> CloudRecord {
    let host = authority.environment.lowercased()
    let validates = configuration.isValidated(requested ?? authority)
    if let record = try clouds[host]?.result(for: host, validates) { return record }
    guard authority.kind == .aad, let url = authority.instanceDiscoveryURL else {
      return try resolveWithoutDiscovery(authority, host, validates)
    }
    let headers = headers()
    let request = KnownClouds.Request(host: host, validates: validates)
    return try await clouds.requests.run(request) { () async throws(MSALError) -> CloudRecord in
      if let record = try self.clouds[host]?.result(for: host, validates) { return record }
      return try await self.resolve(host, at: url, headers: headers, validates)
    }.outcome.get()
  }

  private func resolve(
    _ host: String, at url: String, headers: HTTPFields, _ validates: Bool
  ) async throws(MSALError) -> CloudRecord {
    do {
      let record = try await discover(host, at: url, headers: headers)
      trace.recordDecision(
        "authority", "resolved", reason: "instance discovery validated the host \(host)",
        ["aliases": TraceValue(record.aliases), "preferredCache": TraceValue(record.preferredCache)])
      return clouds.add(record, for: host, isValidated: true)
    } catch {
      if error.internalCode == MSALInternalErrorCode.failedAuthorityValidation.rawValue {
        clouds.reject(host, with: error)
      }
      if validates {
        trace.recordDecision("authority", "rejected", reason: "\(host): \(error.message)")
        throw error
      }
      trace.recordDecision(
        "authority", "accepted", reason: "instance discovery failed, but the app trusts the authority on \(host)")
      return clouds.add(CloudRecord(unknownHost: host), for: host, isValidated: false)
    }
  }

  /// Returns the hosts of an authority's cloud without sending a request. Uses the discovered hosts if available, and
  /// otherwise the published hosts.
  func knownAliases(of authority: Authority) -> [String] {
    clouds[authority.environment.lowercased()]?.record?.aliases ?? authority.aliases
  }

  /// Returns all hosts in the same cloud as `host`, including `host` itself, without sending a request.
  func knownAliases(ofHost host: String) -> [String] {
    clouds[host.lowercased()]?.record?.aliases ?? [host] + (Cloud.containing(host: host)?.aliases ?? [])
  }

  /// Whether the service may redirect requests to this host.
  func isTrusted(_ host: String) -> Bool {
    TrustedHosts.contains(host) || clouds.isPreferredNetwork(host)
  }

  /// Resolves an authority of a kind that instance discovery does not support. The app must list the authority in
  /// `knownAuthorities`, unless its kind is `.ciam` or `.oidc`.
  private func resolveWithoutDiscovery(
    _ authority: Authority, _ host: String, _ validates: Bool
  ) throws(MSALError) -> CloudRecord {
    guard !validates || TrustedHosts.contains(host) else {
      trace.recordDecision(
        "authority", "rejected", reason: "host \(host) is unknown and the authority is not in `knownAuthorities`")
      throw MSALError(
        .unsupportedFunctionality, "MSAL cannot validate \(authority.url); add it to `knownAuthorities`")
    }
    trace.recordDecision("authority", "accepted", reason: "no validation is required for \(host)")
    return clouds.add(CloudRecord(unknownHost: host), for: host, isValidated: validates)
  }

  private func discover(_ host: String, at url: String, headers: HTTPFields) async throws(MSALError) -> CloudRecord {
    let (status, json) = try await client.metadata(at: url, headers: headers)
    if let json, let error = OAuthError(json) {
      var failure = ErrorMapping.error(error, at: .tokenEndpoint)
      if error.error == "invalid_instance" {
        failure = MSALError(.authorityValidation, failure.message)
        failure.oauthError = error.error
        failure.stsErrorCodes = error.errorCodes
      }
      failure.httpStatus = status
      throw failure
    }
    guard status == 200, let json, let metadata = InstanceMetadata(json) else {
      var error = MSALError(
        .serverUnhandledResponse, "instance discovery returned status \(status) without cloud metadata")
      error.httpStatus = status
      throw error
    }
    clouds.add(metadata)
    guard let cloud = metadata.cloud(of: host) else { return CloudRecord(unknownHost: host) }
    return CloudRecord(cloud, requested: host)
  }
}
