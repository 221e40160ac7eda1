import Synchronization

/// The requested URLs, in order.
final class URLLog: Sendable {
  private let urls = Mutex<[String]>([])

  func add(_ url: String) { urls.withLock { $0.append(url) } }

  var last: String? { urls.withLock { $0.last } }
}
