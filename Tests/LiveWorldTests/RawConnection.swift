#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

import Dispatch

/// A client's connection to this machine, byte by byte: what no well-behaved client would send can be sent.
final class RawConnection: Sendable {
  private let number: CInt

  struct Refused: Error {}

  init(port: Int) throws {
    #if canImport(Darwin) || canImport(Musl)
      let kind = SOCK_STREAM
    #else
      let kind = CInt(SOCK_STREAM.rawValue)
    #endif
    number = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // The end of this object, which throwing brings about, closes the socket.
    guard result == 0 else { throw Refused() }
  }

  deinit { close(number) }

  func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
        let flags: CInt = 0
      #else
        let flags = CInt(MSG_NOSIGNAL)
      #endif
      let count = rest.withUnsafeBytes { systemSend(number, $0.baseAddress, $0.count, flags) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Says that nothing more is sent.
  func closeSending() { shutdown(number, CInt(SHUT_WR)) }

  /// Makes the end of this object a reset, as a process that is killed with unread answers makes it.
  func resetAtClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Everything until the other side closes.
  func answer() async -> String { await beginning(.max) }

  /// At least so many bytes, or everything until the other side closes.
  func beginning(_ least: Int) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [number] in
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < least {
          let count = read(number, &buffer, buffer.count)
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
    return await connection.answer()
  }
}

private func systemSend(_ number: CInt, _ address: UnsafeRawPointer?, _ count: Int, _ flags: CInt) -> Int {
  send(number, address, count, flags)
}
