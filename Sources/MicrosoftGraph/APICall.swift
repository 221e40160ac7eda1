import Documents
import HTTPTypes

/// One call of a protected API as a workflow says it, before it is a request.
package struct APICall: Sendable {
  package enum Target: Hashable, Sendable {
    /// A path of Microsoft Graph such as `/me?$select=id`; the host and the version come before it. A path that begins
    /// with `/v1.0/` or `/beta/` keeps its own version, an absolute URL stays as it is.
    case graph(path: String)
    /// An absolute URL of any API.
    case url(String)
  }

  package enum Version: String, Sendable, CaseIterable {
    case v1 = "v1.0"
    case beta
  }

  package enum Body: Hashable, Sendable {
    case none
    case json(JSON)
    /// Bytes as they are; `application/octet-stream` where neither this nor a header says what they are.
    case bytes([UInt8], mediaType: String?)
  }

  package enum Pages: Hashable, Sendable {
    /// The answer as it is.
    case first
    /// Follows `@odata.nextLink` until there is none.
    case all
    /// At most so many pages.
    case atMost(Int)
  }

  package var method: HTTPRequest.Method
  package var target: Target
  package var version: Version
  /// Added to the query that the target has. A list is joined with commas, null leaves its key out.
  package var query: [(name: String, value: JSON)]
  package var headers: [(name: String, value: String)]
  package var body: Body
  package var pages: Pages
  /// Where not empty, the call is a POST to `$batch` with these in it, and `method`, the path and `body` are not used.
  package var batch: [BatchRequest]
  package var retry: RetryPolicy

  package init(
    method: HTTPRequest.Method = .get, target: Target, version: Version = .v1,
    query: [(name: String, value: JSON)] = [], headers: [(name: String, value: String)] = [], body: Body = .none,
    pages: Pages = .first, batch: [BatchRequest] = [], retry: RetryPolicy = .graph
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.query = query
    self.headers = headers
    self.body = body
    self.pages = pages
    self.batch = batch
    self.retry = retry
  }
}

/// Why a call cannot be made into a request at all.
package struct InvalidAPICall: Error, Hashable, Sendable {
  /// One sentence for people.
  package var explanation: String

  package init(_ explanation: String) { self.explanation = explanation }
}
