import Diagnostics
import Documents
import OrderedCollections

/// A JSON value in which strings can be templates.
package indirect enum TemplateTree: Sendable {
  case value(JSON)
  case text(Template, FileSpan)
  case list([TemplateTree])
  case members([(key: String, value: TemplateTree)])

  /// Reads a node. Malformed templates are reported and used as literal text.
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
        members.append((key.scalarText ?? "", TemplateTree(value, &problems)))
      }
      self = .members(members)
    default:
      self = .value(node.json)
    }
  }

  /// Whether the value contains no placeholders.
  package var isConstant: Bool {
    switch self {
    case .value: true
    case .text: false
    case .list(let trees): trees.allSatisfy(\.isConstant)
    case .members(let members): members.allSatisfy(\.value.isConstant)
    }
  }

  /// Returns the value with all placeholders resolved. Returns nil if the value is a single `${name}` that resolves to
  /// null.
  package func resolved(in scope: ValueScope) throws(UnresolvedValue) -> JSON? {
    switch self {
    case .value(let json): return json
    case .text(let template, let place):
      do throws(UnresolvedValue) {
        let value = try template.resolved(in: scope)
        // The literal `nil` would be a JSON null, because `JSON` is `ExpressibleByNilLiteral`.
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
  /// Whether any string in the node contains `${`.
  var containsTemplates: Bool {
    switch kind {
    case .string: Template.isTemplate(string ?? "")
    case .array: elements.contains { $0.containsTemplates }
    case .mapping: entries.contains { $0.value.containsTemplates }
    default: false
    }
  }

  /// Returns the location of a substring, or of the complete string if the substring contains escapes.
  func place(of fragment: String) -> FileSpan {
    let bytes = document.source.bytes
    let start = max(0, span.start)
    let end = min(span.end, bytes.count)
    guard !fragment.isEmpty, !document.source.isBinary, start < end,
      let match = bytes[start..<end].firstRange(of: Array(fragment.utf8))
    else { return place }
    return FileSpan(document.source, SourceSpan(start: match.lowerBound, end: match.upperBound))
  }

  /// Returns the location of a byte in a substring, or of the complete string if the substring contains escapes.
  func place(of fragment: String, offset: Int) -> FileSpan {
    let location = place(of: fragment)
    guard let span = location.span, span.end - span.start == fragment.utf8.count else { return location }
    let start = min(span.start + max(0, offset), span.end)
    return FileSpan(location.source, SourceSpan(start: start, end: min(start + 1, max(span.end, start))))
  }
}
