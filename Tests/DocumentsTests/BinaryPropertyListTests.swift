import Diagnostics
import Documents
import Testing

struct BinaryPropertyListTests {
  /// Returns a file with these objects and integer widths.
  static func file(_ objects: [[UInt8]], offsetWidth: Int = 1, referenceWidth: Int = 1, top: Int = 0) -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: $0 + 8 >= width ? value >> ((width - 1 - $0) * 8) : 0) }
    }
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += number(offset, offsetWidth) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    return bytes + number(objects.count, 8) + number(top, 8) + number(table, 8)
  }

  @Test(
    arguments: [
      ([0x09], "true"), ([0x08], "false"), ([0x00], "null"), ([0x10, 0xFF], "255"), ([0x11, 0xFF, 0xFF], "65535"),
      ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], "4294967295"), ([0x13] + [UInt8](repeating: 0xFF, count: 8), "-1"),
      ([0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8), "18446744073709551615"),
      ([0x22, 0x3F, 0xC0, 0, 0], "real 1.5"), ([0x23, 0xBF, 0xF8, 0, 0, 0, 0, 0, 0], "real -1.5"),
      ([0x33, 0, 0, 0, 0, 0, 0, 0, 0], "date 2001-01-01T00:00:00Z"), ([0x42, 1, 2], "data [1, 2]"),
      ([0x52, 0x68, 0x69], "\"hi\""), ([0x62, 0x4E, 0x2D, 0x65, 0x87], "\"中文\""), ([0x80, 7], "uid 7"),
      ([0x81, 1, 0], "uid 256"), ([0x5F, 0x10, 2, 0x68, 0x69], "\"hi\""), ([0xA0], "[]"), ([0xD0], "{}"),
      ([0x62, 0xD8, 0x3D, 0xDE, 0x00], "\"😀\""),
    ] as [([UInt8], String)]) func readsScalars(object: [UInt8], shape: String)
  {
    let reading = DocumentReader.read(Self.file([object]), named: "a")
    #expect(reading.messages == [])
    #expect(reading.document?.root.shape == shape)
  }

  @Test(arguments: [1, 2, 3, 5, 7, 8], [1, 2, 3, 5, 7, 8]) func readsAllIntegerWidths(offset: Int, reference: Int) {
    func ref(_ number: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: reference - 1) + [number] }
    let objects: [[UInt8]] = [[0xD1] + ref(1) + ref(2), [0x51, 0x61], [0xC2] + ref(3) + ref(3), [0x10, 5]]
    let reading = DocumentReader.read(
      Self.file(objects, offsetWidth: offset, referenceWidth: reference), named: "a")
    #expect(reading.messages == [])
    #expect(reading.document?.root.shape == "{a: [5, 5]}")
  }

  @Test func readsSharedContainers() {
    let reading = DocumentReader.read(Self.file([[0xA2, 1, 1], [0xA1, 2], [0x09]]), named: "a")
    #expect(reading.messages == [])
    #expect(reading.document?.root.shape == "[[true], [true]]")
  }

  @Test func rejectsRecursiveContainers() {
    let reading = DocumentReader.read(Self.file([[0xA1, 1], [0xD1, 2, 0], [0x51, 0x61]]), named: "a")
    #expect(reading.diagnostics.map(\.rule) == ["alias-expansion"])
    #expect(reading.document?.root.shape == "[{a: null}]")
  }

  @Test func limitsExpansionOfSharedObjects() {
    var objects: [[UInt8]] = (1..<30).map { next in [0xAA] + [UInt8](repeating: UInt8(next), count: 10) }
    objects.append([0x09])
    let reading = DocumentReader.read(Self.file(objects, offsetWidth: 2), named: "a")
    #expect(reading.diagnostics.map(\.rule) == ["alias-expansion"])
  }

  @Test func limitsDepth() {
    var objects: [[UInt8]] = (1..<600).map { next in [0xA1, UInt8(next / 256), UInt8(next % 256)] }
    objects.append([0x09])
    let reading = DocumentReader.read(Self.file(objects, offsetWidth: 2, referenceWidth: 2), named: "a")
    #expect(reading.diagnostics.map(\.rule) == ["too-deep"])
  }

  @Test(
    arguments: [
      [[0xA1, 9]], [[0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
      [[0xDF, 0x12, 0xFF, 0xFF, 0xFF, 0xFF]], [[0x55, 0x61]],
      [[0xD1, 1, 1], [0x10, 1]], [[0x77]], [[0xF0]], [[0x15, 0]], [[0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]],
    ] as [[[UInt8]]]) func rejectsDamagedFiles(objects: [[UInt8]])
  {
    let reading = DocumentReader.read(Self.file(objects), named: "a")
    #expect(reading.hasErrors)
  }
}
