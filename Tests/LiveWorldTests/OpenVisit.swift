import Effects
import LiveWorld
import Synchronization
import SystemWorld
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A system browser visit that waits for its redirect.
struct OpenVisit: Sendable {
  let port: Int
  let redirectURI: String
  let outcome: Task<BrowserOutcome, Never>
  let messages: MessageLog

  /// The messages that the browser prints.
  final class MessageLog: Sendable {
    private let log = Mutex<[String]>([])
    private let stream: AsyncStream<String>
    private let source: AsyncStream<String>.Continuation

    init() { (stream, source) = AsyncStream.makeStream() }

    var all: [String] { log.withLock { $0 } }

    func append(_ message: String) {
      log.withLock { $0.append(message) }
      source.yield(message)
    }

    func first() async { for await _ in stream { return } }
  }

  /// - Parameter command: The value of `BROWSER`. The command `true` succeeds without opening a page.
  init(
    registered: String = "http://localhost/back", state: String? = "s1", purpose: BrowserVisit.Purpose = .signIn,
    command: String = "true"
  ) async throws {
    let messages = MessageLog()
    let browser = SystemBrowser(
      environment: Environment(variables: ["BROWSER": command], workingDirectory: "/"), clock: LiveClock(),
      printStatus: messages.append)
    let redirectURI = await browser.redirectURI(for: registered)
    let digits = try #require(redirectURI.firstMatch(of: /:(\d+)/)?.1)
    port = try #require(Int(digits))
    self.redirectURI = redirectURI
    self.messages = messages
    let url = "https://login.example/authorize?client_id=x" + (state.map { "&state=\($0)" } ?? "")
    outcome = Task {
      await browser.visit(BrowserVisit(url: url, redirectURI: redirectURI, purpose: purpose))
    }
    await messages.first()
  }

  private static let lastPort = Atomic<Int>(20_000 + Int(getpid()) % 10_000)

  /// Returns a port outside the ephemeral range, so that no concurrent test gets it.
  static func uniquePort() -> Int { lastPort.wrappingAdd(1, ordering: .relaxed).newValue }

  func get(_ target: String, host: String? = nil) async throws -> String {
    try await RawConnection.exchange(
      "GET \(target) HTTP/1.1\r\nHost: \(host ?? "localhost:\(port)")\r\n\r\n", port: port)
  }
}

/// A clock whose sleeps return immediately.
struct ImmediateClock: WorldClock {
  var now: Instant { Instant(secondsSince1970: 0) }
  func sleep(for duration: Duration) async throws { try Task.checkCancellation() }
}
