import LiveWorld

/// A listening server.
package protocol RunningServer: Sendable {
  var port: Int { get }
  var addresses: [String] { get }
  /// Stops listening and waits up to `grace` for open requests to finish.
  func stop(grace: Duration) async
}

extension HTTPServer: RunningServer {}

/// A function that opens a live or simulated server.
package typealias ServerFactory =
  @Sendable (HTTPServer.Configuration, @escaping RequestHandler) async throws(HTTPServer.ListenError) ->
  any RunningServer
