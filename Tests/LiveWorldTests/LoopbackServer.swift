#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

import Dispatch

/// A local server that serves one connection at a time. It runs until the process exits. If it stopped earlier, another
/// test could get its port while a client is still connecting to it.
final class LoopbackServer: Sendable {
  let port: UInt16

  private struct Failure: Error {}

  /// - Parameters:
  ///   - holdsOpen: Whether a connection stays open after the response, until the client closes it.
  /// - listens: Whether it accepts connections. If it does not, the port is only reserved.
  /// - response: A closure that returns the response to the head of a request, or nil to close the connection.
  init(
    listens: Bool = true, holdsOpen: Bool = false, _ response: @escaping @Sendable (_ request: String) -> [UInt8]?
  ) throws {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #elseif canImport(Musl)
      let kind = SOCK_STREAM
    #else
      let kind = CInt(SOCK_STREAM.rawValue)
    #endif
    let listener = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
        guard bind(listener, address, length) == 0, !listens || listen(listener, 16) == 0,
          getsockname(listener, address, &length) == 0
        else { return nil }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
      }
    }
    guard let port else { throw Failure() }
    self.port = port
    guard listens else { return }
    DispatchQueue(label: "loopback").async {
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0 { return }
        Self.serve(connection, holdsOpen: holdsOpen, response)
      }
    }
  }

  private static func serve(_ connection: CInt, holdsOpen: Bool, _ response: (String) -> [UInt8]?) {
    defer { close(connection) }
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // A TLS handshake record starts with byte 22. This server cannot detect its end.
    while request.first != 22, !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
      let count = read(connection, &buffer, buffer.count)
      if count <= 0 { return }
      request += buffer.prefix(count)
    }
    guard let bytes = response(String(decoding: request, as: UTF8.self)) else { return }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      if count <= 0 { return }
      sent += count
    }
    while holdsOpen, read(connection, &buffer, buffer.count) > 0 {}
  }
}
