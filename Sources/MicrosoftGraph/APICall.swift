import Documents
import HTTPTypes

/// The parameters of a call to a protected API.
package struct APICall: Sendable {
  package enum Target: Hashable, Sendable {
    /// A Microsoft Graph path without the host or the version, such as `/me?$select=id`. A path that starts with
    /// `/v1.0/` or `/beta/` overrides the version. An absolute URL stays unchanged.
    case graph(path: String)
    /// An absolute URL for any API.
    case url(String)
  }

  package enum Version: String, Sendable, CaseIterable {
    case v1 = "v1.0"
    case beta
  }

  package enum Body: Hashable, Sendable {
    case none
    case json(JSON)
    /// Raw bytes, with an optional media type. The default is `application/octet-stream`.
    case bytes([UInt8], mediaType: String?)
  }

  package enum Pages: Hashable, Sendable {
    /// Only the first page.
    case first
    /// All pages, by following `@odata.nextLink`.
    case all
    /// At most this number of pages.
    case atMost(Int)
  }

  package var method: HTTPRequest.Method
  package var target: Target
  package var version: Version
  /// The query parameters to add to the target. The elements of a list are joined with commas. A parameter with a null
  /// value is omitted.
  package var query: [(name: String, value: JSON)] = []
  package var headers: [(name: String, value: String)] = []
  package var body: Body
  package var pages: Pages
  /// The requests in a `$batch` call. If this list is not empty, `method`, the path, and `body` are ignored.
  package var batch: [BatchRequest]
  package var retry = RetryPolicy.graph
  /// Whether the call does not require an access token. The client then sends the request without one.
  package var isAnonymous = false

  package init(
    method: HTTPRequest.Method = .get, target: Target, version: Version = .v1, body: Body = .none,
    pages: Pages = .first, batch: [BatchRequest] = []
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.body = body
    self.pages = pages
    self.batch = batch
  }
}

/// An error in a call's parameters that prevents authflow from creating the request.
package struct InvalidAPICall: Error, Hashable, Sendable {
  /// A one-sentence description of the error.
  package var explanation: String

  package init(_ explanation: String) { self.explanation = explanation }
}
