import Diagnostics
import Documents

/// Reads the steps of a workflow and the workflows that these steps use.
package struct StepReader: Sendable {
  let files: WorkflowFiles
  /// The files that lead to the current file through `use` steps, outermost first, and the current file itself.
  let chain: [String]
  var unreadable = UnreadableSteps()

  init(files: WorkflowFiles, chain: [String]) {
    self.files = files
    self.chain = chain
  }

  /// The maximum nesting depth of workflows.
  static let maxDepth = 16

  // MARK: Single steps

  /// Reads one element of a list of steps. Returns nil after reporting why the element is invalid.
  mutating func step(_ node: Node, _ problems: inout DiagnosticCollector) -> Step? {
    switch node.kind {
    case .string: return bareStep(node, &problems)
    case .mapping: return stepMapping(node, &problems)
    default:
      problems.mismatch(node, expected: "a step: a step type such as `silent`, or a mapping such as `{callGraph: /me}`")
      return nil
    }
  }

  private mutating func bareStep(_ node: Node, _ problems: inout DiagnosticCollector) -> Step? {
    let key = node.string ?? ""
    guard let kind = StepKind.named(key) else {
      problems.unknownName(key, kind: "a step type", among: StepKind.keys, at: node)
      return nil
    }
    guard let action = kind.read(nil, at: node, &self, &problems) else { return nil }
    var step = Step(
      id: key, isNamed: false, place: node.place, kind: kind, spelling: key, action: action, node: node)
    if key == kind.fallbackKey { step.when = .fallback }
    return step
  }

  private mutating func stepMapping(_ node: Node, _ problems: inout DiagnosticCollector) -> Step? {
    let typeEntry = stepType(of: node, &problems)
    var common = CommonKeys()
    let fields = Fields<CommonKeys>(
      "a step", CommonKeys.fieldList,
      others: { key, value, _, problems in
        let name = key.scalarText ?? ""
        if StepKind.named(name) != nil { return true }
        if problems.reportSplitAtComma(key, value) { return true }
        guard let typeEntry, let spelling = typeEntry.key.string else { return true }
        guard typeEntry.kind.parameterKeys().contains(name) else { return false }
        problems.error(
          "unknown-key", "misplaced key `\(name)`: it is a parameter of `\(spelling)`",
          help: value.document.syntax == .yaml
            ? "indent it under `\(spelling):`, or write `\(spelling): {\(name): …}`" : "move it into `\(spelling)`",
          at: key)
        return true
      })
    _ = fields.read(node, into: &common, &problems)
    guard let typeEntry, let spelling = typeEntry.key.string else {
      // If YAML joined the step type to the ID, the last diagnostic already explains the missing type.
      if problems.diagnostics.last?.rule != "bare-step-type" { reportMissingType(node, &problems) }
      return nil
    }
    let value = typeEntry.value.kind == .null ? nil : typeEntry.value
    guard let action = typeEntry.kind.read(value, at: typeEntry.key, &self, &problems) else { return nil }
    var step = Step(
      id: common.id?.value ?? node["id"]?.scalarText ?? spelling, isNamed: node["id"] != nil,
      place: common.id?.place ?? typeEntry.key.place,
      kind: typeEntry.kind, spelling: spelling, action: action, node: node)
    step.apply(common)
    checkFallback(&step, node, &problems)
    return step
  }

  /// Returns the entry that determines the step type. If there are several, reports an error and returns the first.
  private func stepType(
    of node: Node, _ problems: inout DiagnosticCollector
  ) -> (key: Node, value: Node, kind: StepKind)? {
    var entries: [(key: Node, value: Node, kind: StepKind)] = []
    for (key, value) in node.entries {
      if let name = key.string, let kind = StepKind.named(name), !entries.contains(where: { $0.key.string == name }) {
        entries.append((key, value, kind))
      }
    }
    if entries.count > 1 {
      problems.add(
        entries[1].key.problem(
          rule: "multiple-step-types", "more than one step type: \(entries.map { $0.key.string ?? "" }.quotedList)",
          help: "start a separate step with `- ` for each",
          related: [.init("first step type is here", at: entries[0].key.place)]))
    }
    return entries.first
  }

  private func checkFallback(_ step: inout Step, _ node: Node, _ problems: inout DiagnosticCollector) {
    if step.spelling == step.kind.fallbackKey {
      if case .holds = step.when {
        problems.error(
          "contradiction", "`\(step.spelling)` already implies `when: fallback`",
          help: "use `\(step.kind.key)` with this `when`",
          at: node.entry("when")?.key ?? node)
      }
      step.when = .fallback
    }
    if step.isFallback, !step.kind.canBeFallback {
      problems.error(
        "not-a-fallback", "`\(step.spelling)` cannot be a fallback: it does not acquire a token",
        help: "use `interactive`, `deviceCode`, or `use` as a fallback", at: node["when"] ?? node)
    }
  }

  private func reportMissingType(_ node: Node, _ problems: inout DiagnosticCollector) {
    let common = Set(CommonKeys.keys)
    for (key, value) in node.entries {
      guard let name = key.string, !common.contains(name) else { continue }
      if problems.reportSplitAtComma(key, value) { return }
      return problems.unknownName(name, kind: "a step type", among: StepKind.keys + CommonKeys.keys, at: key)
    }
    problems.error(
      "missing-step-type", "missing step type",
      help: "add one of \(StepKind.keys.quotedList)", at: node)
  }

  // MARK: Lists of steps

  /// Reads a list of steps.
  mutating func steps(_ node: Node, _ problems: inout DiagnosticCollector) -> [Step]? {
    guard node.kind == .array else {
      problems.mismatch(node, expected: "a list of steps")
      return nil
    }
    guard node.count <= Workflow.stepLimit else {
      problems.error(
        "too-many-steps", "workflow has \(node.count) steps, more than the limit of \(Workflow.stepLimit)",
        help: "repeat steps with `on`, or move some into another workflow",
        at: node)
      return nil
    }
    var steps: [Step] = []
    for element in node.elements {
      if let step = step(element, &problems) {
        steps.append(step)
      } else {
        unreadable.insert(element)
      }
    }
    return steps
  }

  // MARK: Other files

  /// Returns the workflow in another file, or nil after reporting why the file cannot be read.
  func load(_ path: String, at node: Node, _ problems: inout DiagnosticCollector) -> Workflow? {
    let name = FilePath.join(FilePath.folder(of: chain.last ?? ""), path)
    if let start = chain.firstIndex(of: name) {
      let cycle = (chain[start...] + [name]).joined(separator: " → ")
      problems.error("use-cycle", "workflow uses itself: \(cycle)", help: "remove one `use` from the cycle", at: node)
      return nil
    }
    guard chain.count < Self.maxDepth else {
      problems.error("use-depth", "workflows are nested more than \(Self.maxDepth) levels deep", at: node)
      return nil
    }
    return files.workflow(name, chain: chain, writtenAs: path, at: node, &problems)
  }
}

