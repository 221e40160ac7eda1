import OAuth
import Synchronization

/// What instance discovery said about hosts, and what apps said: once per process, as in MSAL.
final class KnownClouds: Sendable {
  /// What is known of a host.
  struct Entry: Sendable {
    fileprivate(set) var record: CloudRecord?
    /// Whether the service described the host. An app's own word counts only for the authorities that it lists, and not for
    /// others on the same host.
    fileprivate(set) var isValidated = false
    /// The service rejected the instance; it is not asked again.
    fileprivate(set) var rejection: MSALError?

    /// The result without a request; nil if the service must be asked.
    func result(for host: String, _ validates: Bool) throws(MSALError) -> CloudRecord? {
      if let record, isValidated || !validates { return record }
      guard let rejection else { return nil }
      if validates { throw rejection }
      return CloudRecord(standingAlone: host)
    }
  }

  /// A request for an authority that need not be validated succeeds where others fail, so these do not share one.
  struct Request: Hashable, Sendable {
    var host: String
    var validates: Bool
  }

  let requests = RequestCoalescer<Request, CloudRecord>()
  private let entries = Mutex<[String: Entry]>([:])
  /// The preferred hosts of all clouds that discovery described.
  private let preferredNetworks = Mutex<Set<String>>([])

  subscript(host: String) -> Entry? { entries.withLock { $0[host] } }

  /// Remembers every host of every cloud that one discovery document describes.
  func add(_ metadata: InstanceMetadata) {
    preferredNetworks.withLock { $0.formUnion(metadata.clouds.map { $0.preferredNetwork.lowercased() }) }
    entries.withLock { entries in
      for cloud in metadata.clouds {
        for alias in cloud.aliases.map({ $0.lowercased() }) {
          entries[alias, default: Entry()].record = CloudRecord(
            preferredNetwork: cloud.preferredNetwork, preferredCache: cloud.preferredCache, aliases: cloud.aliases,
            asked: alias)
          entries[alias, default: Entry()].isValidated = true
        }
      }
    }
  }

  /// Remembers one host. An app's word never replaces the service's.
  /// - Returns: what is known of the host now.
  func add(_ record: CloudRecord, for host: String, isValidated: Bool) -> CloudRecord {
    entries.withLock { entries in
      var entry = entries[host] ?? Entry()
      if let record = entry.record, entry.isValidated, !isValidated { return record }
      entry.record = record
      entry.isValidated = isValidated
      entries[host] = entry
      return record
    }
  }

  func reject(_ host: String, with error: MSALError) {
    entries.withLock { $0[host, default: Entry()].rejection = error }
  }

  func isPreferredNetwork(_ host: String) -> Bool {
    preferredNetworks.withLock { $0.contains(host.lowercased()) }
  }
}
