import Diagnostics
import Documents
import Effects
import WorkflowModel

extension CompletionRequest {
  /// Returns the addresses of values: result fields, `step.field`, variables, and JSONPaths.
  /// - Parameters:
  ///   - own: The step that addresses without a step refer to, or nil if addresses must start with a step.
  ///   - form: The notation: keys of expectations, or values of captures.
  func addresses(own: WorkflowOutline.StepEntry?, form: Candidate.Form, rank: Int = 20) -> [Candidate] {
    guard let facts else { return [] }
    var candidates: [Candidate] = []
    func add(_ text: String, _ kind: CompletionItem.Kind, _ detail: String?, _ rank: Int) {
      candidates.append(Candidate(text: text, kind: kind, form: form, detail: detail, rank: rank))
    }
    if let own {
      for field in fields(of: own, prefix: "") { add(field.address, .field, field.summary, 10) }
    }
    for (id, step) in facts.stepIDs where id != own?.id || context.prefix.hasPrefix(id) {
      for field in fields(of: step, prefix: "\(id).") { add(field.address, .field, field.summary, rank) }
    }
    if own == nil || context.role != .key {
      for capture in facts.captures { add(capture.name, .variable, "captured by `\(capture.step)`", rank + 5) }
      for input in facts.workflow.inputs { add(input.name, .variable, "input", rank + 5) }
    }
    return candidates
  }

  /// Returns a step's result fields. If the user is entering a JSONPath, the members of the step's value are included.
  private func fields(
    of step: WorkflowOutline.StepEntry, prefix: String
  ) -> [(address: String, summary: String)] {
    guard let kind = step.kind else { return [] }
    var found: [(address: String, summary: String)] = []
    for name in kind.fieldNames {
      guard name != "$" else {
        found += paths(of: step, prefix: prefix)
        continue
      }
      guard let field = ResultField(rawValue: name) else { continue }
      found.append((prefix + name, field.summary))
      // List members only for the step itself, or after the user has entered the step's name.
      guard prefix.isEmpty || context.prefix.hasPrefix(prefix) else { continue }
      found += ExpectedValues.members(of: field).map { ("\(prefix)\(name).\($0)", "member of `\(name)`") }
    }
    return found
  }

  private func paths(of step: WorkflowOutline.StepEntry, prefix: String) -> [(address: String, summary: String)] {
    let entered = context.prefix.hasPrefix(prefix) ? String(context.prefix.dropFirst(prefix.count)) : ""
    guard prefix.isEmpty || !entered.isEmpty else { return [(prefix + "$", "value of the result")] }
    let last = facts.flatMap { results.value(of: "\(step.id).$", inFile: $0.scenarios.path) }
    guard let sample = last ?? ResultShape.sample(of: step) else { return [(prefix + "$", "value of the result")] }
    return ResultShape.paths(in: sample, after: entered).map { (prefix + $0.path, $0.type) }
  }

  // MARK: Templates

  /// Returns the possible names for an unfinished `${…}` before the cursor, or nil if there is no `${`.
  func templateCandidates() -> [Candidate]? {
    guard context.role != .key, let facts, let open = context.prefix.ranges(of: "${").last,
      !context.prefix[open.upperBound...].contains("}")
    else { return nil }
    let start = context.prefix[..<open.upperBound].utf8.count
    let content = context.prefix[open.upperBound...]
    for (source, detail) in [("env", "environment variable"), ("secret", "secret")]
    where content.hasPrefix("\(source):") {
      return variables(of: source).map {
        Candidate(
          text: $0, kind: .variable, form: .part(from: start + source.utf8.count + 1, suffix: "}"), detail: detail)
      }
    }
    var candidates: [Candidate] = []
    func add(_ name: String, _ detail: String, _ rank: Int, suffix: String = "}") {
      candidates.append(
        Candidate(text: name, kind: .variable, form: .part(from: start, suffix: suffix), detail: detail, rank: rank))
    }
    for input in facts.workflow.inputs { add(input.name, input.declaration?["type"]?.scalar ?? "input", 10) }
    for capture in facts.captures { add(capture.name, "captured by `\(capture.step)`", 10) }
    add("env:", "environment variable", 30, suffix: "")
    add("secret:", "masked environment variable", 30, suffix: "")
    return candidates.map { candidate in
      var candidate = candidate
      candidate.continues = candidate.text.hasSuffix(":")
      return candidate
    }
  }

  /// Returns the environment variables that the workflow's documents use, and those in the server's environment. Values
  /// are never shown.
  private func variables(of source: String) -> [String] {
    var names: Set<String> = []
    let texts = [document.source, facts.flatMap { snapshot.document(at: $0.workflow.path) }?.source].compactMap { $0 }
    for text in texts {
      let all = String(decoding: text.bytes, as: UTF8.self)
      for mark in all.ranges(of: "${\(source):") {
        let rest = all[mark.upperBound...]
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        // The name at the cursor is unfinished.
        if rest[name.endIndex...].hasPrefix("}") { names.insert(String(name)) }
      }
    }
    names.formUnion(snapshot.world.environment.variables.keys.filter { Template.isName($0) })
    return names.sorted()
  }
}
