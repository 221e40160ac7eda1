import Diagnostics
import Documents
import Testing

/// For any bytes, reading terminates with a document or a diagnostic.
struct RobustnessTests {
  static let samples: [(name: String, bytes: [UInt8])] = {
    let json = "{\"a\": [1, -2.5e3, true, null, \"x\\u00e9\\ud83d\\ude00\"], \"é\": {\"n\": \"y\"}} "
    let yaml = "a: &x [1, {b: 'c'}]\nd: |\n  é lit\n  two\ne: *x\nf: \"q\\n\"\n? k\n: - v\n  - !!int 3\n"
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://x/y.dtd">
      <plist><dict><!-- c --><key>é</key><array><integer>0x1F</integer><real>1.5</real><data>aGk=</data>
      <date>2011-10-05T14:48:00Z</date><true/><string>a&amp;<![CDATA[<]]>&#x41;</string></array></dict></plist>
      """
    let openStep = "// c\n{ a = (b, \"c\\U00e9\", <0a0b>, <*I5>); /* d */ \"é\" = { x = y; }; }\n"
    let binary = (try? DocumentWriter.write(WriterTests.document, as: .binaryPropertyList)) ?? []
    return [
      ("a.json", Array(json.utf8)), ("a.yaml", Array(yaml.utf8)), ("a.plist", Array(xml.utf8)),
      ("b.plist", Array(openStep.utf8)), ("c.plist", binary),
      ("a", EncodingTests.encode(json, .utf16LE, mark: true)), ("b", EncodingTests.encode(xml, .utf32BE, mark: false)),
    ]
  }()

  /// Visits every value and location of the tree and returns the number of nodes.
  @discardableResult
  static func walk(_ node: Node) -> Int {
    _ = (node.scalarText, node.integer, node.number, node.data, node.date, node.uid, node.string, node.bool)
    let span = node.span
    #expect(span.start <= span.end && span.end <= node.document.source.bytes.count)
    var count = 1
    for element in node.elements { count += walk(element) }
    for (key, value) in node.entries {
      #expect(key.kind == .string)
      count += walk(value)
    }
    return count
  }

  static func check(_ bytes: [UInt8], _ name: String) {
    let reading = DocumentReader.read(bytes, named: name)
    #expect(reading.document != nil || !reading.diagnostics.isEmpty)
    if let document = reading.document {
      walk(document.root)
      _ = document.root.json
    }
    for diagnostic in reading.diagnostics {
      let count = diagnostic.place.source.bytes.count
      #expect((diagnostic.place.span?.end ?? 0) <= count, "\(diagnostic.message)")
    }
  }

  @Test(arguments: samples.indices) func readsDocumentsTruncatedAnywhere(index: Int) {
    let sample = Self.samples[index]
    #expect(DocumentReader.read(sample.bytes, named: sample.name).messages == [])
    for length in 0..<sample.bytes.count { Self.check(Array(sample.bytes.prefix(length)), sample.name) }
  }

  @Test(arguments: samples.indices) func readsMutatedDocuments(index: Int) {
    let sample = Self.samples[index]
    var state: UInt64 = 0x2545_F491_4F6C_DD1D &+ UInt64(index)
    func next(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    for _ in 0..<1500 {
      var bytes = sample.bytes
      for _ in 0...next(4) {
        let position = next(bytes.count)
        switch next(5) {
        case 0: bytes[position] = UInt8(next(256))
        case 1: bytes.remove(at: position)
        case 2: bytes.insert(UInt8(next(128)), at: position)
        case 3:
          let other = next(bytes.count)
          bytes.insert(
            contentsOf: bytes[min(position, other)..<min(max(position, other), min(position, other) + 20)], at: position
          )
        default: bytes[position] ^= 1 << UInt8(next(8))
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      Self.check(bytes, sample.name)
    }
  }

  @Test func writesDocumentsWithoutErrors() throws {
    for sample in Self.samples {
      let document = try #require(DocumentReader.read(sample.bytes, named: sample.name).document)
      let yaml = try DocumentWriter.write(document, as: .yaml)
      let again = DocumentReader.read(yaml, named: "x.yaml")
      #expect(again.document?.root.shape == document.root.shape)
    }
  }
}
