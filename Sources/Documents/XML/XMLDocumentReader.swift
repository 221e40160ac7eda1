import CLibXML2
import Diagnostics

/// The result of reading an XML document.
package struct XMLReadResult: Sendable {
  /// The root element with everything that could be read, or nil if there is no root element.
  package var root: XMLElement?
  /// All comments of the document.
  package var comments: [Comment]
  package var diagnostics: [Diagnostic]
  /// The decoded text, or nil if decoding failed.
  package var source: SourceText?
}

/// Functions that read XML documents, such as an Android manifest or a resource file, into elements with locations.
///
/// libxml2 checks that the document is well-formed. Entities are not expanded, and nothing is downloaded.
package enum XMLDocumentReader {
  /// Reads a document without throwing. The result's diagnostics contain all problems.
  package static func read(_ bytes: [UInt8], named name: String, limits: ReadingLimits = .init()) -> XMLReadResult {
    func failure(_ diagnostic: Diagnostic) -> XMLReadResult {
      XMLReadResult(root: nil, comments: [], diagnostics: [diagnostic], source: nil)
    }
    if bytes.count > min(limits.size, Int(UInt32.max) - 1) { return failure(.tooLarge(bytes, name, limits)) }
    if bytes.starts(with: [3, 0, 8, 0]) {
      return failure(
        Diagnostic(
          .error, rule: "encoding", "compiled Android XML from an APK",
          help: "use the `AndroidManifest.xml` from the app's source code", at: .file(name)))
    }
    switch TextDecoding.decode(bytes, named: name) {
    case .refused(let diagnostic): return failure(diagnostic)
    case .text(let text, let diagnostics):
      var reading = read(text.source, limits: limits)
      reading.diagnostics = diagnostics + reading.diagnostics
      return reading
    }
  }

  /// Reads text in UTF-8.
  package static func read(_ source: SourceText, limits: ReadingLimits = .init()) -> XMLReadResult {
    var pass = XMLDocumentPass(source: source, limits: limits)
    source.bytes.withUnsafeBufferPointer { pass.run($0) }
    let document = XMLDocument(source: source, records: pass.records, declarations: pass.declarations)
    return XMLReadResult(
      root: pass.records.isEmpty ? nil : XMLElement(document: document, index: 0),
      comments: Comments.all(in: source, syntax: .xml), diagnostics: pass.diagnostics, source: source)
  }
}

extension Diagnostic {
  /// Returns the error for a file that exceeds the size limit.
  static func tooLarge(_ bytes: [UInt8], _ name: String, _ limits: ReadingLimits) -> Self {
    Diagnostic(
      .error, rule: "too-large",
      "file of \(bytes.count) bytes exceeds the limit of \(limits.size >> 20) MiB",
      help: "pass a settings or workflow file, not an archive or a log", at: .file(name))
  }
}
