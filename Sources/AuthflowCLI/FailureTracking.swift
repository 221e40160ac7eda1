import Effects
import Synchronization
import TokenCache

/// Remembers how the network last failed, so that a run that ended of it can tell so, and end as one whose surroundings
/// failed.
final class FailureTrackingTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let last = Mutex<TransportFailure?>(nil)

  init(_ base: any HTTPTransport) { self.base = base }

  /// The failure of the latest exchange; nil where it was answered, and where it was given up because it was cancelled.
  var failure: TransportFailure? { last.withLock { $0 } }

  func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    do {
      let response = try await base.send(request)
      last.withLock { $0 = nil }
      return response
    } catch {
      if error != .cancelled { last.withLock { $0 = error } }
      throw error
    }
  }
}

/// Remembers why the tokens could not be kept: an app of MSAL's goes on without a word, but who runs it here is to know
/// that the next run will ask again.
final class FailureTrackingStore: BlobStore {
  private let base: any BlobStore
  private let first = Mutex<String?>(nil)

  init(_ base: any BlobStore) { self.base = base }

  /// The first failure to write; nil where there was none.
  var failure: String? { first.withLock { $0 } }

  var place: String { base.place }
  func revision() throws(FileFailure) -> BlobRevision { try base.revision() }
  func read() throws(FileFailure) -> StoredBlob { try base.read() }

  func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
    do { return try base.exclusively(body) } catch {
      let reason = (error as? FileFailure)?.explanation ?? (error as? TokenCacheFailure)?.explanation
      if let reason { first.withLock { $0 = $0 ?? reason } }
      throw error
    }
  }
}

extension TransportFailure {
  /// Whether it is the network between, and not what came over it.
  var isOfTheNetwork: Bool {
    switch self {
    case .offline, .hostNotFound, .cannotConnect, .connectionLost, .timedOut, .tls, .proxy: true
    case .badResponse, .tooLong, .notRecorded, .cancelled: false
    }
  }

  /// What a user can do about it; nil where the failure says it itself, or nobody knows.
  var help: String? {
    switch self {
    case .offline, .hostNotFound: "check the network and the name; the embedded platform needs neither"
    case .cannotConnect, .connectionLost, .timedOut: "check firewalls, and whether a proxy is needed (HTTPS_PROXY)"
    case .tls(let reason) where reason.contains("SSL_CERT_FILE") || reason.contains("speak"): nil
    case .tls: "a proxy that looks into TLS has an authority of its own: name it in SSL_CERT_FILE"
    case .proxy: "check HTTPS_PROXY, with name and password where it wants them"
    case .badResponse, .tooLong, .notRecorded, .cancelled: nil
    }
  }
}
