#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

import Dispatch

/// A server on this machine that sends fixed bytes whatever it is asked, one connection after the other. It ends with the
/// process: closed earlier, its port could become another test's while a client still asks there.
final class LoopbackServer: Sendable {
  let port: UInt16

  private struct Failure: Error {}

  /// - Parameters:
  ///   - holdsOpen: whether it keeps a connection open after its answer, until the client closes it.
  ///   - listens: whether it takes connections; if not, its port is nobody else's either.
  ///   - answer: from the request's head to the bytes to send; nil closes the connection without a word.
  init(
    listens: Bool = true, holdsOpen: Bool = false, _ answer: @escaping @Sendable (_ request: String) -> [UInt8]?
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
        Self.serve(connection, holdsOpen: holdsOpen, answer)
      }
    }
  }

  private static func serve(_ connection: CInt, holdsOpen: Bool, _ answer: (String) -> [UInt8]?) {
    defer { close(connection) }
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // A TLS greeting (its first byte is 22) has no end that this server could see.
    while request.first != 22, !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
      let count = read(connection, &buffer, buffer.count)
      if count <= 0 { return }
      request += buffer.prefix(count)
    }
    guard let bytes = answer(String(decoding: request, as: UTF8.self)) else { return }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      if count <= 0 { return }
      sent += count
    }
    while holdsOpen, read(connection, &buffer, buffer.count) > 0 {}
  }
}
