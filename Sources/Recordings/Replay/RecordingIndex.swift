/// Entries of a recording by method and URL.
struct RecordingIndex: Sendable {
  /// Entry indexes by method and URL, in recorded order.
  private(set) var entries: [String: [Int]] = [:]
  /// Indexes of entries whose URL contains a placeholder. They match only by comparison.
  private(set) var withPlaceholders: [Int] = []

  init(_ recorded: [Recording.Entry]) {
    for (index, entry) in recorded.enumerated() {
      let request = entry.content.request
      if let url = PlaceholderText(request.url).plain {
        entries["\(request.method) \(url)", default: []].append(index)
      } else {
        withPlaceholders.append(index)
      }
    }
  }
}
