import Diagnostics
import Documents
import WorkflowModel

extension SymbolScan {
  /// Adds a list of steps, or the members of a `parallel` step.
  mutating func steps(_ list: Node, areMembers: Bool = false) {
    var counts: [String: Int] = [:]
    for element in list.elements {
      guard spend() else { return }
      let typeKey =
        element.string.map { _ in element } ?? element.entries.first { Self.kind(of: $0.key) != nil }?.key
      var implicitID = typeKey?.string
      if areMembers, let type = implicitID {
        counts[type, default: 0] += 1
        implicitID = "\(type)#\(counts[type] ?? 1)"
      }
      step(element, typeKey: typeKey, implicitID: implicitID)
    }
  }

  private static func kind(of node: Node) -> StepKind? { node.string.flatMap(StepKind.named) }

  private mutating func step(_ node: Node, typeKey: Node?, implicitID: String?) {
    if node.kind == .string {
      // While the user is typing, YAML can read an unfinished step as a string that is not a step type.
      guard let type = node.string, StepKind.named(type) != nil else { return }
      declareStep(implicitID ?? type, at: node, text: type, role: .implicitDeclaration, in: node, usedFile: nil)
      return
    }
    guard node.kind == .mapping else { return }
    let used = node.entry("use").flatMap { entry in
      (entry.value.kind == .mapping ? entry.value["workflow"] : entry.value)?.string
    }
    if let id = node["id"], let name = id.scalarText, !name.isEmpty {
      declareStep(name, at: id, text: name, role: .declaration, in: node, usedFile: used)
    } else if let typeKey, let type = typeKey.string {
      declareStep(
        implicitID ?? type, at: typeKey, text: type, role: .implicitDeclaration, in: node, usedFile: used)
    }
    for (key, value) in node.entries { entry(key, value) }
  }

  private mutating func declareStep(
    _ name: String, at node: Node, text: String, role: SymbolOccurrence.Role, in step: Node, usedFile: String?
  ) {
    let place = NamePlace(node, Array(text.utf8), isKey: role == .implicitDeclaration && step.kind == .mapping)
    symbols.steps.append(
      FileSymbols.StepDeclaration(
        declaration: FileSymbols.Declaration(name: name, place: place, role: role, extent: step.span),
        usedFile: usedFile.map(resolved)))
  }

  /// Adds the names in one of a step's entries.
  private mutating func entry(_ key: Node, _ value: Node) {
    switch key.string {
    case "id", "description", "tags", "retry", "timeout", "maxRuns": break
    case "when": if value.kind == .mapping { expectations(value) }
    case "expect", "assert": expectations(value)
    case "on":
      for (_, target) in value.entries {
        guard let name = target.scalarText, !["next", "end", "fail"].contains(name) else { continue }
        address(target, canBeVariable: false)
      }
    case "capture":
      for (name, path) in value.entries {
        declare(name, isKey: true, extent: path, in: \.captures)
        for address in path.kind == .array ? Array(path.elements) : [path] {
          self.address(address, canBeVariable: true)
        }
      }
    case "client": client(value, onlyIfKnown: false)
    case "use": use(value)
    case "parallel": steps(value, areMembers: true)
    case "simulate": events(value)
    default: values(value)
    }
  }

  private mutating func use(_ value: Node) {
    guard let path = value.kind == .mapping ? value["workflow"] : value, let name = path.string else { return }
    file(path)
    for (key, input) in value["with"]?.entries.map({ $0 }) ?? [] {
      if let text = key.string {
        symbols.references.append(.input(text, NamePlace(key, Array(text.utf8), isKey: true), of: resolved(name)))
      }
      values(input)
    }
  }

  private mutating func client(_ node: Node, isKey: Bool = false, onlyIfKnown: Bool) {
    guard let name = node.scalarText, !name.isEmpty else { return }
    symbols.references.append(
      .client(name, NamePlace(node, Array(name.utf8), isKey: isKey), onlyIfKnown: onlyIfKnown))
  }

  mutating func expectations(_ mapping: Node) {
    for (key, value) in mapping.entries {
      address(key, isKey: true, canBeVariable: true)
      values(value)
    }
  }

  /// Adds the names in a list of simulated events.
  mutating func events(_ node: Node) {
    guard spend() else { return }
    for event in node.kind == .array ? Array(node.elements) : [node] {
      guard event.kind == .mapping else {
        values(event)
        continue
      }
      for (key, value) in event.entries {
        values(value)
        switch key.string {
        case "cacheLoaded": file(value)
        case "appDisabled" where value.kind == .string: client(value, onlyIfKnown: true)
        default: break
        }
        if let name = value["client"] { client(name, onlyIfKnown: true) }
      }
    }
  }

  // MARK: Scenarios

  mutating func scenarios(_ mapping: Node) {
    for (key, body) in mapping.entries {
      declare(key, isKey: true, extent: body, in: \.scenarios)
      scenario(body)
    }
  }

  /// Adds the names in a scenario or a row of its matrix.
  private mutating func scenario(_ body: Node) {
    guard spend() else { return }
    for (key, value) in body.entries {
      switch key.string {
      case "given": events(value)
      case "before":
        for (step, events) in value.entries {
          address(step, isKey: true, canBeVariable: false)
          self.events(events)
        }
      case "user": values(value)
      case "inputs":
        for (name, input) in value.entries {
          variable(name, onlyIfKnown: false)
          values(input)
        }
      case "settings": settingsSource(value)
      case "clients":
        for (name, source) in value.entries {
          client(name, isKey: true, onlyIfKnown: false)
          settingsSource(source)
        }
      case "directory": directorySource(value)
      case "expect": scenarioExpectation(value)
      case "matrix": matrix(value)
      default: break
      }
    }
  }

  private mutating func matrix(_ node: Node) {
    if node.kind == .array {
      for row in node.elements { scenario(row) }
    } else {
      for (axis, axisValues) in node.entries {
        variable(axis, onlyIfKnown: true)
        values(axisValues)
      }
    }
  }

  private mutating func variable(_ key: Node, onlyIfKnown: Bool) {
    guard let name = key.string, !name.isEmpty else { return }
    symbols.references.append(
      .variable(name, NamePlace(key, Array(name.utf8), isKey: true), onlyIfKnown: onlyIfKnown))
  }

  private mutating func scenarioExpectation(_ mapping: Node) {
    for (key, value) in mapping.entries {
      switch key.string {
      case "path":
        for entry in value.elements where entry.string != "..." && entry.string != "…" {
          address(entry, canBeVariable: false)
        }
      case "outcome", "interactions", "pages", "requests": break
      case let text? where text.hasPrefix("requests."): break
      case let text?:
        if text.contains(".") { address(key, isKey: true, canBeVariable: true) }
        values(value)
      case nil: break
      }
    }
  }
}
