import AppRegistration
import Diagnostics
import Documents
import WorkflowModel

/// An item in a document's outline, with its child items.
package struct OutlineItem: Sendable {
  package enum Kind: Sendable {
    case section, step, variable, client, scenario, account, property, element
  }

  package var name: String
  /// A short detail, such as the step type or a value.
  package var detail: String?
  package var kind: Kind
  /// The span of the complete item.
  package var extent: SourceSpan
  /// The span of the item's name, which is inside `extent`.
  package var selection: SourceSpan
  package var children: [OutlineItem] = []
}

extension SnapshotDocument {
  /// The document's outline.
  package var outline: [OutlineItem] {
    guard let document = tree, !document.source.isBinary else { return [] }
    var builder = OutlineBuilder()
    switch kind {
    case .workflow, .scenarios: return builder.workflow(document.root)
    default: return builder.parts(of: document.root, depth: 0)
    }
  }
}

private struct OutlineBuilder {
  /// The number of items that can still be added. Clients cannot usefully show more.
  private var budget = 5_000
  private static let maximumDepth = 5

  /// Returns an item for an entry of a mapping.
  private func item(_ name: String, _ kind: OutlineItem.Kind, _ key: Node, _ value: Node?, detail: String? = nil)
    -> OutlineItem
  {
    let end = max(key.span.end, value?.span.end ?? 0)
    let start = min(key.span.start, value?.span.start ?? key.span.start)
    return OutlineItem(
      name: name.isEmpty ? "(empty)" : name, detail: detail, kind: kind, extent: SourceSpan(start: start, end: end),
      selection: key.span)
  }

  private func detail(of value: Node) -> String? {
    guard let text = value.scalarText, !text.isEmpty else { return nil }
    let line = text.prefix { !$0.isNewline }
    return line.count > 60 ? "\(line.prefix(59))…" : String(line)
  }

  // MARK: Any document

  mutating func parts(of node: Node, depth: Int) -> [OutlineItem] {
    guard depth < Self.maximumDepth else { return [] }
    var items: [OutlineItem] = []
    if node.kind == .mapping {
      for (key, value) in node.entries where budget > 0 {
        budget -= 1
        var item = item(key.scalarText ?? "", .property, key, value, detail: detail(of: value))
        item.children = parts(of: value, depth: depth + 1)
        items.append(item)
      }
    } else if node.kind == .array {
      for (position, element) in node.elements.enumerated() where budget > 0 && element.count > 0 {
        budget -= 1
        let label = ["name", "id", "displayName", "username", "appId", "client_id", "value"].lazy
          .compactMap { element[$0]?.scalarText }.first
        var item = item(label ?? "[\(position)]", .element, element, element)
        item.children = parts(of: element, depth: depth + 1)
        items.append(item)
      }
    }
    return items
  }

  // MARK: Workflows and scenarios

  mutating func workflow(_ root: Node) -> [OutlineItem] {
    var items: [OutlineItem] = []
    for (key, value) in root.entries where budget > 0 {
      budget -= 1
      let name = key.scalarText ?? ""
      var item = item(name, .section, key, value, detail: detail(of: value))
      switch name {
      case "steps", "finally": item.children = value.elements.compactMap { step($0) }
      case "scenarios": item.children = value.entries.map { scenario($0.key, $0.value) }
      case "clients": item.children = entries(value, .client)
      case "inputs": item.children = entries(value, .variable)
      default:
        item.kind = .property
        item.children = parts(of: value, depth: 1)
      }
      items.append(item)
    }
    return items
  }

  private func entries(_ mapping: Node, _ kind: OutlineItem.Kind) -> [OutlineItem] {
    mapping.entries.map { item($0.key.scalarText ?? "", kind, $0.key, $0.value, detail: detail(of: $0.value)) }
  }

  private mutating func step(_ node: Node) -> OutlineItem? {
    guard budget > 0 else { return nil }
    budget -= 1
    if let type = node.string { return item(type, .step, node, nil) }
    let type = node.entries.first { $0.key.string.flatMap(StepKind.named) != nil }
    let id = node["id"]
    guard let named = id ?? type?.key, let name = named.scalarText else { return nil }
    var item = item(
      name, .step, named, node, detail: id == nil ? type.flatMap { detail(of: $0.value) } : type?.key.string)
    if let captures = node["capture"] { item.children += entries(captures, .variable) }
    if type?.key.string == "parallel", let members = type?.value {
      item.children += members.elements.compactMap { step($0) }
    }
    return item
  }

  private mutating func scenario(_ key: Node, _ body: Node) -> OutlineItem {
    budget -= 1
    var item = item(key.scalarText ?? "", .scenario, key, body, detail: body["description"].flatMap(detail))
    if let matrix = body["matrix"], matrix.kind == .array {
      item.children = matrix.elements.enumerated().map { position, row in
        self.item(row["description"]?.scalarText ?? "row \(position + 1)", .element, row["description"] ?? row, row)
      }
    }
    return item
  }
}
