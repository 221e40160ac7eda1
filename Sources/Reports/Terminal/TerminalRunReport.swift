import Diagnostics
import Documents
import Effects
import OrderedCollections
import RunTrace

/// A report on a run in progress. It shows each step's outcome, reason, and duration.
///
/// Colors and symbols only repeat information that the text contains. The report is therefore suitable for log files
/// and screen readers.
package struct TerminalRunReport: Sendable {
  package enum Detail: Int, Sendable, Comparable {
    /// The report contains the steps and the reasons for their outcomes.
    case normal
    /// The report also contains all decisions, checks, and HTTP exchanges.
    case verbose

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// A line that the report prints when its step ends.
  struct ReportDetail: Sendable, Equatable {
    var text: String
    /// The level of indentation below the step.
    var level = 0
    /// The ID of the exchange that the line describes, if any.
    var exchange: Int64?
    /// The step to which the line belongs. Nil if the line does not belong to a step.
    var step: String?
    /// Whether the line describes a sign-in page. A line about a token can follow it.
    var isInteraction = false
  }

  private let style: TerminalStyle
  private let detail: Detail
  private var pendingDetails: [ReportDetail] = []
  /// The steps that are currently running. A `parallel` step can run several steps at the same time.
  private var open: Set<String> = []
  private var depth = 0
  /// Whether a scenario has started but its first step has not.
  private var isBeforeFirstStep = false
  /// Whether the pages belong to a live provider. authflow cannot see the pages in the user's own browser.
  private var isLive = false

  package init(style: TerminalStyle, detail: Detail) {
    self.style = style
    self.detail = detail
  }

  /// Returns the text for an event. The text is empty if the report prints the event later or does not print it at this
  /// level of detail.
  package mutating func text(of event: TraceEvent) -> String { style.shown(format(event)) }

  /// Returns the remaining lines after the last event.
  package mutating func rest() -> String {
    defer { pendingDetails = [] }
    return style.shown(format(pendingDetails))
  }

  private mutating func format(_ event: TraceEvent) -> String {
    switch event.kind {
    case .runStarted:
      isLive = event.members["platform"]?.string == "live"
      return opening(event)
    case .stepStarted:
      depth = nesting(of: event)
      defer { if let step = event.members["step"]?.string { open.insert(step) } }
      guard isBeforeFirstStep else { break }
      // Lines about preconditions do not belong to the first step.
      isBeforeFirstStep = false
      defer { pendingDetails = [] }
      return pendingDetails.isEmpty ? "" : style.paint("given", .strong) + "\n" + format(pendingDetails)
    case .decision where event.isDeviceCode:
      // The code is printed immediately, because the user must enter it before the step can end.
      depth = nesting(of: event)
      return format(taken(by: event)) + style.wrap(event.members["reason"]?.string ?? "", indent: indent, tone: .strong)
    case .decision:
      if let text = decision(event), !text.isEmpty { appendDetails([ReportDetail(text: text)], of: event) }
      if detail == .verbose { appendDetails(CheckDetails.of(event), of: event) }
    case .interaction:
      if let text = interaction(event) { appendDetails([ReportDetail(text: text, isInteraction: true)], of: event) }
    case .tokenAcquired: tokenAcquired(event)
    case .httpRequest, .httpResponse: if detail == .verbose { appendDetails(ExchangeDetails.of(event), of: event) }
    case .cacheRead, .cacheWritten: if detail == .verbose { appendDetails(CacheDetails.of(event), of: event) }
    case .stepFinished:
      depth = nesting(of: event)
      let own = taken(by: event)
      if let step = event.members["step"]?.string { open.remove(step) }
      return finished(event, own)
    case .runFinished:
      defer { pendingDetails = [] }
      return format(pendingDetails) + closing(event)
    case .scenarioStarted: isBeforeFirstStep = true
    case .scenarioFinished: break
    }
    return ""
  }

  /// Adds lines about an exchange after the earlier lines about the same exchange, because other lines may have been
  /// added since.
  private mutating func appendDetails(_ lines: [ReportDetail], of event: TraceEvent) {
    let lines = lines.map { line in
      var line = line
      line.step = event.members["step"]?.string
      return line
    }
    let exchange = lines.first?.exchange
    let last = exchange.flatMap { exchange in pendingDetails.lastIndex { $0.exchange == exchange } }
    pendingDetails.insert(contentsOf: lines, at: last.map { $0 + 1 } ?? pendingDetails.endIndex)
  }

  /// Removes and returns the lines that belong to the event's step or do not belong to any step. Lines that belong to
  /// parallel steps are kept.
  private mutating func taken(by event: TraceEvent) -> [ReportDetail] {
    let step = event.members["step"]?.string
    func isForeign(_ line: ReportDetail) -> Bool {
      line.step != step && line.step.map(open.contains) ?? false
    }
    defer { pendingDetails.removeAll { !isForeign($0) } }
    return pendingDetails.filter { !isForeign($0) }
  }

  private func format(_ details: [ReportDetail]) -> String {
    details.map { style.wrap($0.text, indent: indent + 2 * $0.level, hanging: 2, tone: .dim) }.joined()
  }

  private func nesting(of event: TraceEvent) -> Int {
    (event.members["step"]?.string ?? "").filter { $0 == "/" }.count
  }

  private var indent: Int { 4 + depth * 2 }

  private func opening(_ event: TraceEvent) -> String {
    let name = event.members["name"]?.string ?? event.members["file"]?.string ?? "workflow"
    let platform = event.members["platform"]?.string ?? ""
    let file = event.members["file"]?.string
    let line = [file == name ? nil : file, platform.isEmpty ? nil : Self.platformName(platform)].compactMap { $0 }
      .joined(
        separator: ", ")
    if DisplayWidth.of(name) + DisplayWidth.of(line) + 2 <= style.width {
      return style.paint(CaretFrame.visible(name), .strong) + style.paint("  \(CaretFrame.visible(line))", .dim)
        + "\n\n"
    }
    return style.wrap(name, indent: 0, hanging: 2, tone: .strong) + style.wrap(line, indent: 0, hanging: 2, tone: .dim)
      + "\n"
  }

  /// Returns the name of the run's platform, which is `emulator`, `live service`, `replayed recording`, or the
  /// unchanged value.
  static func platformName(_ platform: String) -> String {
    switch platform {
    case "emulated": "emulator"
    case "live": "live service"
    case "replay": "replayed recording"
    default: platform
    }
  }

  private func finished(_ event: TraceEvent, _ details: [ReportDetail]) -> String {
    let step = event.members["step"]?.string ?? "?"
    let outcome = CaretFrame.visible(event.members["outcome"]?.string ?? "?")
    let next = event.members["next"]?.string ?? "next"
    let verdict = event.members["verdict"]?.string ?? "ok"
    let (sign, plain, tone): (String, String, TerminalStyle.Tone) =
      switch verdict {
      case "failed": ("✗", "x", .bad)
      case "skipped": ("·", "-", .dim)
      case "handled": ("↷", ">", .attention)
      default: ("✓", "+", .good)
      }
    let prefix = String(repeating: " ", count: depth * 2) + style.paint(style.unicode ? sign : plain, tone)
    var text =
      "\(prefix) \(style.paint(CaretFrame.visible(step), .strong))  \(style.paint(outcome, tone == .good ? .plain : tone))"
    if let duration = event.members["milliseconds"]?.number, verdict != "skipped" {
      text += style.paint("  \(Self.duration(duration))", .dim)
    }
    text += "\n"
    let error = event.members["error"]
    let description = error?["description"]?.string
    // Omit decisions that repeat the server's error description.
    text += format(
      details.filter { line in description.map { !line.text.hasSuffix($0) } ?? true })
    if detail == .verbose { text += format(ClaimDetails.of(event)) }
    if let webview = event.members["webview"]?.string, !["default", "none"].contains(webview) {
      text += style.wrap("web view: \(Self.words(webview))", indent: indent, tone: .dim)
    }
    if let value = event.members["shows"]?.string { text += style.wrap(value, indent: indent, hanging: 2) }
    if let error { text += failure(error) }
    for mismatch in event.members["broken"]?.array ?? [] {
      text += style.wrap(mismatch.string ?? "", indent: indent, hanging: 2, tone: .bad)
    }
    if verdict == "handled" || verdict == "failed", let rule = event.members["rule"]?.string {
      text += style.wrap("\(arrow) \(next): \(rule)", indent: indent, hanging: 2, tone: .dim)
    }
    return text
  }

  private var arrow: String { style.unicode ? "→" : "->" }

  private func failure(_ error: JSON) -> String {
    var text = ""
    let codes = ["msal", "code", "oauth", "suberror"].compactMap { error[$0]?.string }
    if !codes.isEmpty {
      text += style.wrap(codes.joined(separator: style.unicode ? " · " : ", "), indent: indent, tone: .attention)
    }
    if let description = error["description"]?.string {
      text += style.wrap(Self.withoutTraceIDs(description), indent: indent, hanging: 2)
    }
    return text
  }

  /// Removes the trace ID, correlation ID, and timestamp at the end of a service message. The trace contains them.
  static func withoutTraceIDs(_ text: String) -> String {
    guard let ids = text.firstRange(of: " Trace ID: ") else { return text }
    return String(text[..<ids.lowerBound])
  }

  /// The decisions that are part of every ordinary sign-in or sign-out. Readers can infer them from the step's other
  /// lines.
  private static let routineDecisions: Set<[String]> = [
    ["accessToken", "hit"], ["account", "signed out"], ["authority", "accepted"], ["authority", "resolved"],
    ["authority", "selected"],
    ["device", "not registered"], ["idToken", "accepted"], ["refreshToken", "no family"], ["refreshToken", "own"],
    ["ssoExtension", "none"], ["throttling", "started"], ["userInfo", "accepted"],
  ]

  /// Returns the text for a decision, such as `access token hit: valid until …`. Only verbose output contains routine
  /// decisions and details.
  private func decision(_ event: TraceEvent) -> String? {
    let subject = event.members["subject"]?.string ?? ""
    let verdict = event.members["verdict"]?.string ?? ""
    let isDetail = event.members["facts"]?["detail"]?.bool ?? false
    guard detail == .verbose || !(isDetail || Self.routineDecisions.contains([subject, verdict])) else { return nil }
    return "\(Self.words(subject)) \(Self.words(verdict)): \(event.members["reason"]?.string ?? "")"
  }

  /// Splits a name such as `accessToken` into words.
  static func words(_ name: String) -> String {
    name.reduce(into: "") { text, character in
      if character.isUppercase, !text.isEmpty, text.last?.isLowercase == true {
        text += " " + character.lowercased()
      } else {
        text.append(character)
      }
    }
  }

  private func interaction(_ event: TraceEvent) -> String? {
    let phase = event.members["phase"]?.string
    guard phase != "opened", phase != "page" else { return nil }
    let screens = event.members["screens"]?.array?.compactMap(\.string) ?? []
    let ending = event.members["reason"]?.string ?? event.members["ending"]?.string ?? ""
    let unseen = isLive && Self.successfulEndings.contains(ending) ? "browser opened" : "no page shown"
    let seen = screens.isEmpty ? unseen : "pages shown: \(screens.map(Self.words).joined(separator: ", "))"
    return detail == .normal && Self.successfulEndings.contains(ending) ? seen : "\(seen); \(ending)"
  }

  private static let successfulEndings: Set<String> = ["redirected", "finished"]

  private mutating func tokenAcquired(_ event: TraceEvent) {
    let expiry = event.members["expiresOn"]?.string.map { " valid until \($0)" } ?? ""
    let step = event.members["step"]?.string
    if detail == .normal, let page = pendingDetails.lastIndex(where: { $0.isInteraction && $0.step == step }) {
      pendingDetails[page].text += "; token\(expiry)"
      return
    }
    var text = "token \(Self.sources[event.members["source"]?.string ?? ""] ?? "acquired")"
    if detail == .verbose {
      text += " for \(event.members["scopes"]?.array?.compactMap(\.string).joined(separator: " ") ?? "")"
    }
    appendDetails([ReportDetail(text: expiry.isEmpty ? text : "\(text),\(expiry)")], of: event)
  }

  private static let sources = [
    "cache": "from the cache", "refreshToken": "from the refresh token",
    "authorizationCode": "from the authorization code",
    "deviceCode": "from the device code",
  ]

  private func closing(_ event: TraceEvent) -> String {
    let outcome = event.members["outcome"]?.string ?? "?"
    let good = outcome == "success"
    let steps = event.members["path"]?.array?.count ?? 0
    let interactions = event.members["interactions"]?.integer ?? 0
    var text = "\n" + style.paint(CaretFrame.visible(outcome), good ? .strong : .bad)
    text += "  \(steps.counting("step")), \(interactions.counting("interaction"))"
    if let duration = event.members["milliseconds"]?.number { text += ", \(Self.duration(duration))" }
    text += "\n"
    if let reason = event.members["reason"]?.string { text += style.wrap(reason, indent: 0, hanging: 2, tone: .bad) }
    return text
  }

  /// Formats a duration for users, such as `0.3 ms`, `12 ms`, `1.5 s`, `3 min`, `2.5 h`, or `90 d`.
  static func duration(_ duration: Duration) -> String { self.duration(duration.inSeconds * 1000) }

  static func duration(_ milliseconds: Double) -> String {
    func oneDigit(_ number: Double) -> String {
      // A trace file can contain any number.
      let tenths = Int((min(max(number, -1e15), 1e15) * 10).rounded())
      return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
    }
    let seconds = milliseconds / 1000
    switch abs(milliseconds) {
    case ..<10: return "\(oneDigit(milliseconds)) ms"
    case ..<1000: return "\(Int(milliseconds.rounded())) ms"
    case ..<120_000: return "\(oneDigit(seconds)) s"
    case ..<7_200_000: return "\(oneDigit(seconds / 60)) min"
    case ..<172_800_000: return "\(oneDigit(seconds / 3600)) h"
    default: return "\(oneDigit(seconds / 86_400)) d"
    }
  }
}

extension TraceEvent {
  /// Whether the event contains the URL and device code that the user needs.
  package var isDeviceCode: Bool {
    kind == .decision && members["subject"]?.string == "deviceCode" && members["verdict"]?.string == "shown"
  }
}
