import Diagnostics

/// Reads bytes of any of the syntaxes into a positioned tree.
package enum DocumentReader {
  /// Reads a document; the syntax is found by content unless the options name it.
  ///
  /// `name` is what people call the file: it stands in diagnostics, and its ending decides where the content leaves a
  /// choice. Never throws and never crashes: whatever is wrong is among the diagnostics.
  package static func read(_ bytes: [UInt8], named name: String, options: ReadingOptions = .init()) -> ReadResult {
    if bytes.count > min(options.limits.size, Int(UInt32.max) - 1) {
      return refuse(.tooLarge(bytes, name, options.limits))
    }
    if bytes.starts(with: Array("bplist".utf8)) || options.syntax == .binaryPropertyList {
      return BinaryPropertyListReader.read(bytes, named: name, limits: options.limits)
    }
    switch TextDecoding.decode(bytes, named: name) {
    case .refused(let diagnostic): return refuse(diagnostic)
    case .text(let text, let diagnostics):
      var reading = read(text, options: options)
      reading.diagnostics = diagnostics + reading.diagnostics
      return reading
    }
  }

  /// Reads text that is in memory already.
  package static func read(_ text: String, named name: String, options: ReadingOptions = .init()) -> ReadResult {
    read(Array(text.utf8), named: name, options: options)
  }

  private static func refuse(_ diagnostic: Diagnostic) -> ReadResult {
    ReadResult(document: nil, diagnostics: [diagnostic])
  }

  private static func read(_ text: TextDecoding, options: ReadingOptions) -> ReadResult {
    let source = text.source
    guard let syntax = options.syntax ?? SyntaxDetector.syntax(of: source) else {
      return refuse(
        Diagnostic(
          .error, rule: "empty-document",
          source.bytes.isEmpty ? "the file is empty" : "the file holds nothing but blanks",
          help: "Write the document into it, as JSON, YAML or a property list.", at: FileSpan(source, .at(0))))
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
