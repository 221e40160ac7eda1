import NIOCore

/// The parts of an unbounded response body.
struct UnboundedBody: Sendable {
  /// The first part.
  let start: ByteBuffer
  /// The part that repeats, or nil if nothing follows, so that the client waits forever.
  let part: ByteBuffer?

  /// The minimum size of a part in bytes. Shorter text is repeated until it reaches this size.
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
