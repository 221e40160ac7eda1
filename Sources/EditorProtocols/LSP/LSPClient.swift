import Diagnostics
import Documents
import Effects
import LanguageService
import OAuth

/// The client's capabilities, and the conventions that the server and the client have agreed on.
struct LSPClient: Sendable {
  /// The client's capabilities (LSP 3.17, `ClientCapabilities`).
  var capabilities: JSON = [:]
  var encoding = PositionEncoding.utf16
  /// The URIs of documents as the client spells them, by path.
  var uris: [String: String] = [:]

  init() {}

  /// Reads the capabilities in the params of `initialize`.
  init(_ params: JSON) {
    capabilities = params["capabilities"] ?? [:]
    let offered = capabilities["general"]?["positionEncodings"]?.array?.compactMap(\.string) ?? []
    // The client lists its preferred encoding first.
    encoding = offered.compactMap(PositionEncoding.init).first ?? .utf16
  }

  /// Returns whether the member at a path is true, such as `workspace.applyEdit`.
  func supports(_ path: String) -> Bool { self[path]?.bool == true }

  /// Returns the capability at a path, such as `textDocument.hover.contentFormat`.
  subscript(path: String) -> JSON? {
    path.split(separator: ".").reduce(Optional(capabilities)) { $0?[String($1)] }
  }

  /// Whether the client requests diagnostics (LSP 3.17, `textDocument/diagnostic`).
  var pullsDiagnostics: Bool { self["textDocument.diagnostic"]?.object != nil }

  func uri(ofPath path: String) -> String { uris[path] ?? DocumentURI.uri(of: path) }

  /// Returns the range of a span (LSP 3.17, `Range`).
  func range(_ span: SourceSpan, in source: SourceText) -> JSON {
    ["start": position(span.start, in: source), "end": position(span.end, in: source)]
  }

  private func position(_ offset: Int, in source: SourceText) -> JSON {
    guard !source.isBinary else { return ["line": 0, "character": 0] }
    let location = source.location(of: offset)
    let column =
      switch encoding {
      case .utf16: location.utf16Column - 1
      case .utf32: location.column - 1
      case .utf8: min(max(offset, 0), source.bytes.count) - source.lineRange(at: offset).lowerBound
      }
    return ["line": .integer(Int64(location.line - 1)), "character": .integer(Int64(column))]
  }

  /// Returns text in the first markup format that the client supports at a path, such as
  /// `textDocument.hover.contentFormat` (LSP 3.17, `MarkupContent`).
  func markup(_ markdown: String, for path: String) -> JSON {
    let formats = self[path]?.array?.compactMap(\.string) ?? ["markdown"]
    let isMarkdown = formats.first { $0 == "markdown" || $0 == "plaintext" } != "plaintext"
    return ["kind": isMarkdown ? "markdown" : "plaintext", "value": .string(markdown)]
  }
}

/// Conversion between paths and `file` URIs (RFC 8089).
enum DocumentURI {
  /// Returns the absolute path of a URI. Documents with other schemes, such as `untitled`, have a path that does not
  /// exist on disk.
  static func path(of uri: String) -> String {
    guard let schemeEnd = uri.firstIndex(of: ":") else { return "/unknown/" + uri }
    let scheme = uri[..<schemeEnd].lowercased()
    var rest = uri[uri.index(after: schemeEnd)...]
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      // The authority must be empty or `localhost`.
      rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
    }
    let path = PercentEncoding.decode(rest.prefix { $0 != "?" && $0 != "#" })
    return scheme == "file" ? FilePath.join("/", path) : "/\(scheme)/" + path.drop { $0 == "/" }
  }

  static func uri(of path: String) -> String {
    "file://"
      + path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
      .joined(separator: "/")
  }
}