extension DiagnosticCollector {
  /// Adds the diagnostics for the keys of a mapping. If an unknown key is the second part of an unquoted value with a
  /// comma, the method reports the missing quotes instead.
  mutating func add(_ others: DiagnosticCollector, explainingKeysOf node: Node) {
    var explained: Set<Int> = []
    let unknown = others.diagnostics.filter { $0.rule == "unknown-key" }.compactMap(\.place.span?.start)
    for (key, value) in node.entries where unknown.contains(key.span.start) {
      if reportSplitAtComma(key, value) { explained.insert(key.span.start) }
    }
    add(
      contentsOf: others.diagnostics.filter {
        $0.rule != "unknown-key" || !explained.contains($0.place.span?.start ?? -1)
      })
  }

  /// Reports a name that is not one of the known names.
  mutating func unknownName(_ name: String, kind: String, among known: [String], at node: Node) {
    if reportRenamed(name, among: known, at: node) { return }
    let help =
      (kind == "a step type" ? StepKind.help(forForeign: name) : nil) ?? Suggestion.help(for: name, among: known)
    error("unknown-name", "`\(name)` is not \(kind)", help: help, at: node)
  }
}

extension Step {
  fileprivate mutating func apply(_ common: CommonKeys) {
    when = common.when ?? .always
    on = common.on
    expect = common.expect
    capture = common.capture
    retry = common.retry
    maxRuns = common.maxRuns
    timeout = common.timeout
    client = common.client
    user = common.user
    description = common.description
    tags = common.tags
  }
}
