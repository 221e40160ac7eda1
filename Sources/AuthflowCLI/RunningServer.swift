import LiveWorld

/// A server that listens.
package protocol RunningServer: Sendable {
  var port: Int { get }
  var addresses: [String] { get }
  /// Stops listening, and lets open requests finish for as long as `grace` lasts.
  func stop(grace: Duration) async
}

extension HTTPServer: RunningServer {}

/// How a server is opened: for real, or played.
package typealias ServerFactory =
  @Sendable (HTTPServer.Configuration, @escaping RequestHandler) async throws(HTTPServer.ListenError) ->
  any RunningServer
