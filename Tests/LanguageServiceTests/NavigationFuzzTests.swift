import Diagnostics
import Documents
import LanguageService
import TestSupport
import Testing

/// Calls the language features at many positions in malformed documents.
@Suite struct NavigationFuzzTests {
  /// A generator with a fixed seed (SplitMix64).
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  @Test(
    "supports workflows that are truncated at any offset",
    arguments: ["me.yaml", "me.scenarios.yaml", "calendar.json", "sign-out.plist", "b2b-guest.scenarios.yaml"])
  func truncatedWorkflows(name: String) throws {
    let bytes = try ProjectFiles.bytes(of: "Workflows/\(name)")
    var generator = Generator(state: UInt64(bytes.count))
    for round in 0..<40 {
      var text = bytes
      let cut = Int.random(in: 0..<bytes.count, using: &generator)
      if round.isMultiple(of: 2) {
        text.removeSubrange(cut...)
      } else {
        text.removeSubrange(cut..<min(bytes.count, cut + Int.random(in: 1...40, using: &generator)))
      }
      let project = try NavigationProject([name: String(decoding: text, as: UTF8.self)])
      let snapshot = project.snapshot
      let document = try project.document(name)
      let count = document.source.bytes.count
      _ = document.outline
      _ = document.foldingRanges()
      _ = document.formattingEdits(FormattingOptions())
      for token in snapshot.semanticTokens(in: document) { #expect(token.span.end <= count) }
      _ = snapshot.inlayHints(in: document, SourceSpan(start: 0, end: count))
      _ = snapshot.links(in: document)
      for _ in 0..<20 {
        let offset = Int.random(in: 0...count, using: &generator)
        _ = snapshot.definitions(at: offset, in: document)
        _ = snapshot.references(at: offset, in: document, includingDeclarations: true)
        _ = snapshot.highlights(at: offset, in: document)
        let spans = document.selections(at: offset)
        #expect(zip(spans, spans.dropFirst()).allSatisfy { $1.start <= $0.start && $0.end <= $1.end })
        _ = try? snapshot.rename(at: offset, in: document, to: "renamed")
      }
    }
  }
}
