import AppRegistration
import Diagnostics
import Documents
import WorkflowModel

/// A scan that collects the names in a document's tree. The tree may be incomplete or invalid.
struct SymbolScan {
  var symbols: FileSymbols
  /// The number of nodes that can still be visited. Aliases can repeat nodes.
  var budget = 500_000

  init(symbols: FileSymbols) { self.symbols = symbols }

  mutating func scan(_ root: Node, _ kind: AppRegistrationKind, isConfiguration: Bool) {
    if isConfiguration { return configuration(root) }
    switch kind {
    case .workflow: workflow(root)
    case .scenarios:
      if let path = root["workflow"], path.string != nil {
        symbols.scope = resolved(path.string ?? "")
        file(path)
      }
      if let scenarios = root["scenarios"] { self.scenarios(scenarios) }
    case .directory: directory(root)
    case .authSettings: settings(root)
    default: break
    }
  }

  private mutating func configuration(_ root: Node) {
    for (key, _) in root["rules"]?.entries.map({ $0 }) ?? [] { rule(key, isKey: true) }
    for entry in root["ignore"]?.elements.map({ $0 }) ?? [] {
      if let id = entry["rule"] { rule(id) }
    }
  }

  private mutating func rule(_ node: Node, isKey: Bool = false) {
    guard let id = node.string, !id.isEmpty else { return }
    symbols.references.append(.rule(id, NamePlace(node, Array(id.utf8), isKey: isKey)))
  }

  private mutating func settings(_ node: Node) {
    for key in ["InfoPlist", "info_plist"] {
      if let path = node[key] { file(path) }
    }
  }

  // MARK: Workflows

  private mutating func workflow(_ root: Node) {
    for (key, value) in root.entries {
      switch key.string {
      case "settings": settingsSource(value)
      case "clients":
        for (name, source) in value.entries {
          declare(name, isKey: true, extent: source, in: \.clients)
          settingsSource(source)
        }
      case "directory": directorySource(value)
      case "platform":
        if let path = value["replay"] { file(path) }
      case "user": values(value)
      case "inputs":
        for (name, input) in value.entries {
          declare(name, isKey: true, extent: input, in: \.inputs)
          if let standard = input.kind == .mapping ? input["default"] : input { accounts(in: standard) }
        }
      case "steps", "finally": steps(value)
      case "scenarios":
        if value.kind == .string { file(value) } else { scenarios(value) }
      default: break
      }
    }
  }

  mutating func settingsSource(_ node: Node) {
    switch node.kind {
    case .string: file(node)
    case .array: for element in node.elements { settingsSource(element) }
    case .mapping: settings(node)
    default: break
    }
  }

  mutating func directorySource(_ node: Node) {
    switch node.kind {
    case .string where node.string != Symbol.builtInFile:
      symbols.directories.append(resolved(node.string ?? ""))
      file(node)
    case .array: for element in node.elements { directorySource(element) }
    case .mapping: directory(node)
    default: break
    }
  }

  // MARK: Directories

  private mutating func directory(_ node: Node, isUsers: Bool = false) {
    guard spend() else { return }
    switch node.kind {
    case .string: accounts(in: node)
    case .array: for element in node.elements { directory(element, isUsers: isUsers) }
    case .mapping:
      for (key, value) in node.entries {
        if isUsers, key.string == "username", let name = value.string, !name.isEmpty {
          symbols.accounts.append(
            FileSymbols.Declaration(
              name: name.lowercased(), place: NamePlace(value, Array(name.utf8)), extent: node.span))
        } else {
          accounts(in: key, isKey: true)
          directory(value, isUsers: key.string == "users")
        }
      }
    default: break
    }
  }

  // MARK: Names

  mutating func spend() -> Bool {
    budget -= 1
    return budget > 0
  }

  /// Returns a path relative to the folder of the snapshot.
  func resolved(_ path: String) -> String { FilePath.join(FilePath.folder(of: symbols.name), path) }

  mutating func file(_ node: Node) {
    guard let path = node.string, !path.isEmpty, path.utf8.count < 4096 else { return }
    symbols.references.append(.file(resolved(path), NamePlace(node, Array(path.utf8))))
  }

