import Documents
import Effects
import OrderedCollections

/// A trace event that is being decoded.
struct Event {
  /// The sequence number, which reflects the order of the lines. In a valid trace, it equals the number in the trace.
  var seq: Int
  var time: Instant
  var members: OrderedDictionary<String, JSON>
  /// The index of the step to which the event belongs.
  var step: Int?

  func text(_ name: String) -> String? { members[name]?.string }
  func texts(_ name: String) -> [String] { members[name]?.array?.compactMap(\.string) ?? [] }

  /// The duration in the `milliseconds` member. Nil if the value is missing, negative, or longer than 285 years.
  var duration: Duration? { members["milliseconds"]?.number.flatMap(Self.duration(milliseconds:)) }

  static func duration(milliseconds: Double) -> Duration? {
    guard milliseconds >= 0, milliseconds < 9e12 else { return nil }
    // Traces have microsecond precision.
    return .microseconds(Int64((milliseconds * 1000).rounded()))
  }
}

extension TracedStep {
  /// Applies the event that ends the step.
  mutating func finish(_ event: Event, _ verdict: Status) {
    ended = event.time
    endedSeq = event.seq
    duration = event.duration
    outcome = event.text("outcome")
    means = event.text("means")
    self.verdict = verdict
    next = event.text("next")
    leftBy = event.text("rule")
    if let place = TracedLocation(event.members["place"]) { self.place = place }
    if let last = attempts.indices.last { attempts[last].ended = event.time }
    status = event.members["status"]?.integer.map { Int(clamping: $0) }
    if let error = event.members["error"], error.object != nil {
      failure = Failure(
        msal: error["msal"]?.string, code: error["code"]?.string, oauth: error["oauth"]?.string,
        suberror: error["suberror"]?.string, description: error["description"]?.string, all: error)
    }
    shows = event.text("shows")
    tokenSource = event.text("tokenSource")
    account = event.members["account"]
    previousAccount = event.members["previousAccount"]
    webview = event.text("webview")
    prompt = event.text("prompt")
    loginHint = event.text("loginHint")
    broken = event.texts("broken")
  }
}
