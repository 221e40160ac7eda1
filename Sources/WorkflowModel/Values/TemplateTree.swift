import Diagnostics
import Documents
import OrderedCollections

/// A value of any shape whose strings may hold templates.
package indirect enum TemplateTree: Sendable {
  case value(JSON)
  case text(Template, FileSpan)
  case list([TemplateTree])
  case members([(key: String, value: TemplateTree)])

  /// Reads a node; malformed templates are told and kept as they are.
  package init(_ node: Node, _ problems: inout DiagnosticCollector) {
    switch node.kind {
    case .string:
      let text = node.string ?? ""
      guard Template.isTemplate(text) else {
        self = .value(.string(text))
        return
      }
      do throws(Template.Malformed) {
        self = .text(try Template(parsing: text), node.place)
      } catch {
        problems.add(
          Diagnostic(
            .error, rule: "template", error.message, help: error.help, at: node.place(of: error.fragment)))
        self = .value(.string(text))
      }
    case .array:
      var trees: [TemplateTree] = []
      for element in node.elements { trees.append(TemplateTree(element, &problems)) }
      self = .list(trees)
    case .mapping:
      var members: [(key: String, value: TemplateTree)] = []
      for (key, value) in node.entries {
        members.append((key.string ?? key.scalarText ?? "", TemplateTree(value, &problems)))
      }
      self = .members(members)
    default:
      self = .value(node.json)
    }
  }

  /// Whether there is nothing to fill in.
  package var isConstant: Bool {
    switch self {
    case .value: true
    case .text: false
    case .list(let trees): trees.allSatisfy(\.isConstant)
    case .members(let members): members.allSatisfy(\.value.isConstant)
    }
  }

  /// The value with everything filled in; nil where it is one `${name}` that is null, which leaves its key out.
  package func resolved(in scope: ValueScope) throws(UnresolvedValue) -> JSON? {
    switch self {
    case .value(let json): return json
    case .text(let template, let place):
      do throws(UnresolvedValue) {
        let value = try template.resolved(in: scope)
        // `nil` alone would be read as JSON's null.
        return value.isNull ? .none : value
      } catch {
        throw UnresolvedValue(error.message, help: error.help, at: error.place ?? place)
      }
    case .list(let trees):
      var values: [JSON] = []
      for tree in trees {
        if let value = try tree.resolved(in: scope) { values.append(value) }
      }
      return .array(values)
    case .members(let members):
      var object: OrderedDictionary<String, JSON> = [:]
      for member in members {
        if let value = try member.value.resolved(in: scope) { object[member.key] = value }
      }
      return .object(object)
    }
  }
}

extension Node {
  /// Whether any string under the node holds `${`.
  var holdsTemplates: Bool {
    switch kind {
    case .string: Template.isTemplate(string ?? "")
    case .array: elements.contains { $0.holdsTemplates }
    case .mapping: entries.contains { $0.value.holdsTemplates }
    default: false
    }
  }

  /// The place of a part of a string's text; the whole string where it is written with escapes.
  func place(of fragment: String) -> FileSpan {
    let wanted = Array(fragment.utf8)
    let bytes = document.source.bytes
    let start = max(0, span.start)
    let end = min(span.end, bytes.count)
    guard !wanted.isEmpty, !document.source.isBinary, start < end, end - start >= wanted.count else { return place }
    for offset in start...(end - wanted.count) where bytes[offset..<offset + wanted.count].elementsEqual(wanted) {
      return FileSpan(document.source, SourceSpan(start: offset, end: offset + wanted.count))
    }
    return place
  }
}
