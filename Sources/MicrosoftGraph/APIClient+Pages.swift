import Documents
import Effects
import HTTPTypes
import OrderedCollections
import RunTrace
import Trust

extension APIClient {
  private static let nextLink = "@odata.nextLink"

  /// Follows `@odata.nextLink` and joins the pages' `value` into the first page.
  ///
  /// The links are opaque and used as they are; the headers go along again, for Graph remembers none of them. Where a
  /// link is not followed it stays in the body, so that what is missing can be seen. A page that fails is the
  /// call's outcome.
  func followPages(
    of request: RequestMessage, with credential: Credential, call: APICall, into result: inout APICallResult
  ) async {
    guard case .json(var joined) = result.body, var values = joined["value"]?.array else { return }
    let limit =
      switch call.pages {
      case .first: 1
      case .all: Self.mostPages
      case .atMost(let count): max(1, count)
      }
    var seen: Set<String> = [request.url]
    while let link = joined[Self.nextLink]?.string {
      guard result.pages < limit else {
        if call.pages == .all { refuse(link, reason: "\(limit) pages were read already") }
        break
      }
      guard let next = Self.request(for: link, after: request) else {
        refuse(link, reason: "it is no absolute http or https URL")
        break
      }
      guard Origin(of: link) == Origin(of: request.url) else {
        refuse(link, reason: "it leads to another host than the one that was called")
        break
      }
      guard seen.insert(link).inserted else {
        refuse(link, reason: "this page was read already: the links run in a circle")
        break
      }
      trace.recordDecision("nextLink", "followed", reason: "page \(result.pages + 1)")
      var page = await exchange(next, with: credential, retry: call.retry)
      page.sent = result.sent
      guard page.outcome == .success, case .json(let json) = page.body, let more = json["value"]?.array else {
        page.pages = result.pages
        if page.outcome == .success {
          // A page without `value` is no page: saying success would hide what is missing.
          page.outcome = .otherStatus
          page.error = APIError(code: "invalidPage", message: "the page behind @odata.nextLink has no list 'value'")
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

  private func refuse(_ link: String, reason: String) {
    trace.recordDecision("nextLink", "refused", reason: reason, ["link": .init(link)])
  }

  private static func request(for link: String, after request: RequestMessage) -> RequestMessage? {
    var headers = request.head.headerFields
    headers[.contentType] = nil
    return RequestMessage(method: .get, url: link, headers: headers)
  }
}
