import Diagnostics
import Handbook
import IdentityPlatform
import Lessons
import Reports

/// Renders explanations as text for a terminal.
struct ExplanationText {
  let style: TerminalStyle

  func explanation(_ explanation: Explanation) -> String {
    var blocks: [String] = []
    if let pasted = explanation.pasted, !pasted.isEmpty {
      let count = explanation.entries.count + explanation.unlisted.count
      blocks.append(
        style.wrap(
          count == 1 ? "Found 1 known error or code:" : "Found \(count) known errors and codes, most specific first:",
          indent: 0))
    }
    // With `--code`, print only code.
    let isCodeOnly = explanation.language != nil && !explanation.codes.isEmpty
    for (index, entry) in explanation.entries.enumerated() where !isCodeOnly {
      // Shorten all entries of a pasted error except the first, which is the most specific.
      blocks.append(explanation.pasted != nil && index > 0 ? short(entry) : full(entry))
    }
    blocks += explanation.unlisted.map(unlisted)
    blocks += explanation.codes.map { code($0, explanation.language) }
    if let pasted = explanation.pasted {
      let support = support(pasted)
      if !support.isEmpty { blocks.append(support) }
      if !pasted.isEmpty {
        blocks.append(style.wrap("To find the cause, run `authflow diagnose` with the same text.", indent: 0))
      }
    }
    return style.shown(blocks.joined(separator: "\n"))
  }

  // MARK: Entries

  private func heading(_ entry: GlossaryEntry) -> String {
    var name = entry.name
    if let number = entry.number, number < 0, name != String(number) { name += " (\(number))" }
    let fits = name.count + entry.topic.title.count + 2 <= style.width
    return "\(style.paint(name, .strong))\(fits ? "  " : "\n  ")\(style.paint(entry.topic.title, .dim))\n"
  }

  /// Renders the name, the severity, and the meaning of an entry.
  private func opening(_ entry: GlossaryEntry) -> String {
    var text = heading(entry) + style.wrap(entry.verdictLine, indent: 2)
    if let further = entry.furtherMeaning { text += "\n" + style.wrap(GlossaryEntry.sentence(further), indent: 2) }
    return text
  }

  func full(_ entry: GlossaryEntry) -> String {
    var text = opening(entry)
    if let cause = entry.cause { text += section("Cause", cause) }
    text += facts(entry.facts)
    if let reaction = entry.reaction { text += section("MSAL's reaction", reaction) }
    text += section("What to do", entry.advice)
    text += example(of: entry)
    text += workflows(entry)
    if !entry.related.isEmpty { text += section("See also", entry.related.joined(separator: ", "), isSentence: false) }
    return text
  }

  private func short(_ entry: GlossaryEntry) -> String {
    var text = opening(entry)
    if let reaction = entry.reaction { text += section("MSAL's reaction", reaction) }
    return text + section("What to do", entry.advice)
  }

  private func unlisted(_ code: UnknownSignInCode) -> String {
    var text = "\(style.paint(code.code.code, .strong))  \(style.paint("unlisted code", .attention))\n"
    for line in code.words { text += style.wrap(line, indent: 2) }
    if let page = code.page { text += style.wrap("Microsoft's current description: \(page)", indent: 2) }
    return text
  }

  private func section(_ title: String, _ text: String, isSentence: Bool = true) -> String {
    "\n  \(style.paint(title, .dim))\n" + style.wrap(isSentence ? GlossaryEntry.sentence(text) : text, indent: 4)
  }

  /// Renders the facts of an entry. Facts with the same label become a list, and each other fact becomes a line.
  private func facts(_ facts: [GlossaryEntry.Fact]) -> String {
    guard !facts.isEmpty else { return "" }
    var text = ""
    var labels: [String] = []
    for fact in facts where !labels.contains(fact.label) { labels.append(fact.label) }
    let unique = labels.filter { label in facts.count { $0.label == label } == 1 }
    if !unique.isEmpty { text += "\n" }
    for fact in facts where unique.contains(fact.label) {
      text += style.wrap("\(GlossaryEntry.capitalized(fact.label)): \(fact.text)", indent: 2, hanging: 2)
    }
    for label in labels where !unique.contains(label) {
      text +=
        "\n  \(style.paint(GlossaryEntry.capitalized(label) + (label == "of" || label == "in" ? "" : "s"), .dim))\n"
      for fact in facts where fact.label == label { text += style.wrap(fact.text, indent: 4, hanging: 2) }
    }
    return text
  }

  private func workflows(_ entry: GlossaryEntry) -> String {
    let occurrences = ShippedWorkflow.showing(entry)
    guard !occurrences.isEmpty else { return "" }
    var text = "\n  \(style.paint("Scenarios", .dim))\n"
    for occurrence in occurrences {
      text += style.wrap("\(occurrence.file): \(occurrence.scenario)", indent: 4, hanging: 2)
    }
    return text
  }

  /// Renders the values that Microsoft support asks for.
  private func support(_ pasted: PastedText) -> String {
    var lines: [String] = []
    if !pasted.httpStatuses.isEmpty {
      lines.append("HTTP status \(pasted.httpStatuses.map { String($0) }.joined(separator: ", "))")
    }
    if !pasted.correlationIDs.isEmpty {
      lines.append("correlation ID \(pasted.correlationIDs.joined(separator: ", "))")
    }
    if !pasted.traceIDs.isEmpty { lines.append("trace ID \(pasted.traceIDs.joined(separator: ", "))") }
    if !pasted.timestamps.isEmpty { lines.append("time \(pasted.timestamps.joined(separator: ", "))") }
    guard !lines.isEmpty else { return "" }
    return "\(style.paint("For support requests", .dim))\n"
      + lines.map { style.wrap($0, indent: 2, hanging: 2) }.joined()
  }

  // MARK: Lists and files

  func list(_ entries: [GlossaryEntry]) -> String {
    var text = ""
    var topic: GlossaryEntry.Topic?
    for entry in entries {
      if entry.topic != topic {
        if topic != nil { text += "\n" }
        topic = entry.topic
        let count = entries.count { $0.topic == entry.topic }
        text +=
          "\(style.paint(entry.topic.rawValue, .strong))  \(style.paint("\(count): \(entry.topic.title)", .dim))\n"
      }
      let number = entry.number.map { $0 < 0 && String($0) != entry.name ? " (\($0))" : "" } ?? ""
      text += style.wrap("\(entry.name)\(number): \(entry.meaning)", indent: 2, hanging: 4)
    }
    return style.shown(text)
  }

  func hints(_ title: String, _ lines: [String]) -> String {
    style.shown(
      style.paint(CaretFrame.visible(title), .strong) + "\n"
        + lines.map { style.wrap($0, indent: 2, hanging: 2) }.joined())
  }
}
