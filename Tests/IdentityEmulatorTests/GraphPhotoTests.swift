import GraphEmulator
import Testing

import IdentityEmulator

/// Tests that the sample photos are JPEG images with the expected sizes.
@Suite struct GraphPhotoTests {
  /// Returns the marker and content of each segment before the scan data.
  private static func segments(_ bytes: [UInt8]) -> [(marker: UInt8, content: [UInt8])] {
    var match: [(UInt8, [UInt8])] = []
    var index = 2
    while index + 4 <= bytes.count, bytes[index] == 0xFF {
      let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
      match.append((bytes[index + 1], Array(bytes[(index + 4)..<min(index + 2 + length, bytes.count)])))
      index += 2 + length
      if match.last?.0 == 0xDA { break }
    }
    return match
  }

  @Test("contains a JPEG image in each size", arguments: SamplePhoto.sizes)
  func structure(size: Int) throws {
    let bytes = try #require(SamplePhoto.jpeg(size: size))
    #expect(bytes.prefix(2) == [0xFF, 0xD8])
    #expect(bytes.suffix(2) == [0xFF, 0xD9])
    let frame = try #require(Self.segments(bytes).first { $0.marker == 0xC0 }).content
    #expect(Int(frame[1]) << 8 | Int(frame[2]) == size)
    #expect(Int(frame[3]) << 8 | Int(frame[4]) == size)
  }

  @Test("provides the sizes of Microsoft Graph")
  func sizes() {
    #expect(SamplePhoto.sizes == [48, 64, 96, 120, 240, 360, 432, 504, 648])
    #expect(SamplePhoto.jpeg(size: 50) == nil)
  }
}
