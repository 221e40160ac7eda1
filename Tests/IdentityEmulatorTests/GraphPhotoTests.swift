import GraphEmulator
import Testing

import IdentityEmulator

/// Tests that the generated photo is a valid JPEG with the expected segments, size, and scan data.
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

  @Test("generates a well-formed JPEG", arguments: [48, 96, 240, 360])
  func structure(size: Int) throws {
    let bytes = InitialsPicture.jpeg(name: "Megan Bowen", id: "1", size: size)
    let segments = Self.segments(bytes)
    #expect(segments.map(\.marker) == [0xE0, 0xDB, 0xDB, 0xC0, 0xC4, 0xC4, 0xC4, 0xC4, 0xDA])
    let frame = try #require(segments.first { $0.marker == 0xC0 }).content
    #expect(Int(frame[1]) << 8 | Int(frame[2]) == size)
    #expect(Int(frame[3]) << 8 | Int(frame[4]) == size)
    // In each Huffman table, the sum of the code counts is the number of values.
    for segment in segments where segment.marker == 0xC4 {
      let counts = segment.content[1..<17].reduce(0) { $0 + Int($1) }
      #expect(segment.content.count == 17 + counts)
    }
    // In the scan, 0xFF is followed by zero, except at the end of the image.
    #expect(bytes.suffix(2) == [0xFF, 0xD9])
    let start = 2 + segments.reduce(0) { $0 + 4 + $1.content.count }
    let scan = bytes[start..<(bytes.count - 2)]
    #expect(zip(scan, scan.dropFirst()).allSatisfy { byte, next in byte != 0xFF || next == 0 })
  }

  @Test("generates the same photo for the same user")
  func deterministicPhoto() {
    let one = InitialsPicture.jpeg(name: "Megan Bowen", id: "1", size: 48)
    #expect(one == InitialsPicture.jpeg(name: "Megan Bowen", id: "1", size: 48))
    #expect(one != InitialsPicture.jpeg(name: "Adele Vance", id: "1", size: 48))
    #expect(
      InitialsPicture.jpeg(name: "Émile Øre", id: "1", size: 48)
        == InitialsPicture.jpeg(name: "Emile Ore", id: "1", size: 48))
    #expect(!InitialsPicture.jpeg(name: "", id: "1", size: 48).isEmpty)
  }
}
