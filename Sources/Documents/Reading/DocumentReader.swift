import Diagnostics

/// Functions that read a document in any supported syntax into a tree with locations.
package enum DocumentReader {
  /// Reads a document. The syntax is detected from the content unless the options specify it.
  ///
  /// The function does not throw. The result's diagnostics contain all problems.
  /// - Parameter name: The file name for diagnostics. If the content is ambiguous, the extension of the name determines
  ///   the syntax.
  package static func read(_ bytes: [UInt8], named name: String, options: ReadingOptions = .init()) -> ReadResult {
    if bytes.count > min(options.limits.size, Int(UInt32.max) - 1) {
      return failure(.tooLarge(bytes, name, options.limits))
    }
    if bytes.starts(with: Array("bplist".utf8)) || options.syntax == .binaryPropertyList {
      return BinaryPropertyListReader.read(bytes, named: name, limits: options.limits)
    }
    switch TextDecoding.decode(bytes, named: name) {
    case .refused(let diagnostic): return failure(diagnostic)
    case .text(let text, let diagnostics):
      var reading = read(text, options: options)
      reading.diagnostics = diagnostics + reading.diagnostics
      return reading
    }
  }

  /// Reads text that is already in memory.
  package static func read(_ text: String, named name: String, options: ReadingOptions = .init()) -> ReadResult {
    read(Array(text.utf8), named: name, options: options)
  }

  private static func failure(_ diagnostic: Diagnostic) -> ReadResult {
    ReadResult(document: nil, diagnostics: [diagnostic])
  }

  private static func read(_ text: TextDecoding, options: ReadingOptions) -> ReadResult {
    let source = text.source
    guard let syntax = options.syntax ?? SyntaxDetector.syntax(of: source) else {
      return failure(
        Diagnostic(
          .error, rule: "empty-document",
          source.bytes.isEmpty ? "empty file" : "file contains only whitespace",
          help: "add a document in JSON, YAML, or property list format", at: FileSpan(source, .at(0))))
    }
    switch syntax {
    case .json:
      return JSONReader.read(source, limits: options.limits, toleratesComments: options.toleratesComments)
    case .yaml: return YAMLReader.read(source, isASCII: text.isASCII, limits: options.limits)
    case .xmlPropertyList: return XMLPropertyListReader.read(source, limits: options.limits)
    case .openStepPropertyList: return OpenStepReader.read(source, limits: options.limits)
    case .binaryPropertyList:
      return BinaryPropertyListReader.read(source.bytes, named: source.name, limits: options.limits)
    }
  }
}
