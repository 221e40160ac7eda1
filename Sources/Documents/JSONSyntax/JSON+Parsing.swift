import Diagnostics
import OrderedCollections

/// Why text is no JSON, and where: offset in bytes from 0, line and column from 1.
package struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String
  package let offset: Int
  package let line: Int
  package let column: Int

  package var description: String { "\(message) (line \(line), column \(column))" }
}

extension JSON {
  /// Reads what came over the wire, strictly by RFC 8259: UTF-8, no comments, at most 512 levels and 64 MiB.
  ///
  /// Of duplicate names the last counts, as in ECMAScript; who must refuse them (JWS headers) asks `DocumentReader`.
  package init(parsing bytes: some Sequence<UInt8>) throws(JSONSyntaxError) {
    let bytes = Array(bytes)
    if bytes.count <= ReadingLimits().size, let value = bytes.withUnsafeBufferPointer({ JSONValueReader.read($0) }) {
      self = value
      return
    }
    let reading = Self.reading(bytes)
    let mistake = reading.diagnostics.first { $0.severity == .error }
    if let mistake {
      let start = mistake.place.start
      throw JSONSyntaxError(
        message: mistake.message, offset: mistake.place.span?.start ?? 0, line: start.line, column: start.column)
    }
    guard let document = reading.document else {
      throw JSONSyntaxError(message: "the text is empty", offset: 0, line: 1, column: 1)
    }
    self = document.root.wireJSON
  }

  private static func reading(_ bytes: [UInt8]) -> ReadResult {
    let limits = ReadingLimits()
    guard bytes.count <= limits.size else {
      return ReadResult(
        document: nil,
        diagnostics: [
          Diagnostic(.error, rule: "too-large", "the JSON text has more than 64 MiB", at: .file("JSON"))
        ])
    }
    switch TextDecoding.decode(bytes, named: "JSON") {
    case .refused(let diagnostic): return ReadResult(document: nil, diagnostics: [diagnostic])
    case .text(let text, let diagnostics):
      guard diagnostics.isEmpty else { return ReadResult(document: nil, diagnostics: diagnostics) }
      return JSONReader.read(text.source, limits: limits, toleratesComments: false, findsDuplicates: false)
    }
  }

  package init(parsing text: String) throws(JSONSyntaxError) {
    try self.init(parsing: text.utf8)
  }
}

extension Node {
  /// Like `json`, but the last of duplicate names counts.
  fileprivate var wireJSON: JSON {
    switch kind {
    case .array: return .array(elements.map(\.wireJSON))
    case .mapping:
      var members: OrderedDictionary<String, JSON> = [:]
      members.reserveCapacity(count)
      for (key, value) in entries { members[key.string ?? ""] = value.wireJSON }
      return .object(members)
    default: return json
    }
  }
}
