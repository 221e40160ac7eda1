import Diagnostics

/// A difference between a sent request and a recorded request, with secrets masked.
package struct RequestDifference: Hashable, Sendable {
  /// The part of the request, such as `query prompt`.
  package var part: String
  /// The recorded value, or nil if the recorded request does not contain this part.
  package var recorded: String?
  /// The sent value, or nil if the sent request does not contain this part.
  package var sent: String?
  /// The field name, or nil if the part is not a named field.
  var name: String?

  init(_ part: String, _ recorded: String?, _ sent: String?, name: String? = nil) {
    self.part = part
    self.recorded = recorded
    self.sent = sent
    self.name = name
  }

  /// A one-line description of the difference.
  package var summary: String {
    func quoted(_ text: String) -> String { "`\(text.count > 120 ? text.prefix(119) + "…" : text[...])`" }
    return switch (recorded, sent) {
    case (let recorded?, let sent?): "\(part): sent \(quoted(sent)), recorded \(quoted(recorded))"
    case (nil, let sent?): "\(part): sent \(quoted(sent)), not recorded"
    case (let recorded?, nil): "\(part): recorded \(quoted(recorded)), not sent"
    case (nil, nil): part
    }
  }
}

/// A request that does not match any unused entry in the recording.
package struct UnmatchedRequest: Sendable {
  /// The method and the URL without parameters.
  package var request: String
  /// The number of recorded requests that match the request. If the number is not zero, the app sent the request more
  /// often than recorded.
  package var recordedTimes: Int
  /// The differences from the closest recorded request. Empty if no recorded request is similar.
  package var differences: [RequestDifference]
  /// The location of the closest recorded request.
  package var place: FileSpan

  /// The diagnostic message.
  package var message: String {
    switch recordedTimes {
    case 0: "`\(request)` is not in the recording"
    case 1: "`\(request)` is recorded once but was sent again"
    default: "`\(request)` is recorded \(recordedTimes) times but was sent again"
    }
  }

  /// A diagnostic that lists the differences from the closest recorded request.
  package var diagnostic: Diagnostic {
    var help = "record the run again if the workflow has changed"
    if !differences.isEmpty {
      help =
        "record the run again, or resolve the differences from the closest recorded request: "
        + differences.prefix(8).map(\.summary).joined(separator: "; ")
      if differences.count > 8 { help += "; and \(differences.count - 8) more" }
    }
    return Diagnostic(.error, rule: "not-recorded", message, help: help, at: place)
  }
}
