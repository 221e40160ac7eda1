import Diagnostics
import Documents

/// Reads the steps of one workflow, and the workflows that they use.
package struct StepReader: Sendable {
  /// The other files, each read once.
  let files: WorkflowFiles
  /// The file that is being read, and those that use it, outermost first.
  let chain: [String]
  /// The names of steps that could not be read: what speaks of them is not wrong for that.
  var lost: Set<String> = []

  init(files: WorkflowFiles, chain: [String]) {
    self.files = files
    self.chain = chain
  }

  /// How deep workflows may use workflows.
  static let deepest = 16

  // MARK: One step

  /// Reads one element of a list of steps; nil after it was told why it is none.
  mutating func step(_ node: Node, _ problems: inout DiagnosticCollector) -> Step? {
    switch node.kind {
    case .string: bare(node, &problems)
    case .mapping: mapping(node, &problems)
    default:
      complain(node, &problems)
    }
  }

  private func complain(_ node: Node, _ problems: inout DiagnosticCollector) -> Step? {
    problems.mismatch(node, expected: "a step: a kind such as silent, or a mapping such as {callGraph: /me}")
    return nil
  }

  private mutating func bare(_ node: Node, _ problems: inout DiagnosticCollector) -> Step? {
    let word = node.string ?? ""
    guard let kind = StepKind.named(word) else {
      problems.unknownName(word, kind: "a kind of step", among: StepKind.keys, at: node)
      return nil
    }
    guard let action = kind.read(nil, node, &self, &problems) else { return nil }
    var step = Step(
      id: word, isNamed: false, place: node.place, kind: kind, spelling: word, action: action, node: node)
    if word == kind.fallbackKey { step.when = .fallback }
    return step
  }

  private mutating func mapping(_ node: Node, _ problems: inout DiagnosticCollector) -> Step? {
    let chosen = type(of: node, &problems)
    var common = CommonKeys()
    let fields = Fields<CommonKeys>(
      "a step", CommonKeys.fieldList,
      others: { key, value, _, problems in
        let name = key.string ?? key.scalarText ?? ""
        if StepKind.named(name) != nil { return true }
        if problems.tellSplitAtComma(key, value) { return true }
        guard let chosen, let spelling = chosen.key.string else { return true }
        guard chosen.kind.parameterKeys().contains(name) else { return false }
        problems.error(
          "unknown-key", "\"\(name)\" belongs to \(spelling), it is not a key of the step itself",
          help: value.document.syntax == .yaml
            ? "indent it under `\(spelling):`, or write \(spelling): {\(name): …}" : "put it inside \(spelling)",
          at: key)
        return true
      })
    _ = fields.read(node, into: &common, &problems)
    guard let chosen, let spelling = chosen.key.string else {
      // A misspelled id already says what is wrong; a second complaint would only be noise.
      if problems.diagnostics.last?.rule != "bare-kind" { tellMissingKind(node, &problems) }
      return nil
    }
    let value = chosen.value.kind == .null ? nil : chosen.value
    guard let action = chosen.kind.read(value, chosen.key, &self, &problems) else { return nil }
    var step = Step(
      id: common.id?.value ?? node["id"]?.scalarText ?? spelling, isNamed: node["id"] != nil,
      place: common.id?.place ?? chosen.key.place,
      kind: chosen.kind, spelling: spelling, action: action, node: node)
    step.take(common)
    checkFallback(&step, node, &problems)
    return step
  }

  /// The key that says of which type the step is; the first if there are several.
  private func type(
    of node: Node, _ problems: inout DiagnosticCollector
  ) -> (key: Node, value: Node, kind: StepKind)? {
    var kinds: [(key: Node, value: Node, kind: StepKind)] = []
    for (key, value) in node.entries {
      if let name = key.string, let kind = StepKind.named(name), kinds.first(where: { $0.key.string == name }) == nil {
        kinds.append((key, value, kind))
      }
    }
    if kinds.count > 1 {
      let names = kinds.map { $0.key.string ?? "" }
      problems.add(
        kinds[1].key.problem(
          rule: "multiple-step-types", "a step has one kind, this one has \(names.joined(separator: " and "))",
          help: "begin a new step with \"- \" for each", related: [.init("the first is here", at: kinds[0].key.place)]))
    }
    return kinds.first
  }

  private func checkFallback(_ step: inout Step, _ node: Node, _ problems: inout DiagnosticCollector) {
    if step.spelling == step.kind.fallbackKey {
      if case .holds = step.when {
        problems.error(
          "contradiction", "\(step.spelling) says `when: fallback` already",
          help: "write \(step.kind.key) with this `when`",
          at: node.entry("when")?.key ?? node)
      }
      step.when = .fallback
    }
    if step.isFallback, !step.kind.canBeFallback {
      problems.error(
        "not-a-fallback", "\(step.spelling) cannot be a fallback: it acquires no token",
        help: "interactive, deviceCode and use can be fallbacks", at: node["when"] ?? node)
    }
  }

  private func tellMissingKind(_ node: Node, _ problems: inout DiagnosticCollector) {
    let common = Set(CommonKeys.keys)
    for (key, value) in node.entries {
      guard let name = key.string, !common.contains(name) else { continue }
      if problems.tellSplitAtComma(key, value) { return }
      return problems.unknownName(name, kind: "a kind of step", among: StepKind.keys + CommonKeys.keys, at: key)
    }
    problems.error(
      "missing-kind", "a step needs a kind", help: "add one of \(StepKind.keys.joined(separator: ", "))", at: node)
  }

  // MARK: Many steps

  /// Reads a list of steps and sees to it that each has a name of its own.
  mutating func steps(_ node: Node, _ problems: inout DiagnosticCollector) -> [Step]? {
    guard node.kind == .array else {
      problems.mismatch(node, expected: "a list of steps")
      return nil
    }
    guard node.count <= Workflow.mostSteps else {
      problems.error(
        "too-many-steps", "\(node.count) steps are more than a workflow may have",
        help:
          "at most \(Workflow.mostSteps): let `on` repeat what is done often, or put steps into a workflow of their own",
        at: node)
      return nil
    }
    var steps: [Step] = []
    for element in node.elements {
      if let step = step(element, &problems) {
        steps.append(step)
      } else {
        lost.formUnion(Self.names(of: element))
      }
    }
    return steps
  }

  /// By which names others may speak of a step that could not be read.
  private static func names(of node: Node) -> [String] {
    if let word = node.string { return [word] }
    let kind = node.entries.compactMap { $0.key.string }.first { StepKind.named($0) != nil }
    return [node["id"]?.scalarText ?? kind ?? ""]
  }

  // MARK: Other files

  /// The workflow in another file, with everything wrong with it told; nil where it cannot be read.
  func load(_ path: String, at node: Node, _ problems: inout DiagnosticCollector) -> Workflow? {
    let name = FilePath.join(FilePath.folder(of: chain.last ?? ""), path)
    if let start = chain.firstIndex(of: name) {
      let circle = (chain[start...] + [name]).joined(separator: " → ")
      problems.error("use-cycle", "this workflow uses itself: \(circle)", help: "break the circle", at: node)
      return nil
    }
    guard chain.count < Self.deepest else {
      problems.error("use-depth", "workflows use workflows more than \(Self.deepest) deep here", at: node)
      return nil
    }
    return files.workflow(name, chain: chain, writtenAs: path, at: node, &problems)
  }
}