  mutating func declare(
    _ node: Node, isKey: Bool = false, extent: Node? = nil,
    in list: WritableKeyPath<FileSymbols, [FileSymbols.Declaration]>
  ) {
    guard let name = node.scalarText, !name.isEmpty else { return }
    let end = max(node.span.end, extent?.span.end ?? 0)
    symbols[keyPath: list].append(
      FileSymbols.Declaration(
        name: name, place: NamePlace(node, Array(name.utf8), isKey: isKey),
        extent: SourceSpan(start: node.span.start, end: end)))
  }

  /// Adds a reference to the step or variable at the start of an address, such as `login/silent` in
  /// `login/silent[1].outcome`.
  mutating func address(_ node: Node, isKey: Bool = false, canBeVariable: Bool) {
    guard let text = node.scalarText else { return }
    let bytes = Array(text.utf8)
    let dot = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
    var end = dot
    if bytes.first == UInt8(ascii: "$") { return }
    if end > 0, bytes[end - 1] == UInt8(ascii: "]"), let open = bytes[..<end].lastIndex(of: UInt8(ascii: "[")) {
      end = open
    }
    guard end > 0, !canBeVariable || ResultField(rawValue: String(decoding: bytes[..<dot], as: UTF8.self)) == nil
    else { return }
    var segments: [(name: String, place: NamePlace)] = []
    var start = 0
    while start <= end {
      let slash = bytes[start..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
      guard slash > start else { break }
      segments.append(
        (
          String(decoding: bytes[start..<slash], as: UTF8.self),
          NamePlace(node, bytes, range: start..<slash, isKey: isKey)
        ))
      start = slash + 1
    }
    guard !segments.isEmpty else { return }
    symbols.references.append(.step(segments, canBeVariable: canBeVariable, hasField: dot < bytes.count))
  }

  /// Adds the placeholders and usernames in all strings of a value.
  mutating func values(_ node: Node) {
    guard spend() else { return }
    switch node.kind {
    case .string:
      placeholders(in: node)
      accounts(in: node)
    case .array: for element in node.elements { values(element) }
    case .mapping:
      for (key, value) in node.entries {
        accounts(in: key, isKey: true)
        values(value)
      }
    default: break
    }
  }

  /// Adds the variables in placeholders such as `${name}`.
  private mutating func placeholders(in node: Node) {
    guard let text = node.string, Template.isTemplate(text) else { return }
    let bytes = Array(text.utf8)
    let (dollar, open, close) = (UInt8(ascii: "$"), UInt8(ascii: "{"), UInt8(ascii: "}"))
    var index = 0
    while index + 1 < bytes.count {
      if bytes[index] == dollar, bytes[index + 1] == dollar, index + 2 < bytes.count, bytes[index + 2] == open {
        index += 3
      } else if bytes[index] == dollar, bytes[index + 1] == open {
        guard let end = bytes[index...].firstIndex(of: close) else { return }
        let range = index + 2..<end
        let name = String(decoding: bytes[range], as: UTF8.self)
        if Template.isName(name) {
          symbols.references.append(.variable(name, NamePlace(node, bytes, range: range), onlyIfKnown: false))
        }
        index = end + 1
      } else {
        index += 1
      }
    }
  }

  /// Adds the text around each `@`, which may be a username.
  mutating func accounts(in node: Node, isKey: Bool = false) {
    guard let text = node.string, text.utf8.contains(UInt8(ascii: "@")) else { return }
    let bytes = Array(text.utf8)
    for at in bytes.indices where bytes[at] == UInt8(ascii: "@") {
      var (start, end) = (at, at + 1)
      while start > 0, Self.isNameByte(bytes[start - 1]) { start -= 1 }
      while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
      while end > at, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
      guard start < at, end > at + 1 else { continue }
      let name = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
      symbols.references.append(.account(name, NamePlace(node, bytes, range: start..<end, isKey: isKey)))
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    default: "._%+-#".utf8.contains(byte)
    }
  }
}
