import Diagnostics
import Documents
import Effects
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent))
struct CorpusTests {
  static let folders = [
    "android", "authsettings", "entitlements", "infoplist", "manifest", "plist-generic", "tokencache",
  ]

  static let files = folders.flatMap { Corpus.files(in: $0) }

  /// Files of other readers' tests that are wrong on purpose, by a part of their name.
  static let broken = [
    "crash-", "github-issue42", "github-issue72", "github-issue73", "xml_entity_error", "xml_error", "invalid_tag",
    "recursion",
    "unusual_cases__s05", "unusual_cases__s06", "unusual_cases__s07", "unusual_cases__s10", "unusual_cases__s11",
    // A real file without its outer braces, and two with a value that has no key.
    "requiredResourceAccess", "Entitlements@8930a484", "Info@cd065561",
  ]

  @Test(arguments: files) func isReadOrRefused(file: URL) throws {
    let reading = DocumentReader.read(try Corpus.bytes(file), named: file.path)
    let isBroken = Self.broken.contains { file.path.contains($0) }
    #expect(reading.hasErrors == isBroken, "\(reading.said)")
    if let document = reading.document { RobustnessTests.walk(document.root) }
  }

  @Test(arguments: files.filter { $0.pathExtension != "json" }) func agreesWithFoundation(file: URL) throws {
    let bytes = try Corpus.bytes(file)
    let reading = DocumentReader.read(bytes, named: file.path)
    guard !reading.hasErrors, let document = reading.document, document.syntax != .openStepPropertyList,
      document.syntax != .json, !file.path.contains("signed"), !file.path.contains("rust-plist__tests__data__binary"),
      // Bytes beyond ASCII, which Foundation reads one by one and we as the UTF-8 that they are.
      !file.path.contains("sample1"),
      let theirs = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    else { return }
    #expect(Oracle.equal(document.root, theirs))
  }

  @Test(arguments: files) func survivesEverySyntax(file: URL) throws {
    let reading = DocumentReader.read(try Corpus.bytes(file), named: file.path)
    guard !reading.hasErrors, let document = reading.document else { return }
    for syntax in [DocumentSyntax.yaml, .xmlPropertyList, .binaryPropertyList] {
      guard let bytes = try? DocumentWriter.write(document, as: syntax) else {
        #expect(syntax != .yaml)
        continue
      }
      let again = DocumentReader.read(bytes, named: "again")
      #expect(again.said == [])
      // YAML has no UID; it holds the dictionary that stands for one.
      let shape = document.root.shape
      let expected = syntax == .yaml ? shape.replacing(/uid (\d+)/) { "{CF$UID: \($0.output.1)}" } : shape
      #expect(again.document?.root.shape == expected)
    }
  }
}

/// Compares a tree with what Foundation read.
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
