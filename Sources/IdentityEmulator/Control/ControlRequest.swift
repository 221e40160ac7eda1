import Documents
import Effects
import HTTPTypes

/// A request type of the control interface.
struct ControlRequest: Sendable {
  let method: HTTPRequest.Method
  /// The path after `/_authflow/`. Segments in braces are placeholders.
  let path: String
  /// A one-line description for the index.
  let summary: String
  let requiresBody: Bool
  /// Whether the sign-in pages can also send the request.
  let isForSignInPages: Bool
  let perform: @Sendable (ControlCall) async throws(ControlError) -> JSON
  private let segments: [String]

  init(
    method: HTTPRequest.Method, path: String, summary: String, requiresBody: Bool = false,
    isForSignInPages: Bool = false,
    perform: @escaping @Sendable (ControlCall) async throws(ControlError) -> JSON
  ) {
    self.method = method
    self.path = path
    self.summary = summary
    self.requiresBody = requiresBody
    self.isForSignInPages = isForSignInPages
    self.perform = perform
    segments = path.split(separator: "/").map(String.init)
  }

  var methodAndPath: String { "\(method.rawValue) /\(ControlInterface.root)/\(path)" }

  /// Returns the values of the placeholders, or nil if the path does not match.
  func match(_ path: [String]) -> [String]? {
    guard segments.count == path.count else { return nil }
    var values: [String] = []
    for (expected, actual) in zip(segments, path) {
      if expected.hasPrefix("{") {
        values.append(actual)
      } else if expected != actual.lowercased() {
        return nil
      }
    }
    return values
  }
}

extension ControlRequest {
  static let index = ControlRequest(method: .get, path: "", summary: "list all control requests") { _ in
    [
      "version": 1,
      "requests": .array(
        ControlInterface.requests.map { request in
          [
            "method": .string(request.method.rawValue), "path": .string("/\(ControlInterface.root)/\(request.path)"),
            "summary": .string(request.summary),
          ]
        }),
    ]
  }
}
