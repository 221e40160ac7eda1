#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

import Dispatch

/// A raw client connection to this machine, for invalid input.
final class RawConnection: Sendable {
  private let descriptor: CInt

  struct ConnectionRefused: Error {}

  init(port: Int) throws {
    #if canImport(Darwin) || canImport(Musl)
      let kind = SOCK_STREAM
    #else
      let kind = CInt(SOCK_STREAM.rawValue)
    #endif
    descriptor = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // If the initializer throws, this object is released, which closes the socket.
    guard result == 0 else { throw ConnectionRefused() }
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
        let flags: CInt = 0
      #else
        let flags = CInt(MSG_NOSIGNAL)
      #endif
      let count = rest.withUnsafeBytes { systemSend(descriptor, $0.baseAddress, $0.count, flags) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Closes the sending side.
  func closeSending() { shutdown(descriptor, CInt(SHUT_WR)) }

  /// Resets the connection when it closes, as if a process with unread input were killed.
  func resetAtClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Reads until the other side closes the connection.
  func readToEnd() async -> String { await receive(atLeast: .max) }

  /// Reads until it has received the number of bytes or the other side closes the connection.
  func receive(atLeast least: Int) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [descriptor] in
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < least {
          let count = read(descriptor, &buffer, buffer.count)
          if count < 0, errno == EINTR { continue }
          if count <= 0 { break }
          bytes += buffer.prefix(count)
        }
        continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  static func exchange(_ request: String, port: Int) async throws -> String {
    let connection = try RawConnection(port: port)
    connection.send(request)
    return await connection.readToEnd()
  }
}

private func systemSend(_ descriptor: CInt, _ address: UnsafeRawPointer?, _ count: Int, _ flags: CInt) -> Int {
  send(descriptor, address, count, flags)
}
