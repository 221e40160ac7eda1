import Documents
import Effects
import HTTPTypes

/// One request of the control interface.
struct ControlRequest: Sendable {
  let method: HTTPRequest.Method
  /// Behind `/_authflow/`; a segment in braces stands for any.
  let path: String
  /// What it does, in one line.
  let words: String
  let takesBody: Bool
  let perform: @Sendable (ControlCall) async throws(ControlError) -> JSON
  private let segments: [String]

  init(
    method: HTTPRequest.Method, path: String, words: String, takesBody: Bool = false,
    perform: @escaping @Sendable (ControlCall) async throws(ControlError) -> JSON
  ) {
    self.method = method
    self.path = path
    self.words = words
    self.takesBody = takesBody
    self.perform = perform
    segments = path.split(separator: "/").map(String.init)
  }

  var spelled: String { "\(method.rawValue) /\(ControlInterface.root)/\(path)" }

  /// What the segments in braces stand for; nil where the path is another.
  func match(_ words: [String]) -> [String]? {
    guard segments.count == words.count else { return nil }
    var values: [String] = []
    for (wanted, word) in zip(segments, words) {
      if wanted.hasPrefix("{") {
        values.append(word)
      } else if wanted != word.lowercased() {
        return nil
      }
    }
    return values
  }
}

extension ControlRequest {
  static let index = ControlRequest(method: .get, path: "", words: "this list") { _ in
    [
      "version": 1,
      "requests": .array(
        ControlInterface.requests.map { request in
          [
            "method": .string(request.method.rawValue), "path": .string("/\(ControlInterface.root)/\(request.path)"),
            "words": .string(request.words),
          ]
        }),
    ]
  }
}
