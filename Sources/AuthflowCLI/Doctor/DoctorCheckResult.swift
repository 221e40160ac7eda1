import Documents
import Reports

/// The result of one `authflow doctor` check.
struct DoctorCheckResult: Sendable, Hashable {
  enum Status: String, Sendable {
    case good = "ok"
    /// A feature that sign-in does not require is not available.
    case note
    /// Sign-in is not possible.
    case problem
  }

  /// The name of the check.
  var subject: String
  var status: Status
  /// The finding, as a clause.
  var message: String
  var help: String?

  init(_ subject: String, _ status: Status, _ message: String, help: String? = nil) {
    self.subject = subject
    self.status = status
    self.message = message
    self.help = help
  }

  var json: JSON {
    var json: JSON = ["subject": .string(subject), "verdict": .string(status.rawValue), "message": .string(message)]
    if let help { json["help"] = .string(help) }
    return json
  }

  static func text(_ results: [DoctorCheckResult], style: TerminalStyle) -> String {
    results.map { result in
      let tone: TerminalStyle.Tone =
        switch result.status {
        case .good: .good
        case .note: .attention
        case .problem: .bad
        }
      let line = "\(result.status.rawValue): \(result.subject): \(result.message)"
      return style.wrap(line, indent: 0, hanging: 2, tone: tone)
        + (result.help.map { style.wrap("help: \($0)", indent: 2, hanging: 2) } ?? "")
    }.joined()
  }
}
