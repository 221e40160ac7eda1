/// An index of a recording's entries by method and URL.
struct RecordingIndex: Sendable {
  /// The positions of entries by method and URL, in recorded order.
  private(set) var entries: [String: [Int]] = [:]
  /// The positions of entries whose URL contains a placeholder. A lookup by URL cannot find these entries, so they must
  /// be compared with each request.
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
