import Diagnostics
import Documents
import Effects
import Foundation
import TestSupport
import Testing

/// Reads the fixtures and, if it is present, the external corpus.
@Suite("Documents of sample projects") struct SampleTests {
  /// All individual files, except XML files that are not property lists.
  static let labels = SampleLabel.all.filter { $0.sample.folder != "projects" && $0.kind != "androidManifest" }
  static let readable = labels.filter { !$0.isUnreadable }

  static func read(_ label: SampleLabel) throws -> ReadResult {
    // Some formats based on JSON allow comments.
    let options = ReadingOptions(toleratesComments: label.kind == "androidConfig" || label.kind == "appsettings")
    return DocumentReader.read(try label.sample.bytes(), named: label.sample.name, options: options)
  }

  @Test("reads every document, or reports why it cannot", arguments: labels) func reads(label: SampleLabel) throws {
    let reading = try Self.read(label)
    #expect(reading.hasErrors == label.isUnreadable, "\(reading.messages)")
    if let document = reading.document { _ = RobustnessTests.walk(document.root) }
  }

  @Test("reads property lists like Foundation", arguments: readable) func foundation(label: SampleLabel) throws {
    let bytes = try label.sample.bytes()
    guard let document = try Self.read(label).document, document.syntax != .openStepPropertyList,
      document.syntax != .json, document.syntax != .yaml, !Self.differsInFoundation(label.sample),
      let theirs = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    else { return }
    #expect(Oracle.equal(document.root, theirs))
    // Foundation's binary output contains the same values.
    guard let binary = try? PropertyListSerialization.data(fromPropertyList: theirs, format: .binary, options: 0)
    else { return }
    let again = DocumentReader.read([UInt8](binary), named: label.sample.name)
    #expect(again.messages == [])
    #expect(try Oracle.equal(#require(again.document).root, theirs))
  }

  /// Foundation reads integers above 2^63 as negative numbers, and non-ASCII text in an ASCII string byte by byte.
  private static func differsInFoundation(_ sample: SampleFile) -> Bool {
    let parts = [
      "signed", "rust-plist__tests__data__binary", "sample1", "binary/integers", "binary/stray-utf-8", "binary/uid",
    ]
    return parts.contains { sample.path.contains($0) }
  }

  @Test("writes every document in another syntax without loss", arguments: readable)
  func otherSyntaxes(label: SampleLabel) throws {
    guard let document = try Self.read(label).document else { return }
    for syntax in [DocumentSyntax.yaml, .xmlPropertyList, .binaryPropertyList] {
      guard let bytes = try? DocumentWriter.write(document, as: syntax) else {
        #expect(syntax != .yaml)
        continue
      }
      let again = DocumentReader.read(bytes, named: "again")
      #expect(again.messages == [])
      // YAML has no UIDs and writes the equivalent dictionary.
      let shape = document.root.shape
      let expected = syntax == .yaml ? shape.replacing(/uid (\d+)/) { "{CF$UID: \($0.output.1)}" } : shape
      #expect(again.document?.root.shape == expected)
    }
  }

  /// Samples without a declared encoding. They are small, because the tests read them in every encoding.
  static let transcodable = readable.filter { label in
    guard let bytes = try? label.sample.bytes(), bytes.count < 8000, !bytes.contains(0), bytes.first != 0xEF else {
      return false
    }
    let text = String(validating: bytes, as: UTF8.self)
    return text.map { !$0.hasPrefix("bplist") && !$0.isEmpty } ?? false
  }

  @Test("reads the same document in every Unicode encoding", arguments: transcodable)
  func encodings(label: SampleLabel) throws {
    let text = String(decoding: try label.sample.bytes(), as: UTF8.self)
    let shape = try Self.read(label).document?.root.shape
    let options = ReadingOptions(toleratesComments: label.kind == "androidConfig" || label.kind == "appsettings")
    for form in EncodingTests.Form.allCases {
      let reading = DocumentReader.read(
        EncodingTests.encode(text, form, mark: true), named: label.sample.name, options: options)
      #expect(!reading.hasErrors, "\(form): \(reading.messages)")
      #expect(reading.document?.root.shape == shape, "\(form)")
    }
  }
}

/// Compares a tree with a value from Foundation.
enum Oracle {
  static func equal(_ node: Node, _ other: Any) -> Bool {
    switch node.kind {
    case .mapping:
      guard let other = other as? [String: Any], other.count == node.count else { return false }
      return node.entries.allSatisfy { key, value in other[key.string ?? ""].map { equal(value, $0) } ?? false }
    case .array:
      guard let other = other as? [Any], other.count == node.count else { return false }
      return zip(node.elements, other).allSatisfy { equal($0, $1) }
    case .string: return node.string == other as? String
    case .bool: return node.bool == other as? Bool
    case .integer, .real: return node.number == (other as? NSNumber)?.doubleValue
    case .data: return node.data == (other as? Data).map { [UInt8]($0) }
    case .date:
      guard let date = other as? Date, let mine = node.date else { return false }
      return abs(date.timeIntervalSince1970 - Double(mine.nanosecondsSince1970) / 1e9) < 0.001
    // Foundation has no public type for a UID.
    case .uid: return true
    case .null: return other is NSNull
    }
  }
}