extension DiagnosticCollector {
  /// Takes over what was said while a mapping's keys were read; a key that is only the piece behind a comma is told as
  /// that.
  mutating func add(_ others: DiagnosticCollector, explainingKeysOf node: Node) {
    var split: Set<Int> = []
    let unknown = others.diagnostics.filter { $0.rule == "unknown-key" }.compactMap(\.place.span?.start)
    for (key, value) in node.entries where unknown.contains(key.span.start) {
      if tellSplitAtComma(key, value) { split.insert(key.span.start) }
    }
    add(
      contentsOf: others.diagnostics.filter { $0.rule != "unknown-key" || !split.contains($0.place.span?.start ?? -1) })
  }

  /// A word that is none of those that are known.
  mutating func unknownName(_ name: String, kind: String, among known: [String], at node: Node) {
    if reportRenamed(name, among: known, at: node) { return }
    let help =
      (kind == "a kind of step" ? StepKind.help(forForeign: name) : nil)
      ?? Suggestion.nearest(to: name, among: known).map { "did you mean \"\($0)\"?" }
      ?? (known.isEmpty ? nil : "it is one of \(known.joined(separator: ", "))")
    error("unknown-name", "\"\(name)\" is not \(kind)", help: help, at: node)
  }
}

extension Step {
  fileprivate mutating func take(_ common: CommonKeys) {
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
