/// The sequence diagram of a run of any length, so that Mermaid draws it.
package struct TruncatedSequence: Sendable {
  /// The diagram in Mermaid's language.
  package let text: String
  /// What is not in it, in words; nil where the run is all there.
  package let leftOut: String?

  /// The most characters that Mermaid draws unless its `maxTextSize` says otherwise; GitHub and GitLab leave it so.
  package static let mostCharacters = 50_000

  package init(_ story: TracedRun, most: Int = mostCharacters) {
    let whole = SequenceMermaid.text(SequenceDiagram(story))
    guard whole.unicodeScalars.count > most else {
      (text, leftOut) = (whole, nil)
      return
    }
    var (text, leftOut) = (whole, "")
    // Half as much, until it is little enough.
    for shift in 0..<8 {
      let count = 512 >> shift
      let excerpt = TracedRunExcerpt(
        of: story, limits: .init(steps: count, exchanges: count, decisions: count, cacheWrites: count, tokens: count))
      let lists = excerpt.omissions.filter { ["steps", "HTTP exchanges", "decisions"].contains($0.name) }
      guard !lists.isEmpty else { continue }
      leftOut =
        "the first and the last: " + lists.map { "\($0.kept) of \($0.all) \($0.name)" }.joined(separator: ", ")
      text = SequenceMermaid.text(SequenceDiagram(excerpt.story), note: leftOut)
      if text.unicodeScalars.count <= most { break }
    }
    (self.text, self.leftOut) = (text, leftOut)
  }
}
