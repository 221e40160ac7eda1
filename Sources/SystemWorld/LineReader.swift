import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads lines from a file descriptor.
///
/// The standard library's `readLine` checks `errno`, which an earlier call may have set. After a signal at the end of
/// the input, `readLine` never returns.
final class LineReader: Sendable {
  private let number: CInt
  /// The bytes after the last complete line.
  private let rest = Mutex<[UInt8]>([])

  /// The maximum length of a line, in bytes. Longer lines are split.
  private static let longest = 1 << 20

  init(_ number: CInt) { self.number = number }

  /// Waits for the next line.
  /// - Returns: The line without its line break, or nil at the end of the input or on a read error.
  func next() -> String? {
    rest.withLock { rest in
      while true {
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) { return Self.take(&rest, end, skipping: 1) }
        if rest.count >= Self.longest { return Self.take(&rest, rest.count, skipping: 0) }
        guard let piece = read(atMost: 4096) else { return nil }
        if piece.isEmpty { return rest.isEmpty ? nil : Self.take(&rest, rest.count, skipping: 0) }
        rest += piece
      }
    }
  }

  /// Waits for the next bytes.
  /// - Returns: The bytes, or nil at the end of the input or on a read error.
  func nextBytes() -> [UInt8]? {
    rest.withLock { rest in
      if !rest.isEmpty {
        defer { rest = [] }
        return rest
      }
      return read(atMost: 1 << 16).flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// - Returns: The bytes, which are empty at the end of the input, or nil on a read error.
  private func read(atMost most: Int) -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: most)
    while true {
      switch uninterrupted({ FileDescriptor.systemRead(number, &piece, piece.count) }) {
      case .success(let count): return Array(piece.prefix(count))
      case .failure(let error) where error.number == EAGAIN:
        // Another process can make the terminal nonblocking.
        var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        // On XNU, `poll` does not support terminals and returns immediately.
        if poll(&waiting, 1, -1) < 0 || waiting.revents & Int16(POLLNVAL) != 0 { usleep(10_000) }
      case .failure: return nil
      }
    }
  }

  private static func take(_ rest: inout [UInt8], _ end: Int, skipping: Int) -> String {
    var line = rest[..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    let text = String(decoding: line, as: UTF8.self)
    rest.removeFirst(end + skipping)
    return text
  }
}
