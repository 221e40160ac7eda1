import Diagnostics
import Documents
import Effects
import OrderedCollections
import RunTrace

/// Tells a run on a terminal as it simulate: each step, its outcome, why, and how long it took.
///
/// The same text is readable without color, in a log file and on a screen reader: signs only repeat what words say.
package struct TerminalRunReport: Sendable {
  package enum Detail: Int, Sendable, Comparable {
    /// Steps and the decisions that led from one to the next.
    case normal
    /// Also every check, and each HTTP exchange.
    case verbose

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// A line that waits for its step's end.
  struct Remark: Sendable, Equatable {
    var text: String
    /// How far below the step's own lines it stands.
    var level = 0
    /// The exchange that it is part of.
    var exchange: Int64?
    /// The step that it is told below; nil where none went on.
    var step: String?
  }

  private let style: TerminalStyle
  private let detail: Detail
  private var remarks: [Remark] = []
  /// The steps that have begun and not ended: several at once inside of `parallel`.
  private var open: Set<String> = []
  private var depth = 0
  /// Whether a scenario has begun, and none of its steps.
  private var isBeforeFirstStep = false
  /// Whether the pages are a real provider's: what a user saw in a browser of their own nobody knows.
  private var isLive = false

  package init(style: TerminalStyle, detail: Detail) {
    self.style = style
    self.detail = detail
  }

  /// What to print for an event; empty where it is told later, or not at this detail.
  package mutating func tell(_ event: TraceEvent) -> String { style.shown(told(event)) }

  /// What waits for the end of a step, for whom that is too late.
  package mutating func rest() -> String {
    defer { remarks = [] }
    return style.shown(told(remarks))
  }

  private mutating func told(_ event: TraceEvent) -> String {
    switch event.kind {
    case .runStarted:
      isLive = event.members["platform"]?.string == "live"
      return opening(event)
    case .stepStarted:
      depth = nesting(of: event)
      defer { if let step = event.members["step"]?.string { open.insert(step) } }
      guard isBeforeFirstStep else { break }
      // What a scenario's givens left behind is not the first step's doing.
      isBeforeFirstStep = false
      defer { remarks = [] }
      return remarks.isEmpty ? "" : style.paint("given", .strong) + "\n" + told(remarks)
    case .decision where event.isDeviceCode:
      // Somebody has to type it before the step can end.
      depth = nesting(of: event)
      return told(taken(by: event)) + style.wrap(event.members["reason"]?.string ?? "", indent: indent, tone: .strong)
    case .decision:
      if let text = decision(event), !text.isEmpty { remark([Remark(text: text)], of: event) }
      if detail == .verbose { remark(CheckDetails.of(event), of: event) }
    case .interaction: if let text = interaction(event) { remark([Remark(text: text)], of: event) }
    case .tokenAcquired: remark([Remark(text: token(event))], of: event)
    case .httpRequest, .httpResponse: if detail == .verbose { remark(ExchangeDetails.of(event), of: event) }
    case .cacheRead, .cacheWritten: if detail == .verbose { remark(CacheDetails.of(event), of: event) }
    case .stepFinished:
      depth = nesting(of: event)
      let own = taken(by: event)
      if let step = event.members["step"]?.string { open.remove(step) }
      return finished(event, own)
    case .runFinished:
      defer { remarks = [] }
      return told(remarks) + closing(event)
    case .scenarioStarted: isBeforeFirstStep = true
    case .scenarioFinished: break
    }
    return ""
  }

  /// Puts lines of an exchange below those that are there of it: the app may have decided something meanwhile.
  private mutating func remark(_ lines: [Remark], of event: TraceEvent) {
    let lines = lines.map { line in
      var line = line
      line.step = event.members["step"]?.string
      return line
    }
    let exchange = lines.first?.exchange
    let last = exchange.flatMap { exchange in remarks.lastIndex { $0.exchange == exchange } }
    remarks.insert(contentsOf: lines, at: last.map { $0 + 1 } ?? remarks.endIndex)
  }

  /// The lines that wait for this step, and those that no other step will take; what others are doing meanwhile is theirs.
  private mutating func taken(by event: TraceEvent) -> [Remark] {
    let step = event.members["step"]?.string
    func isForeign(_ remark: Remark) -> Bool { remark.step != step && remark.step.map(open.contains) ?? false }
    defer { remarks.removeAll { !isForeign($0) } }
    return remarks.filter { !isForeign($0) }
  }

  private func told(_ remarks: [Remark]) -> String {
    remarks.map { style.wrap($0.text, indent: indent + 2 * $0.level, hanging: 2, tone: .dim) }.joined()
  }

  private func nesting(of event: TraceEvent) -> Int {
    (event.members["step"]?.string ?? "").filter { $0 == "/" }.count
  }

  private var indent: Int { 4 + depth * 2 }

  private func opening(_ event: TraceEvent) -> String {
    let name = event.members["name"]?.string ?? event.members["file"]?.string ?? "workflow"
    let platform = event.members["platform"]?.string ?? ""
    let file = event.members["file"]?.string
    let line = [file == name ? nil : file, platform.isEmpty ? nil : "\(platform) platform"].compactMap { $0 }.joined(
      separator: ", ")
    if DisplayWidth.of(name) + DisplayWidth.of(line) + 2 <= style.width {
      return style.paint(CaretFrame.visible(name), .strong) + style.paint("  \(CaretFrame.visible(line))", .dim)
        + "\n\n"
    }
    return style.wrap(name, indent: 0, hanging: 2, tone: .strong) + style.wrap(line, indent: 0, hanging: 2, tone: .dim)
      + "\n"
  }

  private func finished(_ event: TraceEvent, _ remarks: [Remark]) -> String {
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
    let lead = String(repeating: " ", count: depth * 2) + style.paint(style.unicode ? sign : plain, tone)
    var text =
      "\(lead) \(style.paint(CaretFrame.visible(step), .strong))  \(style.paint(outcome, tone == .good ? .plain : tone))"
    if let duration = event.members["milliseconds"]?.number, verdict != "skipped" {
      text += style.paint("  \(Self.duration(duration))", .dim)
    }
    text += "\n"
    let error = event.members["error"]
    let description = error?["description"]?.string
    // What the server said stands with the error; a decision that only repeats it is left out.
    text += told(remarks.filter { remark in description.map { !remark.text.hasSuffix($0) } ?? true })
    if detail == .verbose { text += told(ClaimDetails.of(event)) }
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

  /// The platform ends its sentences with ids for its support; the trace keeps them.
  static func withoutTraceIDs(_ text: String) -> String {
    guard let ids = text.firstRange(of: " Trace ID: ") else { return text }
    return String(text[..<ids.lowerBound])
  }

  /// `access token hit: valid until …`; the checks of a token only at full detail.
  private func decision(_ event: TraceEvent) -> String? {
    let isDetail = event.members["facts"]?["detail"]?.bool ?? false
    guard detail == .verbose || !isDetail else { return nil }
    let subject = Self.words(event.members["subject"]?.string ?? "")
    let verdict = Self.words(event.members["verdict"]?.string ?? "")
    return "\(subject) \(verdict): \(event.members["reason"]?.string ?? "")"
  }

  /// `accessToken` as people write it.
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
    guard event.members["phase"]?.string != "opened" else { return nil }
    let screens = event.members["screens"]?.array?.compactMap(\.string) ?? []
    let ending = event.members["reason"]?.string ?? event.members["ending"]?.string ?? ""
    let unseen = isLive && ["redirected", "finished"].contains(ending) ? "the browser was open" : "no page was shown"
    let seen = screens.isEmpty ? unseen : "the user saw \(screens.map(Self.words).joined(separator: ", "))"
    return "\(seen); \(ending)"
  }

  private func token(_ event: TraceEvent) -> String {
    let scopes = event.members["scopes"]?.array?.compactMap(\.string).joined(separator: " ") ?? ""
    let source = Self.sourceWords[event.members["source"]?.string ?? ""] ?? "acquired"
    var text = "token \(source) for \(scopes)"
    if let expires = event.members["expiresOn"]?.string { text += ", valid until \(expires)" }
    return text
  }

  private static let sourceWords = [
    "cache": "from the cache", "refreshToken": "by the refresh token", "authorizationCode": "by the authorization code",
    "deviceCode": "by the device code",
  ]

  private func closing(_ event: TraceEvent) -> String {
    let outcome = event.members["outcome"]?.string ?? "?"
    let good = outcome == "success"
    let steps = event.members["path"]?.array?.count ?? 0
    let interactions = event.members["interactions"]?.integer ?? 0
    var text = "\n" + style.paint(CaretFrame.visible(outcome), good ? .strong : .bad)
    text += "  \(Self.counted(steps, "step")), \(Self.counted(Int(interactions), "interaction"))"
    if let duration = event.members["milliseconds"]?.number { text += ", \(Self.duration(duration))" }
    text += "\n"
    if let reason = event.members["reason"]?.string { text += style.wrap(reason, indent: 0, hanging: 2, tone: .bad) }
    return text
  }

  static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// A time as people read it: `0.3 ms`, `12 ms`, `1.5 s`, `3 min`, `2.5 h`, `90 d`.
  static func duration(_ duration: Duration) -> String { self.duration(duration.inSeconds * 1000) }

  static func duration(_ milliseconds: Double) -> String {
    func oneDigit(_ number: Double) -> String {
      // A trace from a file may contain any number.
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
  /// Whether it tells the user where to go and what to type.
  package var isDeviceCode: Bool {
    kind == .decision && members["subject"]?.string == "deviceCode" && members["verdict"]?.string == "shown"
  }
}
