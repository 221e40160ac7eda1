import Diagnostics
import Documents
import Handbook
import IdentityPlatform
import Reports
import Validation

extension ExplanationText {
  /// Renders the example of a validation rule, with the findings and the corrected files. Returns an empty string if
  /// the entry is not a validation rule.
  func example(of entry: GlossaryEntry) -> String {
    guard entry.topic == .rule, let rule = RuleSet.all.rule(entry.name) else { return "" }
    let page = RulePage(rule)
    var text = "\n  \(style.paint("Example", .dim))\n"
    let frame = CaretFrame(color: style.color, width: max(style.width - 4, 40), seal: style.seal)
    text += indented(frame.render(page.findings))
    text += "\n  \(style.paint(page.isFixable ? "Corrected with `--fix`" : "Corrected", .dim))\n"
    for file in page.rule.good.files { text += indented("\(file.name)\n" + file.text + "\n") }
    return text
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: true).map { "    \($0)\n" }.joined()
  }
}
