import Handbook
import IdentityPlatform
import Testing
import WorkflowModel

@Suite("Verdicts and vocabulary in the glossary")
struct VerdictTests {
  @Test("starts every entry with a one-sentence verdict")
  func everyEntry() {
    for entry in Glossary.whole.entries {
      let line = entry.verdictLine
      let name = "\(entry.topic) \(entry.name): \(line)"
      #expect(line.count <= 100, "\(name)")
      #expect(
        line.count > 5 && !line.contains("\n") && !line.replacing("...", with: "").contains(". ")
          && !line.hasSuffix(" ."), "\(name)")
      #expect(line.hasSuffix(".") || line.hasSuffix("?") || line.hasSuffix("!"), "\(name)")
    }
  }

  @Test("the verdict and the remaining text contain the complete meaning")
  func completeMeaning() {
    for entry in Glossary.whole.entries {
      let text = (entry.verdictLine + " " + (entry.furtherMeaning ?? "")).lowercased()
      for word in entry.meaning.lowercased().split(whereSeparator: { " .,;:".contains($0) }) {
        #expect(text.contains(word), "\(entry.topic) \(entry.name): \(word)")
      }
    }
  }

  @Test("the remaining text of a long meaning follows the verdict")
  func furtherMeaning() {
    let entry = GlossaryEntry(
      .term, "sample", .informational, meaning: "A first sentence. A second one: with more.", advice: "Read on.")
    #expect(entry.verdictLine == "A first sentence.")
    #expect(entry.furtherMeaning == "A second one: with more.")
    let long = GlossaryEntry(
      .oauthError, "sample", .retryLater, meaning: String(repeating: "word ", count: 30) + "end", advice: "Wait.")
    #expect(long.verdictLine == "Retry later.")
    #expect(long.furtherMeaning == long.meaning)
    let cases = GlossaryEntry(
      .oauthError, "sample", .correctRequest,
      meaning: "the assertion that the app sent has expired, or its signature or issuer is wrong", advice: "Sign.")
    #expect(
      cases.verdictLine == "Correct the request or the user's input.", "a verdict must not state only one of two cases")
  }

  @Test("explains every step type and every outcome")
  func everyStep() {
    for kind in StepKind.all {
      #expect(Glossary.whole.named(kind.key).contains { $0.topic == .stepKind })
      for outcome in kind.outcomes {
        #expect(Glossary.whole.named(outcome.name.rawValue).contains { $0.topic == .outcome }, "\(outcome.name)")
      }
    }
  }
}
