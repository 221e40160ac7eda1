import Diagnostics
import Documents
import Handbook
import IdentityPlatform
import Reports
import Validation

extension ExplanationText {
  /// What a rule of `validate` says of its example, and the example as it should be; empty for what is no such rule.
  func example(of entry: GlossaryEntry) -> String {
    guard entry.topic == .rule, let rule = RuleSet.all.rule(entry.name) else { return "" }
    let page = RulePage(rule)
    var text = "\n  \(style.paint("It says", .dim))\n"
    let frame = CaretFrame(color: style.color, width: max(style.width - 4, 40), seal: style.seal)
    text += indented(frame.render(page.findings))
    text += "\n  \(style.paint("As it should be\(page.isFixable ? ", and as --fix makes it" : "")", .dim))\n"
    for file in page.rule.good.files { text += indented("\(file.name)\n" + file.text + "\n") }
    return text
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: true).map { "    \($0)\n" }.joined()
  }
}
