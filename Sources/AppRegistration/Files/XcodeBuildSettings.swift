import Documents

/// The build settings of a target in one configuration: layers that override each other and can contain references.
package struct XcodeBuildSettings: Sendable {
  /// The settings of one `buildSettings` mapping or `.xcconfig` file, indexed by name. Many targets share the project's
  /// layer.
  final class Layer: Sendable {
    private enum Values: Sendable {
      case nodes([String: Node])
      case texts([String: Positioned<String>])
    }

    private let values: Values
    /// The conditions of the settings that this module uses.
    let conditions: Set<String>

    /// Creates the layer from a `buildSettings` mapping.
    init(_ node: Node) {
      var nodes: [String: Node] = [:]
      for (key, value) in node.entries { if let key = key.string, nodes[key] == nil { nodes[key] = value } }
      conditions = Self.conditions(of: nodes.keys)
      values = .nodes(nodes)
    }

    /// Creates the layer from an `.xcconfig` file.
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

  /// The maximum length of a value in bytes. References in longer values are not resolved.
  static let maximumValueLength = 4096
  /// The maximum number of references to resolve for one value. With cyclic references, the number could double with
  /// each step.
  private static let maximumReferences = 64

  /// The layers, from the target's to the project's. If several layers contain a setting, the first one takes
  /// precedence.
  let layers: [Layer]
  let builtIn: [String: String]
  private var condition: String?

  init(layers: [Layer], builtIn: [String: String]) {
    self.layers = layers
    self.builtIn = builtIn
  }

  /// The relevant conditions, preceded by nil for settings without a condition.
  var conditions: [String?] {
    let match = layers.reduce(into: Set<String>()) { $0.formUnion($1.conditions) }
    return [nil] + match.sorted().prefix(8).map(Optional.some)
  }

  func under(_ condition: String?) -> Self {
    var settings = self
    settings.condition = condition
    return settings
  }

  /// Returns the value of a setting with its references resolved. Undefined references are unchanged.
  package func value(of name: String) -> Positioned<String>? {
    var steps = 0
    return value(of: name, from: 0, depth: 0, &steps)
  }

  /// Returns the string with references to defined settings resolved.
  package func fill(_ text: String) -> String {
    var steps = 0
    return expand(text, of: nil, below: 0, depth: 0, &steps)
  }

  private func value(of name: String, from level: Int, depth: Int, _ steps: inout Int) -> Positioned<String>? {
    for index in layers.indices.dropFirst(level) {
      let conditional = condition.flatMap { layers[index].value("\(name)[\($0)]") }
      guard var match = conditional ?? layers[index].value(name) else { continue }
      match.value = expand(match.value, of: name, below: index + 1, depth: depth + 1, &steps)
      return match
    }
    return nil
  }

  private func expand(_ text: String, of name: String?, below level: Int, depth: Int, _ steps: inout Int) -> String {
    guard Definitions.containsReference(text), text.utf8.count <= Self.maximumValueLength, depth < 16 else {
      return text
    }
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
      // An unclosed reference, or one that exceeds the limit, is left unchanged, as is the rest of the text.
      guard steps < Self.maximumReferences, let (inside, end) = Self.reference(at: tail) else { return result + tail }
      steps += 1
      let referencedName = expand(inside, of: name, below: level, depth: depth + 1, &steps)
      result += resolve(referencedName, of: name, below: level, depth: depth, &steps) ?? String(tail[..<end])
      guard result.utf8.count <= Self.maximumValueLength else { return text }
      rest = tail[end...]
    }
    return result + rest
  }

  /// Returns the value of `NAME` or `NAME:operator`, or nil if it is unknown.
  private func resolve(
    _ reference: String, of name: String?, below level: Int, depth: Int, _ steps: inout Int
  ) -> String? {
    let parts = reference.split(separator: ":", omittingEmptySubsequences: false)
    guard let referencedName = parts.first.map(String.init) else { return nil }
    var value: String?
    if referencedName == "inherited" || referencedName == name {
      value = name.map { self.value(of: $0, from: level, depth: depth + 1, &steps)?.value ?? "" }
    } else {
      value = self.value(of: referencedName, from: 0, depth: depth + 1, &steps)?.value ?? builtIn[referencedName]
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

  private static func identifier(_ text: String, with separator: Character, keeping allowed: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) || allowed.contains($0) ? $0 : separator })
  }

  /// Returns the content of `$(…)` or `${…}`, which may contain other references, and the end position.
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
