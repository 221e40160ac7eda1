import Documents
import Reports

/// What `doctor` found out about one thing.
struct DoctorCheckResult: Sendable, Hashable {
  enum Verdict: String, Sendable {
    case good = "ok"
    /// Something is missing that some can do without.
    case note
    /// It stands in the way.
    case problem
  }

  /// What was looked at, in a word.
  var subject: String
  var verdict: Verdict
  /// What was found: one sentence.
  var what: String
  /// What to do about it.
  var help: String?

  init(_ subject: String, _ verdict: Verdict, _ what: String, help: String? = nil) {
    self.subject = subject
    self.verdict = verdict
    self.what = what
    self.help = help
  }

  var json: JSON {
    var json: JSON = ["subject": .string(subject), "verdict": .string(verdict.rawValue), "what": .string(what)]
    if let help { json["help"] = .string(help) }
    return json
  }

  static func text(_ findings: [DoctorCheckResult], style: TerminalStyle) -> String {
    findings.map { finding in
      let tone: TerminalStyle.Tone =
        switch finding.verdict {
        case .good: .good
        case .note: .attention
        case .problem: .bad
        }
      let what = "\(finding.verdict.rawValue): \(finding.subject): \(finding.what)"
      return style.wrap(what, indent: 0, hanging: 2, tone: tone)
        + (finding.help.map { style.wrap("help: \($0)", indent: 2, hanging: 2) } ?? "")
    }.joined()
  }
}
