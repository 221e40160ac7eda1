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
  private enum Verdict: Sendable {
    case known(CloudRecord)
    /// The service said that there is no such instance; it is not asked again.
    case invalid(MSALError)
  }

  private let configuration: PublicClientConfiguration
  private let client: EndpointClient
  private let trace: TraceRecorder
  private let verdicts = Mutex<[String: Verdict]>([:])
  private let discoveries = SharedWork<String, CloudRecord>()
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
    let verdict = verdicts.withLock { $0[host] }
    if case .known(let record) = verdict { return record }
    let validates = isValidated(asked ?? authority)
    if validates, case .invalid(let error) = verdict { throw error }
    guard authority.kind == .aad else { return try resolveAlone(authority, host, validates) }
    guard let url = authority.instanceDiscoveryURL else { return remember(CloudRecord(standingAlone: host), host) }
    let headers = headers()
    return try await discoveries.run(host) { () async throws(MSALError) -> CloudRecord in
      if case .known(let record) = self.verdicts.withLock({ $0[host] }) { return record }
      return try await self.resolve(host, at: url, headers: headers, validates)
    }.outcome.get()
  }

  private func resolve(
    _ host: String, at url: String, headers: HTTPFields, _ validates: Bool
  ) async throws(MSALError) -> CloudRecord {
    do {
      let record = try await discover(host, at: url, headers: headers)
      trace.decide(
        "authority", "resolved", why: "instance discovery knows the host \(host)",
        ["aliases": TraceValue(record.aliases), "preferredCache": TraceValue(record.preferredCache)])
      return remember(record, host)
    } catch {
      if validates {
        trace.decide("authority", "refused", why: "\(host): \(error.message)")
        if error.internalCode == MSALInternalErrorCode.failedAuthorityValidation.rawValue {
          verdicts.withLock { $0[host] = .invalid(error) }
        }
        throw error
      }
      trace.decide(
        "authority", "taken as it is", why: "the app vouches for \(host), so discovery's failure does not matter")
      return remember(CloudRecord(standingAlone: host), host)
    }
  }

  /// The hosts of an authority's cloud without asking anybody: what was discovered, else what is published.
  func knownAliases(of authority: Authority) -> [String] {
    if case .known(let record)? = verdicts.withLock({ $0[authority.environment.lowercased()] }) {
      return record.aliases
    }
    return authority.aliases
  }

  /// Whether the service may hand requests over to this host.
  func isTrusted(_ host: String) -> Bool {
    TrustedHosts.contains(host) || preferredNetworks.withLock { $0.contains(host.lowercased()) }
  }

  /// Whether the service is to be asked about the authority, and believed.
  private func isValidated(_ authority: Authority) -> Bool {
    guard configuration.validateAuthority, authority.kind != .ciam, authority.kind != .oidc else { return false }
    return !configuration.knownAuthorities.contains { $0.kind == authority.kind && $0.url == authority.url }
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
    return remember(CloudRecord(standingAlone: host), host)
  }

  private func discover(_ host: String, at url: String, headers: HTTPFields) async throws(MSALError) -> CloudRecord {
    let (status, json) = try await client.document(at: url, headers: headers)
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

  private func remember(_ record: CloudRecord, _ host: String) -> CloudRecord {
    verdicts.withLock { $0[host] = .known(record) }
    return record
  }
}
