import Effects
import Synchronization
import TokenCache

/// A transport that records the last network failure, so that a command can report it and exit with an environment
/// error.
final class FailureTrackingTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let last = Mutex<TransportFailure?>(nil)

  init(_ base: any HTTPTransport) { self.base = base }

  /// The failure of the last completed request, or nil if it received a response. Canceled requests are ignored.
  var failure: TransportFailure? { last.withLock { $0 } }

  func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    do {
      let response = try await base.send(request)
      last.withLock { $0 = nil }
      return response
    } catch {
      if error != .canceled { last.withLock { $0 = error } }
      throw error
    }
  }
}

/// A token store that records the first write failure.
///
/// MSAL continues silently if it cannot save tokens. A command reports the failure, because the user must sign in again
/// on the next run.
final class FailureTrackingStore: BlobStore {
  private let base: any BlobStore
  private let first = Mutex<String?>(nil)

  init(_ base: any BlobStore) { self.base = base }

  /// The first write failure, if any.
  var failure: String? { first.withLock { $0 } }

  var location: String { base.location }
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
  /// Whether the connection failed, as opposed to a response with invalid content.
  var isNetworkFailure: Bool {
    switch self {
    case .offline, .hostNotFound, .cannotConnect, .connectionLost, .timedOut, .tls, .proxy: true
    case .badResponse, .tooLong, .notRecorded, .canceled: false
    }
  }

  /// The help for the failure, or nil if no fix is known or the explanation already contains the fix.
  var help: String? {
    switch self {
    case .offline, .hostNotFound: "check the network connection and the host name; the emulator works without a network"
    case .cannotConnect, .connectionLost, .timedOut: "check firewalls, and set `HTTPS_PROXY` if a proxy is required"
    case .tls: "if a proxy inspects TLS traffic, set `SSL_CERT_FILE` to its CA certificate"
    case .proxy: "check `HTTPS_PROXY`, including its username and password"
    case .badResponse, .tooLong, .notRecorded, .canceled: nil
    }
  }
}
