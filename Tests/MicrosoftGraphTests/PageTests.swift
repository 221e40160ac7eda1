import Documents
import Effects
import HTTPTypes
import MicrosoftGraph
import SimulatedWorld
import Testing

@Suite struct PageTests {
  private static func page(_ values: String, next: String? = nil) -> ResponseMessage {
    .json(
      #"{"@odata.context":"c","@odata.count":4,"#
        + (next.map { #""@odata.nextLink":"\#($0)","# } ?? "") + #""value":[\#(values)]}"#)
  }
  private static let link = "https://graph.microsoft.com/v1.0/users?$top=2&$skiptoken="

  @Test("combines all pages")
  func allPages() async throws {
    let performed = try await StubbedCall.perform(
      .get("/users?$top=2", pages: .all),
      answering: [Self.page("1,2", next: Self.link + "a"), Self.page("3", next: Self.link + "b"), Self.page("4")])
    #expect(performed.result.value["value"] == [1, 2, 3, 4])
    #expect(performed.result.value["@odata.count"] == 4)
    #expect(performed.result.value["@odata.nextLink"] == nil)
    #expect(performed.result.pages == 3)
    #expect(
      performed.requests.map(\.url) == [
        "https://graph.microsoft.com/v1.0/users?$top=2", Self.link + "a", Self.link + "b",
      ])
    #expect(performed.authorized == [true, true, true])
  }

  @Test("keeps the next link after it reaches a page limit")
  func pageLimit() async throws {
    let performed = try await StubbedCall.perform(
      .get("/users", pages: .atMost(2)),
      answering: [Self.page("1", next: Self.link + "a"), Self.page("2", next: Self.link + "b"), Self.page("3")])
    #expect(performed.result.value["value"] == [1, 2])
    #expect(performed.result.value["@odata.nextLink"] == .string(Self.link + "b"))
    #expect(performed.requests.count == 2)
  }

  @Test("returns only the first page by default")
  func firstPage() async throws {
    let performed = try await StubbedCall.perform(.get("/users"), answering: [Self.page("1", next: Self.link + "a")])
    #expect(performed.requests.count == 1)
    #expect(performed.result.value["@odata.nextLink"] != nil)
  }

  @Test(
    "does not follow links to other origins",
    arguments: [
      "https://evil.example/v1.0/users?$skiptoken=a", "http://graph.microsoft.com/v1.0/users?$skiptoken=a",
      "https://graph.microsoft.com:8443/v1.0/users", "/v1.0/users?$skiptoken=a",
      "https://graph.microsoft.com@evil.example/",
    ])
  func otherOrigins(link: String) async throws {
    let performed = try await StubbedCall.perform(
      .get("/users", pages: .all), answering: [Self.page("1", next: link), Self.page("2")])
    #expect(performed.requests.count == 1)
    #expect(performed.result.value["value"] == [1])
    #expect(performed.result.value["@odata.nextLink"] == .string(link))
    #expect(performed.decisions == ["nextLink.refused"])
  }

  @Test("stops if page links form a cycle")
  func cycle() async throws {
    let performed = try await StubbedCall.perform(
      .get("/users", pages: .all),
      answering: [Self.page("1", next: Self.link + "a"), Self.page("2", next: Self.link + "a"), Self.page("3")])
    #expect(performed.requests.count == 2)
    #expect(performed.decisions == ["nextLink.followed", "nextLink.refused"])
  }

  @Test("stops at the maximum number of pages")
  func maximumPages() async throws {
    let transport = StubTransport { request throws(TransportFailure) in
      let number = Int(request.url.split(separator: "=").last ?? "") ?? 0
      return Self.page("1", next: Self.link + String(number + 1))
    }
    let performed = try await StubbedCall.perform(.get("/users", pages: .all), by: transport)
    #expect(performed.requests.count == 1000)
    #expect(performed.result.value["value"]?.array?.count == 1000)
    #expect(performed.decisions.last == "nextLink.refused")
  }

  @Test("repeats the request headers for each page")
  func headers() async throws {
    var call = APICall.get("/users", pages: .all)
    call.headers = [("ConsistencyLevel", "eventual")]
    let performed = try await StubbedCall.perform(
      call, answering: [Self.page("1", next: Self.link + "a"), Self.page("2")])
    let name = try #require(HTTPField.Name("ConsistencyLevel"))
    #expect(performed.requests.map { $0.head.headerFields[name] } == ["eventual", "eventual"])
  }

  @Test("returns the outcome of a failed page")
  func failedPage() async throws {
    let performed = try await StubbedCall.perform(
      .get("/users", pages: .all),
      answering: [
        Self.page("1", next: Self.link + "a"), .json(#"{"error":{"code":"x","message":"m"}}"#, status: .forbidden),
      ])
    #expect(performed.result.outcome == .forbidden)
    #expect(performed.result.error?.code == "x")
    #expect(performed.result.sent?.url == "https://graph.microsoft.com/v1.0/users")
  }

  @Test("retries a page")
  func retriedPage() async throws {
    let performed = try await StubbedCall.perform(
      .get("/users", pages: .all),
      answering: [Self.page("1", next: Self.link + "a"), .json("{}", status: .tooManyRequests), Self.page("2")])
    #expect(performed.result.value["value"] == [1, 2])
    #expect(performed.duration == .seconds(1))
  }
}
