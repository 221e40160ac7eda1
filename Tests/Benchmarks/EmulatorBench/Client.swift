import Effects
import Foundation
import HTTPTypes
import IdentityEmulator

/// Access to the emulator, either in this process or over a socket.
protocol Client: Sendable {
  /// The sign-in host: `https://login.microsoftonline.com`, or the emulator's address.
  var login: String { get }
  var graph: String { get }
  func send(_ request: RequestMessage) async -> ResponseMessage
}

struct InProcess: Client {
  let emulator: IdentityPlatformEmulator
  let login = "https://login.microsoftonline.com"
  let graph = "https://graph.microsoft.com"

  func send(_ request: RequestMessage) async -> ResponseMessage { await emulator.respond(to: request) }
}

/// The system's random numbers and time, without the rest of the live environment.
struct SystemRandomness: Randomness {
  func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    while bytes.count < count { withUnsafeBytes(of: generator.next() as UInt64) { bytes.append(contentsOf: $0) } }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}

struct SystemTime: WorldClock {
  var now: Instant { Instant(secondsSince1970: Int64(Date().timeIntervalSince1970)) }
  func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}

func request(
  _ method: HTTPRequest.Method = .get, _ url: String, _ headers: HTTPFields = [:], form: String? = nil
) -> RequestMessage {
  var headers = headers
  if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
  let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
  let rest = url.utf8.dropFirst(scheme.count + 3)
  let authority = rest.prefix { $0 != UInt8(ascii: "/") }
  return RequestMessage(
    HTTPRequest(
      method: method, scheme: String(Substring(scheme)), authority: String(Substring(authority)),
      path: String(Substring(rest.dropFirst(authority.count))), headerFields: headers), body: Array((form ?? "").utf8))
}
