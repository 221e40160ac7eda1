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

  @Test func allPagesAreJoined() async throws {
    let played = try await Played.perform(
      .get("/users?$top=2", pages: .all),
      answering: [Self.page("1,2", next: Self.link + "a"), Self.page("3", next: Self.link + "b"), Self.page("4")])
    #expect(played.result.value["value"] == [1, 2, 3, 4])
    #expect(played.result.value["@odata.count"] == 4)
    #expect(played.result.value["@odata.nextLink"] == nil)
    #expect(played.result.pages == 3)
    #expect(
      played.requests.map(\.url) == [
        "https://graph.microsoft.com/v1.0/users?$top=2", Self.link + "a", Self.link + "b",
      ])
    #expect(played.authorized == [true, true, true])
  }

  @Test func aLimitLeavesTheLink() async throws {
    let played = try await Played.perform(
      .get("/users", pages: .atMost(2)),
      answering: [Self.page("1", next: Self.link + "a"), Self.page("2", next: Self.link + "b"), Self.page("3")])
    #expect(played.result.value["value"] == [1, 2])
    #expect(played.result.value["@odata.nextLink"] == .string(Self.link + "b"))
    #expect(played.requests.count == 2)
  }

  @Test func withoutPagesOneAnswer() async throws {
    let played = try await Played.perform(.get("/users"), answering: [Self.page("1", next: Self.link + "a")])
    #expect(played.requests.count == 1)
    #expect(played.result.value["@odata.nextLink"] != nil)
  }

  @Test(arguments: [
    "https://evil.example/v1.0/users?$skiptoken=a", "http://graph.microsoft.com/v1.0/users?$skiptoken=a",
    "https://graph.microsoft.com:8443/v1.0/users", "/v1.0/users?$skiptoken=a",
    "https://graph.microsoft.com@evil.example/",
  ])
  func linksElsewhereAreNotFollowed(link: String) async throws {
    let played = try await Played.perform(
      .get("/users", pages: .all), answering: [Self.page("1", next: link), Self.page("2")])
    #expect(played.requests.count == 1)
    #expect(played.result.value["value"] == [1])
    #expect(played.result.value["@odata.nextLink"] == .string(link))
    #expect(played.decisions == ["nextLink.refused"])
  }

  @Test func circlesEnd() async throws {
    let played = try await Played.perform(
      .get("/users", pages: .all),
      answering: [Self.page("1", next: Self.link + "a"), Self.page("2", next: Self.link + "a"), Self.page("3")])
    #expect(played.requests.count == 2)
    #expect(played.decisions == ["nextLink.followed", "nextLink.refused"])
  }

  @Test func pagesWithoutEndEnd() async throws {
    let transport = StubTransport { request throws(TransportFailure) in
      let number = Int(request.url.split(separator: "=").last ?? "") ?? 0
      return Self.page("1", next: Self.link + String(number + 1))
    }
    let played = try await Played.perform(.get("/users", pages: .all), by: transport)
    #expect(played.requests.count == 1000)
    #expect(played.result.value["value"]?.array?.count == 1000)
    #expect(played.decisions.last == "nextLink.refused")
  }

  @Test func headersGoAlong() async throws {
    var call = APICall.get("/users", pages: .all)
    call.headers = [("ConsistencyLevel", "eventual")]
    let played = try await Played.perform(call, answering: [Self.page("1", next: Self.link + "a"), Self.page("2")])
    let name = try #require(HTTPField.Name("ConsistencyLevel"))
    #expect(played.requests.map { $0.head.headerFields[name] } == ["eventual", "eventual"])
  }

  @Test func aPageThatFailsIsTheOutcome() async throws {
    let played = try await Played.perform(
      .get("/users", pages: .all),
      answering: [
        Self.page("1", next: Self.link + "a"), .json(#"{"error":{"code":"x","message":"m"}}"#, status: .forbidden),
      ])
    #expect(played.result.outcome == .forbidden)
    #expect(played.result.error?.code == "x")
    #expect(played.result.sent?.url == "https://graph.microsoft.com/v1.0/users")
  }

  @Test func aPageIsRetriedToo() async throws {
    let played = try await Played.perform(
      .get("/users", pages: .all),
      answering: [Self.page("1", next: Self.link + "a"), .json("{}", status: .tooManyRequests), Self.page("2")])
    #expect(played.result.value["value"] == [1, 2])
    #expect(played.duration == .seconds(1))
  }
}
