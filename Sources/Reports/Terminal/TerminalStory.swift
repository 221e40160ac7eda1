import Diagnostics
import Documents
import OrderedCollections
import RunTrace

/// Tells a run on a terminal as it happens: each step, its outcome, why, and how long it took.
///
/// The same text is readable without colour, in a log file and on a screen reader: signs only repeat what words say.
package struct TerminalStory: Sendable {
  package enum Detail: Int, Sendable, Comparable {
    /// Steps and the decisions that led from one to the next.
    case normal
    /// Also every check, and each HTTP exchange.
    case verbose

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  private let style: TerminalStyle
  private let detail: Detail
  private var pending: [String] = []
  private var depth = 0

  package init(style: TerminalStyle, detail: Detail) {
    self.style = style
    self.detail = detail
  }

  /// What to print for an event; empty where it is told later, or not at this detail.
  package mutating func tell(_ event: TraceEvent) -> String {
    switch event.kind {
    case .runStarted: return opening(event)
    case .stepStarted:
      depth = nesting(of: event)
      return ""
    case .decision:
      pending.append(decision(event))
      return ""
    case .interaction:
      pending.append(interaction(event))
      return ""
    case .tokenAcquired:
      pending.append(token(event))
      return ""
    case .httpRequest, .httpResponse:
      if detail == .verbose { pending.append(exchange(event)) }
      return ""
    case .cacheRead, .cacheWritten:
      if detail == .verbose { pending.append(cache(event)) }
      return ""
    case .stepFinished:
      let text = finished(event) + pending.joined()
      pending = []
      return text
    case .runFinished:
      let text = pending.joined() + closing(event)
      pending = []
      return text
    case .scenarioStarted, .scenarioFinished: return ""
    }
  }

  private func nesting(of event: TraceEvent) -> Int {
    (event.members["step"]?.string ?? "").filter { $0 == "/" }.count
  }

  private var indent: Int { 4 + depth * 2 }

  private func opening(_ event: TraceEvent) -> String {
    let name = event.members["name"]?.string ?? event.members["file"]?.string ?? "workflow"
    let platform = event.members["platform"]?.string ?? ""
    let file = event.members["file"]?.string
    let line = [file, platform.isEmpty ? nil : "\(platform) platform"].compactMap { $0 }.joined(separator: ", ")
    return style.paint(CaretFrame.visible(name), .strong) + style.paint("  \(CaretFrame.visible(line))", .dim) + "\n\n"
  }

  private func finished(_ event: TraceEvent) -> String {
    let step = event.members["step"]?.string ?? "?"
    let outcome = event.members["outcome"]?.string ?? "?"
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
    var text = "\(lead) \(style.paint(CaretFrame.visible(step), .strong))  \(style.paint(outcome, tone))"
    if let duration = event.members["milliseconds"]?.number, verdict != "skipped" {
      text += style.paint("  \(Self.duration(duration))", .dim)
    }
    text += "\n"
    if let value = event.members["shows"]?.string { text += style.wrap(value, indent: indent, hanging: 2) }
    if let error = event.members["error"]?.object { text += failure(error) }
    if let broken = event.members["broken"]?.array {
      for mismatch in broken { text += style.wrap(mismatch.string ?? "", indent: indent, hanging: 2, tone: .bad) }
    }
    if verdict == "handled" || verdict == "failed", let rule = event.members["rule"]?.string {
      let arrow = style.unicode ? "→" : "->"
      text += style.wrap("\(arrow) \(next): \(rule)", indent: indent, hanging: 2, tone: .dim)
    }
    return text
  }

  private func failure(_ error: JSON.Members) -> String {
    var text = ""
    let codes = ["msal", "code", "oauth", "suberror"].compactMap { key in
      error[key]?.string.map { "\($0)" }
    }
    if !codes.isEmpty { text += style.wrap(codes.joined(separator: " · "), indent: indent, tone: .attention) }
    if let description = error["description"]?.string {
      text += style.wrap(description, indent: indent, hanging: 2)
    }
    return text
  }

  private func decision(_ event: TraceEvent) -> String {
    let isDetail = event.members["facts"]?["detail"]?.bool ?? false
    guard detail == .verbose || !isDetail else { return "" }
    return style.wrap(event.members["why"]?.string ?? "", indent: indent, hanging: 2, tone: .dim)
  }

  private func interaction(_ event: TraceEvent) -> String {
    let screens = event.members["screens"]?.array?.compactMap(\.string) ?? []
    let ending = event.members["ending"]?.string ?? ""
    let seen = screens.isEmpty ? "no page was shown" : "the person saw \(screens.joined(separator: ", "))"
    return style.wrap("\(seen); \(ending)", indent: indent, hanging: 2, tone: .dim)
  }

  private func token(_ event: TraceEvent) -> String {
    let scopes = event.members["scopes"]?.array?.compactMap(\.string).joined(separator: " ") ?? ""
    let source = Self.sourceWords[event.members["source"]?.string ?? ""] ?? "acquired"
    var text = "token \(source) for \(scopes)"
    if let expires = event.members["expiresOn"]?.string { text += ", valid until \(expires)" }
    return style.wrap(text, indent: indent, hanging: 2, tone: .dim)
  }

  private static let sourceWords = [
    "cache": "from the cache", "refreshToken": "by the refresh token", "authorizationCode": "by the authorization code",
    "deviceCode": "by the device code",
  ]

  private func exchange(_ event: TraceEvent) -> String {
    if event.kind == .httpRequest {
      let method = event.members["method"]?.string ?? ""
      return style.wrap(
        "\(event.members["from"]?.string ?? "app"): \(method) \(event.members["url"]?.string ?? "")", indent: indent,
        hanging: 2, tone: .dim)
    }
    let status = event.members["status"]?.integer.map { String($0) } ?? event.members["failure"]?.string ?? ""
    let duration = event.members["milliseconds"]?.number.map { " in \(Self.duration($0))" } ?? ""
    return style.wrap("answer \(status)\(duration)", indent: indent + 2, tone: .dim)
  }

  private func cache(_ event: TraceEvent) -> String {
    let words = event.members["why"]?.string ?? event.members["summary"]?.string ?? event.kind.rawValue
    return style.wrap(words, indent: indent, hanging: 2, tone: .dim)
  }

  private func closing(_ event: TraceEvent) -> String {
    let outcome = event.members["outcome"]?.string ?? "?"
    let good = outcome == "success"
    let steps = event.members["path"]?.array?.count ?? 0
    let interactions = event.members["interactions"]?.integer ?? 0
    var text = "\n" + style.paint(outcome, good ? .good : .bad)
    text += "  \(Self.counted(steps, "step")), \(Self.counted(Int(interactions), "interaction"))"
    if let duration = event.members["milliseconds"]?.number { text += ", \(Self.duration(duration))" }
    text += "\n"
    if let why = event.members["why"]?.string { text += style.wrap(why, indent: 0, hanging: 2, tone: .bad) }
    return text
  }

  static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// Milliseconds as people read them: `0.3 ms`, `12 ms`, `1.5 s`, `3 min`.
  static func duration(_ milliseconds: Double) -> String {
    func oneDigit(_ number: Double) -> String {
      let tenths = Int((number * 10).rounded())
      return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
    switch milliseconds {
    case ..<10: return "\(oneDigit(milliseconds)) ms"
    case ..<1000: return "\(Int(milliseconds.rounded())) ms"
    case ..<120_000: return "\(oneDigit(milliseconds / 1000)) s"
    default: return "\(oneDigit(milliseconds / 60_000)) min"
    }
  }
}
