import Documents
import Effects
import HTTPTypes

/// Requests that read an emulator's directory through its control interface.
package enum PlatformDirectory {
  /// The lists in the directory, and the time. Each entry consists of a control request and a member of its response.
  private static let lists = ["users", "apps", "policies"]

  /// Returns an emulator's users, apps, policies, and clock, or nil if a request fails.
  /// - Parameter send: A closure that sends a request to the emulator and returns its response, or nil if the request
  ///   fails.
  package static func json(of host: String, send: (RequestMessage) async -> ResponseMessage?) async -> JSON? {
    guard let clock = await response("clock", of: host, send: send) else { return nil }
    var directory: JSON = ["clock": clock]
    for list in lists {
      guard let json = await response(list, of: host, send: send) else { return nil }
      directory[list] = json[list]
    }
    return directory
  }

  /// Returns the response to a control request without a body, or nil if the request fails.
  static func response(
    _ path: String, of host: String, send: (RequestMessage) async -> ResponseMessage?
  ) async -> JSON? {
    guard let request = RequestMessage(url: "https://\(host)/_authflow/\(path)"), let response = await send(request),
      response.head.status.code == 200
    else { return nil }
    return try? JSON(parsing: response.body)
  }
}
