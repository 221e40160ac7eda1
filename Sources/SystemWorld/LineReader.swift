import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The lines of a descriptor, one at a time.
///
/// The standard library's `readLine` goes by an error number that may be an older call's, and then asks for ever where a
/// signal came before the end of the input.
final class LineReader: Sendable {
  private let number: CInt
  /// What came after the last line's end.
  private let rest = Mutex<[UInt8]>([])

  /// A line that has no end by then is given as it is: nobody types that much.
  private static let longest = 1 << 20

  init(_ number: CInt) { self.number = number }

  /// Waits for the next line.
  /// - Returns: the line without its end; nil at the end of the input, and where it cannot be read.
  func next() -> String? {
    rest.withLock { rest in
      while true {
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) { return Self.take(&rest, end, skipping: 1) }
        if rest.count >= Self.longest { return Self.take(&rest, rest.count, skipping: 0) }
        var piece = [UInt8](repeating: 0, count: 4096)
        switch uninterrupted({ FileDescriptor.systemRead(number, &piece, piece.count) }) {
        case .success(0): return rest.isEmpty ? nil : Self.take(&rest, rest.count, skipping: 0)
        case .success(let count): rest += piece.prefix(count)
        case .failure(let error) where error.number == EAGAIN:
          // Somebody made the terminal non-blocking.
          var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
          poll(&waiting, 1, -1)
        case .failure: return nil
        }
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
