import BenchSupport
import Effects
import Foundation
import HTTPTypes
import Synchronization

#if canImport(Glibc)
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
  private let streamSocket = SOCK_STREAM
#endif

/// The emulator as a server, with persistent connections.
final class Sockets: Client {
  let login: String
  var graph: String { login }
  private let port: UInt16
  private let idle = Mutex<[Int32]>([])

  /// - Parameter url: The server's URL, such as `http://127.0.0.1:8400`.
  init(_ url: String) {
    guard let port = url.split(separator: ":").last.flatMap({ UInt16($0) }), url.hasPrefix("http://127.0.0.1:") else {
      fail("the address must have the format http://127.0.0.1:8400")
    }
    self.port = port
    login = url
  }

  func send(_ request: RequestMessage) async -> ResponseMessage {
    let socket = idle.withLock { $0.popLast() } ?? open()
    write(request, to: socket)
    let answer = read(socket)
    idle.withLock { $0.append(socket) }
    return answer
  }

  func open() -> Int32 {
    let socket = Foundation.socket(AF_INET, streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    guard socket >= 0, connected == 0 else { fail("no server listens at \(login)") }
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    return socket
  }

  func write(_ request: RequestMessage, to socket: Int32) {
    var text = "\(request.head.method.rawValue) \(request.head.path ?? "/") HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\n"
    for field in request.head.headerFields { text += "\(field.name.rawName): \(field.value)\r\n" }
    text += "content-length: \(request.body.count)\r\n\r\n"
    let bytes = Array(text.utf8) + request.body
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { fail("the server closed the connection") }
      sent += count
    }
  }

  func read(_ socket: Int32) -> ResponseMessage {
    var received: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    func more() {
      let count = part.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { fail("the server closed the connection") }
      received += part[..<count]
    }
    var end = Self.end(of: received)
    while end == nil {
      more()
      end = Self.end(of: received)
    }
    guard let end else { fail("no head") }
    let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
    var fields = HTTPFields()
    for line in lines.dropFirst() {
      let mark = line.utf8.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
      guard let name = HTTPField.Name(String(line[..<mark])) else { continue }
      let value = Substring(line.utf8[mark...].dropFirst(2))
      fields.append(HTTPField(name: name, value: String(value)))
    }
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
      let length = fields[.contentLength].flatMap({ Int($0) })
    else { fail("no status or length: \(lines.first ?? "")") }
    while received.count < end + 4 + length { more() }
    return ResponseMessage(.init(code: status), headers: fields, body: Array(received[(end + 4)...]))
  }

  /// Returns the offset of the empty line.
  private static func end(of bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (0...bytes.count - 4).first {
      bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
    }
  }
}

/// Opens many connections and sends requests on all of them, both while opening them and afterward.
func hold(_ url: String, _ count: Int) {
  var limit = rlimit(rlim_cur: rlim_t(count + 64), rlim_max: rlim_t(count + 64))
  #if canImport(Glibc)
    let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    let openFiles = RLIMIT_NOFILE
  #endif
  setrlimit(openFiles, &limit)
  let client = Sockets(url)
  let message = request(.get, client.login + "/organizations/v2.0/.well-known/openid-configuration")
  let start = ContinuousClock().now
  let sockets = (0..<count).map { _ in client.open() }
  for round in 1...3 {
    for socket in sockets { client.write(message, to: socket) }
    let good = sockets.count { client.read($0).head.status.code == 200 }
    say(
      "round \(round): \(good) of \(count) connections answered, \(ContinuousClock().now - start) since the first was opened"
    )
  }
  for socket in sockets { close(socket) }
}
