import Diagnostics
import OrderedCollections

/// A syntax error in JSON text. The offset counts bytes from 0; line and column start at 1.
package struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String
  package let offset: Int
  package let line: Int
  package let column: Int

  package var description: String { "\(message) (line \(line), column \(column))" }
}

extension JSON {
  /// Parses JSON from the network strictly according to RFC 8259: UTF-8, without comments, at most 512 levels deep and
  /// 64 MiB in size.
  ///
  /// If a name occurs more than once, the last value is used, as in ECMAScript. To reject duplicates, as for JWS
  /// headers, use `DocumentReader`.
  package init(parsing bytes: some Sequence<UInt8>) throws(JSONSyntaxError) {
    let bytes = Array(bytes)
    if bytes.count <= ReadingLimits().size, let value = bytes.withUnsafeBufferPointer({ JSONValueReader.read($0) }) {
      self = value
      return
    }
    let readStrictly = Self.readStrictly(bytes)
    let error = readStrictly.diagnostics.first { $0.severity == .error }
    if let error {
      let start = error.place.start
      throw JSONSyntaxError(
        message: error.message, offset: error.place.span?.start ?? 0, line: start.line, column: start.column)
    }
    guard let document = readStrictly.document else {
      throw JSONSyntaxError(message: "empty text", offset: 0, line: 1, column: 1)
    }
    self = document.root.wireJSON
  }

  private static func readStrictly(_ bytes: [UInt8]) -> ReadResult {
    let limits = ReadingLimits()
    guard bytes.count <= limits.size else {
      return ReadResult(
        document: nil,
        diagnostics: [
          Diagnostic(.error, rule: "too-large", "JSON text larger than 64 MiB", at: .file("JSON"))
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
  /// The same value as `json`, except that if a name occurs more than once, the last value is used.
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
