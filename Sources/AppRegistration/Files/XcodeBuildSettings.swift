import Documents

/// The build settings of a target in a configuration: layers upon each other, with references between them.
package struct XcodeBuildSettings: Sendable {
  /// The settings of one `buildSettings` mapping or `.xcconfig` file, found by name; many targets share the project's.
  final class Layer: Sendable {
    private enum Values: Sendable {
      case nodes([String: Node])
      case texts([String: Positioned<String>])
    }

    private let values: Values
    /// The conditions that the settings stand under which are asked for here.
    let conditions: Set<String>

    /// The `buildSettings` of a project file.
    init(_ node: Node) {
      var nodes: [String: Node] = [:]
      for (key, value) in node.entries { if let key = key.string, nodes[key] == nil { nodes[key] = value } }
      conditions = Self.conditions(of: nodes.keys)
      values = .nodes(nodes)
    }

    /// An `.xcconfig` file's.
    init(_ texts: [String: Positioned<String>]) {
      conditions = Self.conditions(of: texts.keys)
      values = .texts(texts)
    }

    func value(_ name: String) -> Positioned<String>? {
      switch values {
      case .texts(let texts): return texts[name]
      case .nodes(let nodes):
        guard let value = nodes[name] else { return nil }
        if value.kind == .array {
          return Positioned(value.elements.compactMap(\.scalarText).joined(separator: " "), at: value.place)
        }
        return value.scalarText.map { Positioned($0, at: value.place) }
      }
    }

    private static func conditions(of keys: some Sequence<String>) -> Set<String> {
      let names: Set<Substring> = ["PRODUCT_BUNDLE_IDENTIFIER", "INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"]
      var conditions: Set<String> = []
      for key in keys {
        guard let bracket = key.firstIndex(of: "["), key.hasSuffix("]"), names.contains(key[..<bracket]) else {
          continue
        }
        conditions.insert(String(key[key.index(after: bracket)...].dropLast()))
      }
      return conditions
    }
  }

  /// A value that grows beyond this is no name and no path; it is left as it is written.
  static let longestValue = 4096
  /// References that are followed for one value; those in circles double at each turn.
  private static let mostReferences = 64

  /// From the target's own to the project's; the first that has a setting counts.
  let layers: [Layer]
  let builtIn: [String: String]
  private var condition: String?

  init(layers: [Layer], builtIn: [String: String]) {
    self.layers = layers
    self.builtIn = builtIn
  }

  /// The conditions that bear on what is asked here, and none, which comes first.
  var conditions: [String?] {
    let found = layers.reduce(into: Set<String>()) { $0.formUnion($1.conditions) }
    return [nil] + found.sorted().prefix(8).map(Optional.some)
  }

  func under(_ condition: String?) -> Self {
    var settings = self
    settings.condition = condition
    return settings
  }

  /// A setting's value with its references filled in; those that nothing defines stay as they are written.
  package func value(of name: String) -> Positioned<String>? {
    var steps = 0
    return value(of: name, from: 0, depth: 0, &steps)
  }

  /// A text with the references filled in that this target's settings define.
  package func fill(_ text: String) -> String {
    var steps = 0
    return expand(text, of: nil, beneath: 0, depth: 0, &steps)
  }

  private func value(of name: String, from level: Int, depth: Int, _ steps: inout Int) -> Positioned<String>? {
    for index in layers.indices.dropFirst(level) {
      let conditional = condition.flatMap { layers[index].value("\(name)[\($0)]") }
      guard var found = conditional ?? layers[index].value(name) else { continue }
      found.value = expand(found.value, of: name, beneath: index + 1, depth: depth + 1, &steps)
      return found
    }
    return nil
  }

  private func expand(_ text: String, of name: String?, beneath level: Int, depth: Int, _ steps: inout Int) -> String {
    guard Definitions.holdsReference(text), text.utf8.count <= Self.longestValue, depth < 16 else { return text }
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      let tail = rest[dollar...]
      guard tail.hasPrefix("$(") || tail.hasPrefix("${") else {
        result += "$"
        rest = tail.dropFirst()
        continue
      }
      // What is not closed is left as it is, with all that follows; so is what refers further than any project does.
      guard steps < Self.mostReferences, let (inside, end) = Self.reference(at: tail) else { return result + tail }
      steps += 1
      let asked = expand(inside, of: name, beneath: level, depth: depth + 1, &steps)
      result += resolve(asked, of: name, beneath: level, depth: depth, &steps) ?? String(tail[..<end])
      guard result.utf8.count <= Self.longestValue else { return text }
      rest = tail[end...]
    }
    return result + rest
  }

  /// The value of `NAME` or `NAME:operator`; nil where it is not known.
  private func resolve(
    _ reference: String, of name: String?, beneath level: Int, depth: Int, _ steps: inout Int
  ) -> String? {
    let parts = reference.split(separator: ":", omittingEmptySubsequences: false)
    guard let asked = parts.first.map(String.init) else { return nil }
    var value: String?
    if asked == "inherited" || asked == name {
      value = name.map { self.value(of: $0, from: level, depth: depth + 1, &steps)?.value ?? "" }
    } else {
      value = self.value(of: asked, from: 0, depth: depth + 1, &steps)?.value ?? builtIn[asked]
    }
    for part in parts.dropFirst() {
      if part.hasPrefix("default=") {
        if value == nil || value?.isEmpty == true { value = String(part.dropFirst("default=".count)) }
        continue
      }
      switch part {
      case "lower": value = value?.lowercased()
      case "upper": value = value?.uppercased()
      case "rfc1034identifier": value = value.map { Self.identifier($0, with: "-", keeping: ".-") }
      case "identifier", "c99extidentifier": value = value.map { Self.identifier($0, with: "_", keeping: "_") }
      default: return nil
      }
    }
    return value
  }

  private static func identifier(_ text: String, with separator: Character, keeping kept: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) || kept.contains($0) ? $0 : separator })
  }

  /// What stands between the brackets of `$(…)` or `${…}`, which may hold others, and where they end.
  private static func reference(at text: Substring) -> (inside: String, end: String.Index)? {
    let (open, close): (Character, Character) = text.hasPrefix("${") ? ("{", "}") : ("(", ")")
    let start = text.index(text.startIndex, offsetBy: 2)
    var depth = 1
    for index in text[start...].indices {
      if text[index] == open { depth += 1 }
      if text[index] == close {
        depth -= 1
        if depth == 0 { return start == index ? nil : (String(text[start..<index]), text.index(after: index)) }
      }
    }
    return nil
  }
}
