import Documents
import Synchronization

/// A client's request, with its parameters.
package struct MCPRequest: Sendable {
  package let method: String
  /// The parameters as an object, which is empty if the request has no parameters.
  package let params: JSON
  /// The progress reporter, which notifies the client if the client requested progress.
  package let progress: MCPProgress

  package init(method: String, params: JSON, progress: MCPProgress = MCPProgress()) {
    self.method = method
    self.params = params
    self.progress = progress
  }

  /// Returns a required string from the parameters.
  package func text(_ name: String) throws(MCPError) -> String {
    guard let text = params[name]?.string else {
      throw .invalidParams("`\(method)` requires the string `\(name)` in `params`")
    }
    return text
  }

  /// Rejects a cursor, because lists have one page and the server never returns a cursor.
  package func checkCursor() throws(MCPError) {
    guard let cursor = params["cursor"], !cursor.isNull else { return }
    throw .invalidParams("unknown `cursor`; omit it, because all lists have one page")
  }
}

/// A reporter that sends the progress of a request as notifications.
package final class MCPProgress: Sendable {
  private struct State {
    var completed = -1
    var isClosed = false
  }

  private let token: JSON?
  private let send: @Sendable (JSON) -> Void
  private let state = Mutex(State())

  /// - Parameter token: The client's progress token, or nil if the client did not request progress.
  package init(token: JSON? = nil, send: @escaping @Sendable (JSON) -> Void = { _ in }) {
    self.token = token
    self.send = send
  }

  /// Sends the progress. Values that do not increase are skipped, because the protocol does not allow them.
  package func report(_ completed: Int, of total: Int? = nil, _ message: String) {
    guard let token else { return }
    state.withLock { state in
      guard !state.isClosed, completed > state.completed else { return }
      state.completed = completed
      var params: JSON = [
        "progressToken": token, "progress": .integer(Int64(completed)), "message": .string(message),
      ]
      if let total { params["total"] = .integer(Int64(total)) }
      send(RPCMessage.notification("notifications/progress", params))
    }
  }

  /// Stops sending notifications. The protocol does not allow them after the response.
  func close() { state.withLock { $0.isClosed = true } }
}
