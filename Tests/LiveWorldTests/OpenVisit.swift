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

/// A visit of the system browser that is under way: its page was “opened”, and its redirect is awaited.
struct OpenVisit: Sendable {
  let port: Int
  let redirectURI: String
  let outcome: Task<BrowserOutcome, Never>
  let said: Sayings

  /// Everything that the browser said.
  final class Sayings: Sendable {
    private let sentences = Mutex<[String]>([])
    private let stream: AsyncStream<String>
    private let source: AsyncStream<String>.Continuation

    init() { (stream, source) = AsyncStream.makeStream() }

    var all: [String] { sentences.withLock { $0 } }

    func say(_ sentence: String) {
      sentences.withLock { $0.append(sentence) }
      source.yield(sentence)
    }

    func first() async { for await _ in stream { return } }
  }

  /// - Parameter command: what stands in `BROWSER`; `true` opens nothing, and says that all went well.
  init(
    registered: String = "http://localhost/back", state: String? = "s1", purpose: BrowserVisit.Purpose = .signIn,
    command: String = "true"
  ) async throws {
    let said = Sayings()
    let browser = SystemBrowser(
      environment: Environment(variables: ["BROWSER": command], workingDirectory: "/"), clock: LiveClock(),
      say: said.say)
    let redirectURI = await browser.redirectURI(for: registered)
    let digits = try #require(redirectURI.firstMatch(of: /:(\d+)/)?.1)
    port = try #require(Int(digits))
    self.redirectURI = redirectURI
    self.said = said
    let url = "https://login.example/authorize?client_id=x" + (state.map { "&state=\($0)" } ?? "")
    outcome = Task {
      await browser.visit(BrowserVisit(url: url, redirectURI: redirectURI, purpose: purpose))
    }
    await said.first()
  }

  private static let lastPort = Atomic<Int>(20_000 + Int(getpid()) % 10_000)

  /// A port that nobody gets who asks the system for a free one: tests at the same time shall not take it once it is free.
  static func portOfItsOwn() -> Int { lastPort.wrappingAdd(1, ordering: .relaxed).newValue }

  func get(_ target: String, host: String? = nil) async throws -> String {
    try await RawConnection.exchange(
      "GET \(target) HTTP/1.1\r\nHost: \(host ?? "localhost:\(port)")\r\n\r\n", port: port)
  }
}

/// A clock on which every wait is over at once.
struct ImpatientClock: WorldClock {
  var now: Instant { Instant(secondsSince1970: 0) }
  func sleep(for duration: Duration) async throws { try Task.checkCancellation() }
}
