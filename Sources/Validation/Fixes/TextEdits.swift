import Diagnostics
import Documents

/// Changes of a document's text that touch nothing else: what is not named stays byte for byte, and what is new looks like its
/// neighbors, in every syntax that is text.
///
/// Each gives nil where the change cannot be written with certainty: in a binary property list, inside a broken container, in
/// what a YAML alias repeats. A fix is then left out.
package enum TextEdits {
  // MARK: Values

  /// Another text for a scalar, in the same quotes where they can hold it; a node that is no string becomes one.
  package static func replaceValue(_ node: Node, with text: String) -> [Diagnostic.Edit]? {
    ScalarText(node).flatMap { $0.replacement(text) }.map { [$0] }
  }

  /// Another value, of whatever kind.
  package static func replaceValue(_ node: Node, with value: JSON) -> [Diagnostic.Edit]? {
    if case .string(let text) = value { return replaceValue(node, with: text) }
    guard let scalar = ScalarText(node) else { return nil }
    return scalar.replacement(value).map { [$0] }
  }

  /// Another name for a key.
  package static func replaceKey(_ key: Node, with name: String) -> [Diagnostic.Edit]? {
    guard let scalar = ScalarText(key, isKey: true) else { return nil }
    return scalar.replacement(name).map { [$0] }
  }

  // MARK: Removing

  /// Removes the first entry with that key, with its line, its comma, and the comment at the end of its line.
  package static func removeEntry(_ key: String, from mapping: Node) -> [Diagnostic.Edit]? {
    guard mapping.kind == .mapping, let entry = mapping.entry(key) else { return nil }
    return remove([entry.value], from: mapping)
  }

  /// Removes the entry that has this very key node, for one of several with the same name.
  package static func removeEntry(_ key: Node, from mapping: Node) -> [Diagnostic.Edit]? {
    guard let entry = mapping.entries.first(where: { $0.key.span == key.span }) else { return nil }
    return remove([entry.value], from: mapping)
  }

  /// Removes an element, with its line, its comma, and the comment at the end of its line.
  package static func removeElement(_ element: Node, from list: Node) -> [Diagnostic.Edit]? {
    remove([element], from: list)
  }

  /// Removes several elements at once: neighbors that are removed one by one would contend for a comma.
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

  /// A string behind the last element of a list.
  package static func appendElement(_ text: String, to list: Node) -> [Diagnostic.Edit]? {
    appendElement(.string(text), to: list)
  }

  /// A value behind the last element of a list.
  package static func appendElement(_ value: JSON, to list: Node) -> [Diagnostic.Edit]? {
    appendElements([value], to: list)
  }

  /// Several values behind the last element of a list.
  package static func appendElements(_ values: [JSON], to list: Node) -> [Diagnostic.Edit]? {
    guard list.kind == .array, !values.isEmpty, let text = ContainerText(list) else { return nil }
    return text.insertion(of: values.map { (nil, $0) }, behind: text.items.indices.last)
  }

  /// A new entry: behind the one with the key `after`, or at the end where there is none.
  package static func insertEntry(
    _ key: String, _ value: String, into mapping: Node, after: String? = nil
  ) -> [Diagnostic.Edit]? {
    insertEntry(key, .string(value), into: mapping, after: after)
  }

  /// A new entry: behind the one with the key `after`, or at the end where there is none.
  package static func insertEntry(
    _ key: String, _ value: JSON, into mapping: Node, after: String? = nil
  ) -> [Diagnostic.Edit]? {
    guard mapping.kind == .mapping, let text = ContainerText(mapping) else { return nil }
    var index = text.items.indices.last
    if let after, let entry = mapping.entry(after) {
      index = text.items.firstIndex { $0.key?.span == entry.key.span } ?? index
    }
    return text.insertion(of: [(key, value)], behind: index)
  }
}
