import Diagnostics
import Documents
import LanguageService

/// A group of requests that the language server supports.
protocol LSPFeature: SendableMetatype {
  /// Returns the group's server capabilities (LSP 3.17, `ServerCapabilities`).
  static func capabilities(for client: LSPClient) -> JSON
  /// The handlers by method.
  static var handlers: [String: LSPHandler] { get }
}

/// A closure that computes the result of a request. Handlers that take a long time check whether the task has been
/// canceled.
typealias LSPHandler = @Sendable (LSPRequest) throws(RPCError) -> JSON

/// A request and the workspace snapshot that it refers to.
struct LSPRequest: Sendable {
  let params: JSON
  let snapshot: WorkspaceSnapshot
  /// The latest scenario results.
  let results: ScenarioResults
  let client: LSPClient

  /// Returns the document that the request refers to.
  func document() throws(RPCError) -> SnapshotDocument {
    guard let uri = params["textDocument"]?["uri"]?.string else {
      throw .invalidParams("missing `textDocument.uri`")
    }
    guard let document = snapshot.document(at: DocumentURI.path(of: uri)) else {
      throw .invalidParams("unknown document \(uri.prefix(200))")
    }
    return document
  }

  /// Returns the byte offset of the request's position.
  func offset(in document: SnapshotDocument) throws(RPCError) -> Int {
    document.lines.offset(of: try Self.position(params["position"], "position"), client.encoding)
  }

  /// Returns the span of a range in a document.
  func span(ofRange range: JSON?, in document: SnapshotDocument) throws(RPCError) -> SourceSpan {
    let start = try Self.position(range?["start"], "range.start")
    let end = try Self.position(range?["end"], "range.end")
    return SourceSpan(
      start: document.lines.offset(of: start, client.encoding), end: document.lines.offset(of: end, client.encoding))
  }

  static func position(_ json: JSON?, _ name: String) throws(RPCError) -> TextPosition {
    guard let line = json?["line"]?.integer, let column = json?["character"]?.integer, line >= 0, column >= 0 else {
      throw .invalidParams("`\(name)` must have nonnegative integers `line` and `character`")
    }
    return TextPosition(line: Int(clamping: line), column: Int(clamping: column))
  }

  /// Returns the range of a span (LSP 3.17, `Range`).
  func range(_ span: SourceSpan, in source: SourceText) -> JSON { client.range(span, in: source) }

  /// Converts a location to LSP's format (LSP 3.17, `Location`). A location without a span becomes the start of the
  /// file.
  func location(_ place: FileSpan) -> JSON {
    ["uri": .string(uri(ofFile: place.source.name)), "range": client.range(place.span ?? .at(0), in: place.source)]
  }

  /// Returns the URI of a file, given its name in the snapshot.
  func uri(ofFile name: String) -> String { client.uri(ofPath: snapshot.path(of: name)) }
}
