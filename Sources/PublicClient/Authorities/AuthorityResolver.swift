import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace

/// Finds out whether an authority's host is to be trusted and which hosts are its cloud: instance discovery. One discovery
/// document serves all hosts of all clouds, and all application objects of the process.
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

  /// Resolves and validates. The network is used once, however many ask at the same time.
  /// - Parameter asked: the authority that the app named, where another one answers for it: what the app vouches for is
  ///   its own word.
  func resolve(
    _ authority: Authority, for asked: Authority? = nil, headers: @autoclosure () -> HTTPFields
  ) async throws(MSALError) -> CloudRecord {
    let host = authority.environment.lowercased()
    let validates = configuration.isValidated(asked ?? authority)
    if let record = try clouds[host]?.result(for: host, validates) { return record }
    guard authority.kind == .aad, let url = authority.instanceDiscoveryURL else {
      return try resolveAlone(authority, host, validates)
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
        "authority", "resolved", reason: "instance discovery knows the host \(host)",
        ["aliases": TraceValue(record.aliases), "preferredCache": TraceValue(record.preferredCache)])
      return clouds.add(record, for: host, isValidated: true)
    } catch {
      if error.internalCode == MSALInternalErrorCode.failedAuthorityValidation.rawValue {
        clouds.reject(host, with: error)
      }
      if validates {
        trace.recordDecision("authority", "refused", reason: "\(host): \(error.message)")
        throw error
      }
      trace.recordDecision(
        "authority", "taken as it is", reason: "the app vouches for \(host), so discovery's failure does not matter")
      return clouds.add(CloudRecord(standingAlone: host), for: host, isValidated: false)
    }
  }

  /// The hosts of an authority's cloud without asking anybody: what was discovered, else what is published.
  func knownAliases(of authority: Authority) -> [String] {
    clouds[authority.environment.lowercased()]?.record?.aliases ?? authority.aliases
  }

  /// The hosts of a host's cloud, itself among them, likewise.
  func knownAliases(ofHost host: String) -> [String] {
    clouds[host.lowercased()]?.record?.aliases ?? [host] + (Cloud.containing(host: host)?.aliases ?? [])
  }

  /// Whether the service may hand requests over to this host.
  func isTrusted(_ host: String) -> Bool {
    TrustedHosts.contains(host) || clouds.isPreferredNetwork(host)
  }

  /// Kinds that no discovery service knows: the app must vouch for them, except customers' and other issuers.
  private func resolveAlone(
    _ authority: Authority, _ host: String, _ validates: Bool
  ) throws(MSALError) -> CloudRecord {
    guard !validates || TrustedHosts.contains(host) else {
      trace.recordDecision(
        "authority", "refused", reason: "nobody can be asked about \(host), and the app does not vouch for it")
      throw MSALError(
        .unsupportedFunctionality, "\(authority.url) cannot be validated; add it to the known authorities")
    }
    trace.recordDecision("authority", "taken as it is", reason: "\(host) is vouched for")
    return clouds.add(CloudRecord(standingAlone: host), for: host, isValidated: validates)
  }

  private func discover(_ host: String, at url: String, headers: HTTPFields) async throws(MSALError) -> CloudRecord {
    let (status, json) = try await client.metadata(at: url, headers: headers)
    if let json, let error = OAuthError(json) {
      var refused = ErrorMapping.error(error, at: .tokenEndpoint)
      if error.error == "invalid_instance" {
        refused = MSALError(.authorityValidation, refused.message)
        refused.oauthError = error.error
        refused.stsErrorCodes = error.errorCodes
      }
      refused.httpStatus = status
      throw refused
    }
    guard status == 200, let json, let metadata = InstanceMetadata(json) else {
      var error = MSALError(
        .serverUnhandledResponse, "instance discovery answered \(status) and no description of clouds")
      error.httpStatus = status
      throw error
    }
    clouds.add(metadata)
    guard let cloud = metadata.cloud(of: host) else { return CloudRecord(standingAlone: host) }
    return CloudRecord(
      preferredNetwork: cloud.preferredNetwork, preferredCache: cloud.preferredCache, aliases: cloud.aliases,
      asked: host)
  }
}
