import LiveWorld

/// A listening server.
package protocol RunningServer: Sendable {
  var port: Int { get }
  var addresses: [String] { get }
  /// Stops listening, and waits for open requests up to the duration `grace`.
  func stop(grace: Duration) async
}

extension HTTPServer: RunningServer {}

/// Opens a live or simulated server.
package typealias ServerFactory =
  @Sendable (HTTPServer.Configuration, @escaping RequestHandler) async throws(HTTPServer.ListenError) ->
  any RunningServer
