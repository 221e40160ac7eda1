import Documents

/// A neutral profile photo in all sizes that Graph provides.
package enum SamplePhoto {
  /// The widths in pixels of the square photos.
  package static let sizes = photos.map(\.size)

  /// Returns the JPEG image with this width, or nil if Graph does not provide the size.
  package static func jpeg(size: Int) -> [UInt8]? {
    photos.first { $0.size == size }.flatMap { try? Base64.decode($0.content) }
  }

  /// The widths and the Base64-encoded images.
  private static let photos: [(size: Int, content: Substring)] = (EmbeddedData.text("photos.txt") ?? "")
    .split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ")
      return Int(parts[0]).map { ($0, parts[1]) }
    }
}
