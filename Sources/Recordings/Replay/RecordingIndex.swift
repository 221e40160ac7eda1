/// Where the entries of a recording are filed, made once however often the recording is played.
struct RecordingIndex: Sendable {
  /// By method and URL, in the order in which they were recorded.
  private(set) var files: [String: [Int]] = [:]
  /// Entries whose URL holds a placeholder: where they are filed shows only when they are compared.
  private(set) var movable: [Int] = []

  init(_ entries: [Recording.Entry]) {
    for (index, entry) in entries.enumerated() {
      let request = entry.content.request
      if let url = PlaceholderText(request.url).plain {
        files["\(request.method) \(url)", default: []].append(index)
      } else {
        movable.append(index)
      }
    }
  }
}
