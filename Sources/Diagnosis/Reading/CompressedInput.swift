/// A buffer that distinguishes plain inputs from gzip-compressed inputs, regardless of the chunk length.
///
/// The first bytes determine the format, but a chunk from a pipe can be as short as one byte. Plain bytes are passed on
/// as they arrive. Compressed bytes are kept until the end of the input.
struct CompressedInput {
  /// The bytes that `add` has not yet returned.
  struct Rest {
    fileprivate let bytes: [UInt8]
    fileprivate let isCompressed: Bool

    /// Passes the bytes to `body`, decompressed if necessary, until they end or `body` returns false.
    ///
    /// Damaged data is treated as the end of the input. All data before the damage is passed on.
    func read(_ body: ([UInt8]) -> Bool) {
      if isCompressed {
        var reader = GzipReader(bytes)
        try? reader.read(body)
      } else if !bytes.isEmpty {
        _ = body(bytes)
      }
    }
  }

  private enum Format { case undetermined, plain, compressed }

  private let firstSize: Int
  private let limit: Int
  private var format = Format.undetermined
  private var kept: [UInt8] = []

  /// - Parameters:
  ///   - firstSize: The minimum length of the first plain bytes, unless the whole input is shorter.
  ///   - limit: The maximum size of a compressed input.
  init(firstSize: Int, limit: Int) {
    self.firstSize = max(firstSize, GzipReader.signature.count)
    self.limit = limit
  }

  /// Whether a compressed input exceeds the limit.
  var exceedsLimit: Bool { format == .compressed && kept.count > limit }

  /// Adds a chunk of the input.
  /// - Returns: The plain bytes received so far and not yet returned, or an empty array if the format is undetermined
  ///   or the input is compressed.
  mutating func add(_ chunk: [UInt8]) -> [UInt8] {
    if format == .plain { return chunk }
    kept += chunk
    guard format == .undetermined, kept.count >= firstSize else { return [] }
    determine()
    guard format == .plain else { return [] }
    defer { kept = [] }
    return kept
  }

  /// Ends the input and returns the bytes that `add` has not returned.
  mutating func finish() -> Rest {
    if format == .undetermined { determine() }
    defer { kept = [] }
    return Rest(bytes: kept, isCompressed: format == .compressed)
  }

  private mutating func determine() { format = kept.starts(with: GzipReader.signature) ? .compressed : .plain }
}
