import Diagnostics
import Documents

/// A proposal for the text at a cursor.
package struct CompletionItem: Sendable {
  package enum Kind: Sendable {
    case key, value, keyword, variable, step, outcome, event, file, folder, user, scope, constant, field, scenario, rule
  }

  package var label: String
  package var kind: Kind
  /// A short text next to the label.
  package var detail: String?
  /// A description in Markdown.
  package var documentation: String?
  /// The span that the new text replaces.
  package var span: SourceSpan
  package var newText: String
  /// The new text in LSP's snippet syntax, if it contains a cursor position.
  package var snippet: String?
  /// The text that clients compare with the text that the user entered in the span.
  package var filterText: String
  /// The sort rank. Items with the same rank keep their order.
  package var rank: Int
  /// Whether accepting the item starts another completion, as for a folder.
  package var continues = false
}

/// A proposal that is independent of the document's notation.
struct Candidate: Sendable {
  enum Form: Sendable {
    /// A key, with the types of its value.
    case key(types: [String])
    /// A string.
    case text
    /// A value that is not a string, such as `true`.
    case literal(JSON)
    /// A part of a string, from a byte offset in the text before the cursor.
    case part(from: Int, suffix: String)
  }

  var text: String
  var kind: CompletionItem.Kind
  var form = Form.text
  var detail: String?
  var documentation: String?
  var rank = 50
  var continues = false

  static func key(
    _ text: String, _ kind: CompletionItem.Kind = .key, types: [String] = ["string"], detail: String? = nil,
    documentation: String? = nil, rank: Int = 50
  ) -> Candidate {
    Candidate(
      text: text, kind: kind, form: .key(types: types), detail: detail, documentation: documentation, rank: rank)
  }

  static func value(
    _ text: String, _ kind: CompletionItem.Kind = .value, detail: String? = nil, documentation: String? = nil,
    rank: Int = 50
  ) -> Candidate {
    Candidate(text: text, kind: kind, detail: detail, documentation: documentation, rank: rank)
  }

  /// Returns an enumeration value, which is not necessarily a string.
  static func value(_ json: JSON, detail: String?, documentation: String? = nil, rank: Int = 50) -> Candidate {
    let text = json.string ?? json.text()
    return Candidate(
      text: text, kind: .value, form: json.string == nil ? .literal(json) : .text, detail: detail,
      documentation: documentation, rank: rank)
  }
}
