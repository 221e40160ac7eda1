import Diagnostics

/// One thing in which what was asked differs from what is in the recording. Nothing of it is secret.
package struct RequestDifference: Hashable, Sendable {
  /// Such as `query prompt`.
  package var part: String
  /// As the recording has it; nil where it has nothing of the kind.
  package var recorded: String?
  /// As it was sent; nil where nothing of the kind was.
  package var sent: String?
  /// The field's own name, where it has one.
  var name: String?

  init(_ part: String, _ recorded: String?, _ sent: String?, name: String? = nil) {
    self.part = part
    self.recorded = recorded
    self.sent = sent
    self.name = name
  }

  /// One line for people.
  package var words: String {
    func quoted(_ text: String) -> String { "\"\(text.count > 120 ? text.prefix(119) + "…" : text[...])\"" }
    return switch (recorded, sent) {
    case (let recorded?, let sent?): "\(part): \(quoted(sent)) was sent, the recording has \(quoted(recorded))"
    case (nil, let sent?): "\(part): \(quoted(sent)) was sent, the recording has none"
    case (let recorded?, nil): "\(part): the recording has \(quoted(recorded)), none was sent"
    case (nil, nil): part
    }
  }
}

/// A request that the recording does not hold.
package struct UnmatchedRequest: Sendable {
  /// The method and the URL without its parameters.
  package var request: String
  /// How often the recording holds just this request; more than zero where it was asked once too often.
  package var recordedTimes: Int
  /// In what the nearest recorded request differs; empty where nothing is near.
  package var differences: [RequestDifference]
  /// Where the nearest stands.
  package var place: FileSpan

  /// What is wrong, in one sentence.
  package var words: String {
    switch recordedTimes {
    case 0: "\(request) is not in the recording"
    case 1: "\(request) is in the recording once, and was asked once more"
    default: "\(request) is in the recording \(recordedTimes) times, and was asked once more"
    }
  }

  /// The miss with the nearest request and the differences.
  package var diagnostic: Diagnostic {
    var help = "record the recording again where the workflow has changed"
    if !differences.isEmpty {
      help = "the nearest request differs: " + differences.prefix(8).map(\.words).joined(separator: "; ")
      if differences.count > 8 { help += "; and \(differences.count - 8) more" }
    }
    return Diagnostic(.error, rule: "not-recorded", words, help: help, at: place)
  }
}
