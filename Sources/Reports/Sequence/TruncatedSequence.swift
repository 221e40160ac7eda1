/// A run's sequence diagram, truncated to Mermaid's size limit.
package struct TruncatedSequence: Sendable {
  /// The diagram in Mermaid syntax.
  package let text: String
  /// A description of the omitted parts, or nil if the diagram is complete.
  package let leftOut: String?

  /// The maximum size. This is Mermaid's default for `maxTextSize`, which GitHub and GitLab use.
  package static let mostCharacters = 50_000

  package init(_ tracedRun: TracedRun, most: Int = mostCharacters) {
    let whole = SequenceMermaid.text(SequenceDiagram(tracedRun))
    guard whole.unicodeScalars.count > most else {
      (text, leftOut) = (whole, nil)
      return
    }
    var (text, leftOut) = (whole, "")
    // Halve the content until it fits.
    for shift in 0..<8 {
      let count = 512 >> shift
      let excerpt = TracedRunExcerpt(
        of: tracedRun,
        limits: .init(steps: count, exchanges: count, decisions: count, cacheWrites: count, tokens: count))
      let lists = excerpt.omissions.filter { ["steps", "HTTP exchanges", "decisions"].contains($0.name) }
      guard !lists.isEmpty else { continue }
      leftOut =
        "only the start and the end: " + lists.map { "\($0.kept) of \($0.all) \($0.name)" }.joined(separator: ", ")
      text = SequenceMermaid.text(SequenceDiagram(excerpt.tracedRun), note: leftOut)
      if text.unicodeScalars.count <= most { break }
    }
    (self.text, self.leftOut) = (text, leftOut)
  }
}
