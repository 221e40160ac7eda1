import Documents
import Effects
import HTTPTypes
import OrderedCollections
import RunTrace
import Trust

extension APIClient {
  private static let nextLink = "@odata.nextLink"

  /// Follows `@odata.nextLink` and appends the `value` of each page to the first page.
  ///
  /// The client treats links as opaque and uses them unchanged. Each request repeats the headers, because the links do
  /// not contain them. If the client does not follow a link, the link stays in the body. If the request for a page
  /// fails, the outcome of that request becomes the outcome of the call.
  func followPages(
    of request: RequestMessage, with credential: Credential, call: APICall, into result: inout APICallResult
  ) async {
    guard case .json(var joined) = result.body, var values = joined["value"]?.array else { return }
    let limit =
      switch call.pages {
      case .first: 1
      case .all: Self.maxPages
      case .atMost(let count): max(1, count)
      }
    var seen: Set<String> = [request.url]
    while let link = joined[Self.nextLink]?.string {
      guard result.pages < limit else {
        if call.pages == .all { rejectLink(link, reason: "limit of \(limit) pages reached") }
        break
      }
      guard let next = Self.request(for: link, after: request) else {
        rejectLink(link, reason: "the link is not an absolute HTTP or HTTPS URL")
        break
      }
      guard Origin(of: link) == Origin(of: request.url) else {
        rejectLink(link, reason: "the link points to another origin")
        break
      }
      guard seen.insert(link).inserted else {
        rejectLink(link, reason: "this page was already read; the links form a cycle")
        break
      }
      trace.recordDecision("nextLink", "followed", reason: "page \(result.pages + 1)")
      var page = await exchange(next, with: credential, retry: call.retry)
      page.sent = result.sent
      guard page.outcome == .success, case .json(let json) = page.body, let more = json["value"]?.array else {
        page.pages = result.pages
        if page.outcome == .success {
          // Without `value`, the result would be incomplete, so the call must not succeed.
          page.outcome = .otherStatus
          page.error = APIError(
            code: "invalidPage", message: "the page at `@odata.nextLink` does not contain a `value` list")
        }
        result = page
        return
      }
      values += more
      for key in [Self.nextLink, "@odata.deltaLink"] { joined[key] = json[key] }
      result.status = page.status
      result.headers = page.headers
      result.attempts = max(result.attempts, page.attempts)
      result.pages += 1
    }
    joined["value"] = .array(values)
    result.body = .json(joined)
    if result.pages > 1 { result.rawBody = Array(joined.text(sortedKeys: false).utf8) }
  }

  private func rejectLink(_ link: String, reason: String) {
    trace.recordDecision("nextLink", "refused", reason: reason, ["link": .init(link)])
  }

  private static func request(for link: String, after request: RequestMessage) -> RequestMessage? {
    var headers = request.head.headerFields
    headers[.contentType] = nil
    return RequestMessage(method: .get, url: link, headers: headers)
  }
}
