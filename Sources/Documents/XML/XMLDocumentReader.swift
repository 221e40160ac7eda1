import CLibXML2
import Diagnostics

/// What reading an XML document gave.
package struct XMLReadResult: Sendable {
  /// The outermost element, as much of it as could be read; nil only where there is none.
  package var root: XMLElement?
  /// The comments, wherever they stand.
  package var comments: [Comment]
  package var diagnostics: [Diagnostic]
  /// The text as it was read; nil where it could not be made text.
  package var source: SourceText?
}

/// Reads any XML document into elements that know their places: an Android manifest, a resource file.
///
/// libxml2 checks that it is well-formed. Entities are not expanded, and nothing is fetched.
package enum XMLDocumentReader {
  /// Never throws and never crashes: whatever is wrong is among the diagnostics.
  package static func read(_ bytes: [UInt8], named name: String, limits: ReadingLimits = .init()) -> XMLReadResult {
    func refuse(_ diagnostic: Diagnostic) -> XMLReadResult {
      XMLReadResult(root: nil, comments: [], diagnostics: [diagnostic], source: nil)
    }
    if bytes.count > min(limits.size, Int(UInt32.max) - 1) { return refuse(.tooLarge(bytes, name, limits)) }
    if bytes.starts(with: [3, 0, 8, 0]) {
      return refuse(
        Diagnostic(
          .error, rule: "encoding", "this is compiled Android XML, as it lies inside an APK",
          help: "Give the AndroidManifest.xml of the app's source.", at: .file(name)))
    }
    switch TextDecoding.decode(bytes, named: name) {
    case .refused(let diagnostic): return refuse(diagnostic)
    case .text(let text, let diagnostics):
      var reading = read(text.source, limits: limits)
      reading.diagnostics = diagnostics + reading.diagnostics
      return reading
    }
  }

  /// Reads text that is UTF-8 already.
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
  /// The file is larger than what is read.
  static func tooLarge(_ bytes: [UInt8], _ name: String, _ limits: ReadingLimits) -> Self {
    Diagnostic(
      .error, rule: "too-large",
      "the file has \(bytes.count) bytes; at most \(limits.size >> 20) MiB are read",
      help: "Give the settings or workflow file itself, not an archive or a log.", at: .file(name))
  }
}
