import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import Synchronization

/// Finds out whether an authority's host is to be trusted and which hosts are its cloud, and remembers it: instance
/// discovery.
final class AuthorityResolver: Sendable {
  /// What is known of a host.
  private struct Knowledge: Sendable {
    var record: CloudRecord?
    /// Whether the record is the service's word. Else it is only the app's, which counts for the authorities that the app
    /// vouches for and for no other on the same host.
    var isValidated = false
    /// The service said that there is no such instance; it is not asked again.
    var refusal: MSALError?

    /// What a caller is told without asking anybody; nil where somebody must be asked.
    func answer(of host: String, _ validates: Bool) throws(MSALError) -> CloudRecord? {
      if let record, isValidated || !validates { return record }
      guard let refusal else { return nil }
      if validates { throw refusal }
      return CloudRecord(standingAlone: host)
    }
  }

  /// Who need not be validated gets an answer where others get a failure, so these do not share one.
  private struct DiscoveryKey: Hashable, Sendable {
    var host: String
    var validates: Bool
  }

  private let configuration: PublicClientConfiguration
  private let client: EndpointClient
  private let trace: TraceRecorder
  private let known = Mutex<[String: Knowledge]>([:])
  private let discoveries = SharedWork<DiscoveryKey, CloudRecord>()
  /// All hosts that discovery called a cloud's own.
  private let preferredNetworks = Mutex<Set<String>>([])

  init(configuration: PublicClientConfiguration, client: EndpointClient, trace: TraceRecorder) {
    self.configuration = configuration
    self.client = client
    self.trace = trace
  }

  /// Resolves and validates. The network is used once per host, however many ask at the same time.
  /// - Parameter asked: the authority that the app named, where another one answers for it: what the app vouches for is
  ///   its own word.
  func resolve(
    _ authority: Authority, for asked: Authority? = nil, headers: @autoclosure () -> HTTPFields
  ) async throws(MSALError) -> CloudRecord {
    let host = authority.environment.lowercased()
    let validates = configuration.isValidated(asked ?? authority)
    if let record = try knowledge(of: host)?.answer(of: host, validates) { return record }
    guard authority.kind == .aad, let url = authority.instanceDiscoveryURL else {
      return try resolveAlone(authority, host, validates)
    }
    let headers = headers()
    let key = DiscoveryKey(host: host, validates: validates)
    return try await discoveries.run(key) { () async throws(MSALError) -> CloudRecord in
      if let record = try self.knowledge(of: host)?.answer(of: host, validates) { return record }
      return try await self.resolve(host, at: url, headers: headers, validates)
    }.outcome.get()
  }

  private func knowledge(of host: String) -> Knowledge? { known.withLock { $0[host] } }

  private func resolve(
    _ host: String, at url: String, headers: HTTPFields, _ validates: Bool
  ) async throws(MSALError) -> CloudRecord {
    do {
      let record = try await discover(host, at: url, headers: headers)
      trace.decide(
        "authority", "resolved", why: "instance discovery knows the host \(host)",
        ["aliases": TraceValue(record.aliases), "preferredCache": TraceValue(record.preferredCache)])
      return remember(record, host, isValidated: true)
    } catch {
      if error.internalCode == MSALInternalErrorCode.failedAuthorityValidation.rawValue {
        known.withLock { $0[host, default: Knowledge()].refusal = error }
      }
      if validates {
        trace.decide("authority", "refused", why: "\(host): \(error.message)")
        throw error
      }
      trace.decide(
        "authority", "taken as it is", why: "the app vouches for \(host), so discovery's failure does not matter")
      return remember(CloudRecord(standingAlone: host), host, isValidated: false)
    }
  }

  /// The hosts of an authority's cloud without asking anybody: what was discovered, else what is published.
  func knownAliases(of authority: Authority) -> [String] {
    knowledge(of: authority.environment.lowercased())?.record?.aliases ?? authority.aliases
  }

  /// The hosts of a host's cloud, itself among them, likewise.
  func knownAliases(ofHost host: String) -> [String] {
    knowledge(of: host.lowercased())?.record?.aliases ?? [host] + (Cloud.containing(host: host)?.aliases ?? [])
  }

  /// Whether the service may hand requests over to this host.
  func isTrusted(_ host: String) -> Bool {
    TrustedHosts.contains(host) || preferredNetworks.withLock { $0.contains(host.lowercased()) }
  }

  /// Kinds that no discovery service knows: the app must vouch for them, except customers' and other issuers.
  private func resolveAlone(
    _ authority: Authority, _ host: String, _ validates: Bool
  ) throws(MSALError) -> CloudRecord {
    guard !validates || TrustedHosts.contains(host) else {
      trace.decide("authority", "refused", why: "nobody can be asked about \(host), and the app does not vouch for it")
      throw MSALError(
        .unsupportedFunctionality, "\(authority.url) cannot be validated; add it to the known authorities")
    }
    trace.decide("authority", "taken as it is", why: "\(host) is vouched for")
    return remember(CloudRecord(standingAlone: host), host, isValidated: validates)
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
    preferredNetworks.withLock { $0.formUnion(metadata.clouds.map(\.preferredNetwork)) }
    guard let cloud = metadata.cloud(of: host) else { return CloudRecord(standingAlone: host) }
    return CloudRecord(
      preferredNetwork: cloud.preferredNetwork, preferredCache: cloud.preferredCache, aliases: cloud.aliases,
      asked: host)
  }

  /// The app's word never replaces the service's.
  private func remember(_ record: CloudRecord, _ host: String, isValidated: Bool) -> CloudRecord {
    known.withLock { known in
      var knowledge = known[host] ?? Knowledge()
      if let record = knowledge.record, knowledge.isValidated, !isValidated { return record }
      knowledge.record = record
      knowledge.isValidated = isValidated
      known[host] = knowledge
      return record
    }
  }
}
