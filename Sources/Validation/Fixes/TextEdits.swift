import Diagnostics
import Documents

/// Edits a document's text in any text syntax. The edits preserve all other bytes and use the style of neighboring
/// items.
///
/// Each function returns nil if the text cannot be edited safely. For example, the text of binary property lists,
/// malformed containers, and values with a YAML alias cannot be edited safely. In this case, the finding has no fix.
package enum TextEdits {
  // MARK: Values

  /// Replaces a scalar with a string. The string has the same kind of quotes as the scalar if these quotes can enclose
  /// the new text.
  package static func replaceValue(_ node: Node, with text: String) -> [Diagnostic.Edit]? {
    ScalarText(node).flatMap { $0.replacement(text) }.map { [$0] }
  }

  /// Replaces a value with a value of any type.
  package static func replaceValue(_ node: Node, with value: JSON) -> [Diagnostic.Edit]? {
    if case .string(let text) = value { return replaceValue(node, with: text) }
    guard let scalar = ScalarText(node) else { return nil }
    return scalar.replacement(value).map { [$0] }
  }

  /// Renames a key.
  package static func replaceKey(_ key: Node, with name: String) -> [Diagnostic.Edit]? {
    guard let scalar = ScalarText(key, isKey: true) else { return nil }
    return scalar.replacement(name).map { [$0] }
  }

  // MARK: Removing

  /// Removes the first entry with the given key, including the line, the comma, and any comment at the end of the line.
  package static func removeEntry(_ key: String, from mapping: Node) -> [Diagnostic.Edit]? {
    guard mapping.kind == .mapping, let entry = mapping.entry(key) else { return nil }
    return remove([entry.value], from: mapping)
  }

  /// Removes the entry with the given key node. The node identifies the entry if several entries have the same key.
  package static func removeEntry(_ key: Node, from mapping: Node) -> [Diagnostic.Edit]? {
    guard let entry = mapping.entries.first(where: { $0.key.span == key.span }) else { return nil }
    return remove([entry.value], from: mapping)
  }

  /// Removes an element, including the line, the comma, and any comment at the end of the line.
  package static func removeElement(_ element: Node, from list: Node) -> [Diagnostic.Edit]? {
    remove([element], from: list)
  }

  /// Removes several elements together. Separate removals of neighboring elements would conflict at the commas.
  package static func removeElements(_ elements: [Node], from list: Node) -> [Diagnostic.Edit]? {
    remove(elements, from: list)
  }

  private static func remove(_ values: [Node], from container: Node) -> [Diagnostic.Edit]? {
    guard let text = ContainerText(container) else { return nil }
    let spans = Set(values.map(\.span))
    let indices = text.items.indices.filter { spans.contains(text.items[$0].value.span) }
    guard indices.count == spans.count, !indices.isEmpty else { return nil }
    return text.removal(of: Set(indices))
  }

  // MARK: Adding

  /// Appends a string to a list.
  package static func appendElement(_ text: String, to list: Node) -> [Diagnostic.Edit]? {
    appendElement(.string(text), to: list)
  }

  /// Appends a value to a list.
  package static func appendElement(_ value: JSON, to list: Node) -> [Diagnostic.Edit]? {
    appendElements([value], to: list)
  }

  /// Appends values to a list.
  package static func appendElements(_ values: [JSON], to list: Node) -> [Diagnostic.Edit]? {
    guard list.kind == .array, !values.isEmpty, let text = ContainerText(list) else { return nil }
    return text.insertion(of: values.map { (nil, $0) }, after: text.items.indices.last)
  }

  /// Inserts an entry after the entry whose key is `after`, or at the end if there is no such entry.
  package static func insertEntry(
    _ key: String, _ value: String, into mapping: Node, after: String? = nil
  ) -> [Diagnostic.Edit]? {
    insertEntry(key, .string(value), into: mapping, after: after)
  }

  /// Inserts an entry after the entry whose key is `after`, or at the end if there is no such entry.
  package static func insertEntry(
    _ key: String, _ value: JSON, into mapping: Node, after: String? = nil
  ) -> [Diagnostic.Edit]? {
    guard mapping.kind == .mapping, let text = ContainerText(mapping) else { return nil }
    var index = text.items.indices.last
    if let after, let entry = mapping.entry(after) {
      index = text.items.firstIndex { $0.key?.span == entry.key.span } ?? index
    }
    return text.insertion(of: [(key, value)], after: index)
  }
}
