import OAuth
import Synchronization

/// The known hosts and their clouds. All clients in a process share this information, as in MSAL.
final class KnownClouds: Sendable {
  /// The state of a host.
  struct Entry: Sendable {
    fileprivate(set) var record: CloudRecord?
    /// Whether instance discovery validated the host. `knownAuthorities` applies only to the listed authorities, not to
    /// other authorities on the same host.
    fileprivate(set) var isValidated = false
    /// The error that instance discovery returned. Storing it prevents additional requests.
    fileprivate(set) var rejection: MSALError?

    /// Returns the record for a host if it is available without a request, or nil otherwise.
    func result(for host: String, _ validates: Bool) throws(MSALError) -> CloudRecord? {
      if let record, isValidated || !validates { return record }
      guard let rejection else { return nil }
      if validates { throw rejection }
      return CloudRecord(unknownHost: host)
    }
  }

  /// The key for sharing requests. A request without validation can succeed when a request with validation fails, so
  /// the two use different keys.
  struct Request: Hashable, Sendable {
    var host: String
    var validates: Bool
  }

  let requests = RequestCoalescer<Request, CloudRecord>()
  private let entries = Mutex<[String: Entry]>([:])
  /// The preferred network hosts of all clouds, as reported by instance discovery.
  private let preferredNetworks = Mutex<Set<String>>([])

  subscript(host: String) -> Entry? { entries.withLock { $0[host] } }

  /// Stores all hosts in a discovery document.
  func add(_ metadata: InstanceMetadata) {
    preferredNetworks.withLock { $0.formUnion(metadata.clouds.map { $0.preferredNetwork.lowercased() }) }
    entries.withLock { entries in
      for cloud in metadata.clouds {
        for alias in cloud.aliases.map({ $0.lowercased() }) {
          entries[alias, default: Entry()].record = CloudRecord(cloud, requested: alias)
          entries[alias, default: Entry()].isValidated = true
        }
      }
    }
  }

  /// Stores a host, unless it would replace a validated record with an unvalidated record.
  /// - Returns: The stored record.
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
