import Documents
import Effects
import HTTPTypes

/// One request of the control interface.
struct ControlRequest: Sendable {
  var method: HTTPRequest.Method
  /// Behind `/_authflow/`; a segment in braces stands for any.
  var path: String
  /// What it does, in one line.
  var words: String
  var takesBody = false
  var perform: @Sendable (ControlCall) async throws(ControlProblem) -> JSON

  var spelled: String { "\(method.rawValue) /\(ControlInterface.root)/\(path)" }

  /// What the segments in braces stand for; nil where the path is another.
  func match(_ words: [String]) -> [String]? {
    let pattern = path.split(separator: "/")
    guard pattern.count == words.count else { return nil }
    var values: [String] = []
    for (wanted, word) in zip(pattern, words) {
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
