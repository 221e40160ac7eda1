import Effects
import HTTPTypes
import MicrosoftGraph
import SimulatedWorld
import Testing
import Trust

/// Every request with a token passes `TokenDestinations` before it is sent.
@Suite("Requests to hosts that receive no token") struct TokenDestinationTests {
  private static func network(_ hosts: String...) -> TokenDestinations {
    var grants = Grants()
    grants.hosts = hosts.compactMap { HostGrant($0) }
    return .network(issuer: "https://login.microsoftonline.com/common", grants: grants)
  }

  @Test(
    "sends nothing to a Graph endpoint that is not a Graph host",
    arguments: ["https://evil.example", "http://graph.microsoft.com"])
  func refusesForeignGraph(endpoint: String) async throws {
    let played = try await Played.perform(
      .get("/me"), endpoint: endpoint, by: StubTransport(answering: []), destinations: Self.network("evil.example"))
    #expect(played.requests.isEmpty && played.result.outcome == .otherStatus)
    #expect(played.result.error?.code == "untrustedHost")
    #expect(played.result.error?.message.contains("(trust rule `tokens`)") == true)
    #expect(played.decisions == ["accessToken.refused"])
  }

  @Test("sends nothing to a foreign URL of a Graph call, not even without the token") func refusesForeignURL()
    async throws
  {
    let played = try await Played.perform(
      .get("https://evil.example/collect"), by: StubTransport(answering: []), destinations: Self.network())
    #expect(played.requests.isEmpty && played.result.error?.code == "untrustedHost")
  }

  @Test("sends the token of another API to allowed hosts only") func sendsToAllowedHosts() async throws {
    let call = APICall(target: .url("https://api.contoso.com/items"))
    let refused = try await Played.perform(
      call, endpoint: "https://api.contoso.com", by: StubTransport(answering: []), for: .api,
      destinations: Self.network())
    #expect(refused.requests.isEmpty)
    #expect(refused.result.error?.message.contains("--allow-host api.contoso.com") == true)
    let allowed = try await Played.perform(
      call, endpoint: "https://api.contoso.com", by: StubTransport(answering: [.json("{}")]), for: .api,
      destinations: Self.network("api.contoso.com"))
    #expect(allowed.authorized == [true] && allowed.result.outcome == .success)
  }

  @Test("sends Graph tokens to Graph without an option") func sendsToGraph() async throws {
    let played = try await Played.perform(
      .get("/me"), by: StubTransport(answering: [.json("{}")]), destinations: Self.network())
    #expect(played.authorized == [true] && played.result.outcome == .success)
  }
}
