import Diagnostics
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// Words and steps in `expect`, `capture`, `when` and `assert` that mean nothing.
  static let unknownWord = WorkflowCheck(
    "unknown-word", .error, "expectations and captures use the words of the language, and steps that exist"
  ) { checked in
    let words = ResultFieldCheck(checked.workflow)
    return checked.everyStep.flatMap { step in
      var found = step.expect.compactMap { words.ofStep($0.address, values: $0.matcher, step) }
      found += step.capture.flatMap { $0.addresses.compactMap { words.ofStep($0, values: nil, step) } }
      if case .holds(let expectations) = step.when {
        found += expectations.compactMap { words.ofElsewhere($0, in: "when") }
      }
      if case .assert(let expectations) = step.action {
        found += expectations.compactMap { words.ofElsewhere($0, in: "assert") }
      }
      return found
    }
  }
}

/// What an address may say.
/// Looks up steps and words for many addresses, so that what it looks them up in is made once.
final class ResultFieldCheck {
  let ids: Set<String>
  let names: Set<String>
  /// The steps of both lists without members of `parallel`, and with them.
  private let own: [String: (step: Step, isFinally: Bool)]
  private let steps: [String: Step]
  /// The checks of the workflows that steps use, by the ids of the steps, once an address leads there.
  private var used: [String: ResultFieldCheck] = [:]
  private let wordGuess = NameGuess(ResultField.allCases.map(\.rawValue))
  /// The ids, for a name that is none of them.
  private(set) lazy var stepGuess = NameGuess(ids.sorted())

  init(_ workflow: Workflow) {
    ids = workflow.stepIDs
    own = workflow.ownSteps
    let steps = (workflow.steps + workflow.finally).flatMap(\.withMembers)
    self.steps = Dictionary(steps.map { ($0.id, $0) }) { first, _ in first }
    names = Set(workflow.inputs.keys).union(steps.flatMap(\.capturedNames))
  }

  /// In `expect` and `capture`: the step's own words, or `step.word`.
  func ofStep(_ address: ValuePath, values matcher: Matcher?, _ step: Step) -> Diagnostic? {
    if case .named(let named) = address.subject, address.word == nil, !names.contains(named.id) {
      return .unknownWord(
        "\"\(address.text)\" is no word of the language",
        meant: wordGuess.nearest(to: address.text) ?? (step.kind.knows("$") ? "$.\(address.text)" : nil),
        wordGuess.list, at: address.place)
    }
    if case .own = address.subject, let word = address.word, let told = unknown(word, of: step, at: address.place) {
      return told
    }
    return check(address, matcher)
  }

  /// A word that is never known of steps of that kind.
  private func unknown(_ word: String, of step: Step, at place: FileSpan) -> Diagnostic? {
    guard word == "$" || ResultField(rawValue: word) != nil, !step.kind.knows(word) else { return nil }
    let known = step.kind.allWords
    return Diagnostic(
      .error, rule: WorkflowCheck.unknownWord.id, "\(step.spelling) has no \(word == "$" ? "value, $" : word)",
      help: "what is known of it is \(known.joined(separator: ", "))", at: place)
  }

  /// The step that is meant, also a member of `parallel` and inside a workflow that is used.
  private func step(_ id: String) -> Step? {
    if let step = steps[id] { return step }
    guard let slash = id.firstIndex(of: "/"), let outer = steps[String(id[..<slash])] else { return nil }
    return inside(outer)?.step(String(id[id.index(after: slash)...]))
  }

  /// The check of the workflow that a step uses; nil where it uses none.
  private func inside(_ step: Step) -> ResultFieldCheck? {
    guard case .use(let use) = step.action, let workflow = use.workflow else { return nil }
    if let known = used[step.id] { return known }
    let check = ResultFieldCheck(workflow)
    used[step.id] = check
    return check
  }

  /// In `when` and `assert`: `step.word`, or a capture or an input.
  func ofElsewhere(_ expectation: Expectation, in key: String) -> Diagnostic? {
    if case .own = expectation.address.subject {
      // A capture may have a word's name.
      if let word = expectation.address.word, names.contains(word) { return nil }
      return Diagnostic(
        .error, rule: WorkflowCheck.unknownWord.id, "\"\(expectation.address.text)\" does not say of which step",
        help: "in \(key), write the step before it: silent.\(expectation.address.text)", at: expectation.place)
    }
    return check(expectation.address, expectation.matcher)
  }

  /// The step exists, the word exists, its member exists, and the expected value can occur.
  func check(_ address: ValuePath, _ matcher: Matcher?) -> Diagnostic? {
    if case .named(let step) = address.subject {
      guard let word = address.word else { return nil }
      guard exists(step.id) else {
        // A name with a path behind it may be a capture.
        if names.contains(step.id) { return nil }
        return .unknownWord(
          "there is no step called \"\(step.id)\"", meant: stepGuess.nearest(to: step.id), stepGuess.list,
          at: address.place)
      }
      guard word == "$" || ResultField(rawValue: word) != nil else {
        if names.contains(step.id) { return nil }
        return .unknownWord(
          "\"\(word)\" is no word of the language", meant: wordGuess.nearest(to: word), wordGuess.list,
          at: address.place)
      }
      if let step = self.step(step.id), let told = unknown(word, of: step, at: address.place) { return told }
    }
    guard let word = address.word.flatMap(ResultField.init(rawValue:)) else { return nil }
    if let member = address.member, !word.members.isEmpty, !word.members.contains(member) {
      return .unknownWord(
        "\"\(word.rawValue).\(member)\" is no word of the language",
        meant: Suggestion.nearest(to: member, among: word.members).map { "\(word.rawValue).\($0)" },
        word.members.map { "\(word.rawValue).\($0)" }.joined(separator: ", "), at: address.place)
    }
    if !word.values.isEmpty, word != .screens, let matcher {
      for case .string(let value)? in matcher.constants ?? [] where !word.values.contains(value) {
        return .unknownWord(
          "\(word.rawValue) is never \"\(value)\"", meant: Suggestion.nearest(to: value, among: word.values),
          word.values.joined(separator: ", "), at: matcher.place)
      }
    }
    if let form = word.form(of: address.member), let matcher, var told = matcher.neverFits(form, address.text) {
      told.rule = WorkflowCheck.unknownWord.id
      return told
    }
    return nil
  }

  /// Whether a step is there, also inside a workflow that is used: `login/silent`.
  func exists(_ id: String) -> Bool {
    if ids.contains(id) { return true }
    guard let slash = id.firstIndex(of: "/") else { return false }
    guard let outer = own[String(id[..<slash])]?.step else { return false }
    // Of a workflow that could not be read nothing is known.
    return inside(outer)?.exists(String(id[id.index(after: slash)...])) ?? true
  }
}

extension Diagnostic {
  fileprivate static func unknownWord(_ message: String, meant: String?, _ known: String, at place: FileSpan)
    -> Diagnostic
  {
    Diagnostic(
      .error, rule: WorkflowCheck.unknownWord.id, message,
      help: meant.map { "did you mean \"\($0)\"?" } ?? "it is one of \(known)", at: place)
  }
}
