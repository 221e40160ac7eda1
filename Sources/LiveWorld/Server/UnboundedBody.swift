import NIOCore

/// The parts of a body that never ends.
struct UnboundedBody: Sendable {
  /// What comes once, in the beginning.
  let start: ByteBuffer
  /// What comes again and again; nil where nothing does, and the client waits for ever.
  let part: ByteBuffer?

  /// Short texts are repeated into parts of at least this size.
  private static let fewest = 16 << 10

  init(_ body: [UInt8], more: [UInt8], isChunked: Bool, allocator: ByteBufferAllocator) {
    func framed(_ bytes: [UInt8]) -> ByteBuffer {
      isChunked ? ResponseBytes.chunk(bytes, allocator: allocator) : allocator.buffer(bytes: bytes)
    }
    start = framed(body)
    guard !more.isEmpty else {
      part = nil
      return
    }
    let times = max(1, Self.fewest / more.count)
    part = framed(Array(repeatElement(more, count: times).joined()))
  }
}
