import Diagnostics
import Handbook
import IdentityPlatform
import Lessons
import Reports

/// Explanations as text for a terminal.
struct ExplanationText {
  let style: TerminalStyle

  func explanation(_ explanation: Explanation) -> String {
    var blocks: [String] = []
    if let pasted = explanation.pasted, !pasted.isEmpty {
      let count = explanation.entries.count + explanation.unlisted.count
      let words = count == 1 ? "one thing is known" : "\(count) things are known, the most specific first"
      blocks.append(style.wrap("In this text \(words).", indent: 0))
    }
    // Whoever asks for code has read the rest.
    let isCodeAlone = explanation.language != nil && !explanation.codes.isEmpty
    for (index, entry) in explanation.entries.enumerated() where !isCodeAlone {
      // Of a pasted error the first line says the most; the others are told in short.
      blocks.append(explanation.pasted != nil && index > 0 ? short(entry) : full(entry))
    }
    blocks += explanation.unlisted.map(unlisted)
    blocks += explanation.codes.map { code($0, explanation.language) }
    if let pasted = explanation.pasted {
      let support = support(pasted)
      if !support.isEmpty { blocks.append(support) }
    }
    return style.shown(blocks.joined(separator: "\n"))
  }

  // MARK: Entries

  private func heading(_ entry: GlossaryEntry) -> String {
    var name = entry.name
    if let number = entry.number, number < 0, name != String(number) { name += " (\(number))" }
    let fits = name.count + entry.topic.words.count + 2 <= style.width
    return "\(style.paint(name, .strong))\(fits ? "  " : "\n  ")\(style.paint(entry.topic.words, .dim))\n"
  }

  /// The name, the verdict, and what the verdict line leaves out of the meaning.
  private func opening(_ entry: GlossaryEntry) -> String {
    var text = heading(entry) + style.wrap(entry.verdictLine, indent: 2)
    if let rest = entry.furtherMeaning { text += "\n" + style.wrap(GlossaryEntry.sentence(rest), indent: 2) }
    return text
  }

  func full(_ entry: GlossaryEntry) -> String {
    var text = opening(entry)
    if let cause = entry.cause { text += section("How it comes about", cause) }
    text += facts(entry.facts)
    if let reaction = entry.reaction { text += section("What MSAL does", reaction) }
    text += section("What to do", entry.advice)
    text += example(of: entry)
    text += workflows(entry)
    if !entry.related.isEmpty { text += section("See also", entry.related.joined(separator: ", "), isSentence: false) }
    return text
  }

  private func short(_ entry: GlossaryEntry) -> String {
    var text = opening(entry)
    if let reaction = entry.reaction { text += section("What MSAL does", reaction) }
    return text + section("What to do", entry.advice)
  }

  private func unlisted(_ code: UnknownSignInCode) -> String {
    var text = "\(style.paint(code.code.code, .strong))  \(style.paint("not in the table", .attention))\n"
    for words in code.words { text += style.wrap(words, indent: 2) }
    if let page = code.page { text += style.wrap("Microsoft says what it means today: \(page)", indent: 2) }
    return text
  }

  private func section(_ title: String, _ words: String, isSentence: Bool = true) -> String {
    "\n  \(style.paint(title, .dim))\n" + style.wrap(isSentence ? GlossaryEntry.sentence(words) : words, indent: 4)
  }

  /// Single facts as lines, several of one name as a list under it.
  private func facts(_ facts: [GlossaryEntry.Fact]) -> String {
    guard !facts.isEmpty else { return "" }
    var text = ""
    var labels: [String] = []
    for fact in facts where !labels.contains(fact.label) { labels.append(fact.label) }
    let single = labels.filter { label in facts.count { $0.label == label } == 1 }
    if !single.isEmpty { text += "\n" }
    for fact in facts where single.contains(fact.label) {
      text += style.wrap("\(GlossaryEntry.capitalized(fact.label)): \(fact.text)", indent: 2, hanging: 2)
    }
    for label in labels where !single.contains(label) {
      text +=
        "\n  \(style.paint(GlossaryEntry.capitalized(label) + (label == "of" || label == "in" ? "" : "s"), .dim))\n"
      for fact in facts where fact.label == label { text += style.wrap(fact.text, indent: 4, hanging: 2) }
    }
    return text
  }

  private func workflows(_ entry: GlossaryEntry) -> String {
    let showings = ShippedWorkflow.showing(entry)
    guard !showings.isEmpty else { return "" }
    var text = "\n  \(style.paint("Shown by", .dim))\n"
    for showing in showings {
      text += style.wrap("\(showing.file), scenario \"\(showing.scenario)\"", indent: 4, hanging: 2)
    }
    return text
  }

  private func support(_ pasted: PastedText) -> String {
    var lines: [String] = []
    if !pasted.httpStatuses.isEmpty {
      lines.append("HTTP status \(pasted.httpStatuses.map { String($0) }.joined(separator: ", "))")
    }
    if !pasted.correlationIDs.isEmpty {
      lines.append("correlation id \(pasted.correlationIDs.joined(separator: ", "))")
    }
    if !pasted.traceIDs.isEmpty { lines.append("trace id \(pasted.traceIDs.joined(separator: ", "))") }
    if !pasted.timestamps.isEmpty { lines.append("time \(pasted.timestamps.joined(separator: ", "))") }
    guard !lines.isEmpty else { return "" }
    return "\(style.paint("For a report to whoever looks after the service", .dim))\n"
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
          "\(style.paint(entry.topic.rawValue, .strong))  \(style.paint("\(count): \(entry.topic.words)", .dim))\n"
      }
      let number = entry.number.map { $0 < 0 && String($0) != entry.name ? " (\($0))" : "" } ?? ""
      text += style.wrap("\(entry.name)\(number): \(entry.meaning)", indent: 2, hanging: 4)
    }
    return style.shown(text)
  }

  func pointers(_ title: String, _ lines: [String]) -> String {
    style.shown(
      style.paint(CaretFrame.visible(title), .strong) + "\n"
        + lines.map { style.wrap($0, indent: 2, hanging: 2) }.joined())
  }
}
