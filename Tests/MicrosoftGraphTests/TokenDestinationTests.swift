import Effects
import HTTPTypes
import MicrosoftGraph
import SimulatedWorld
import Testing
import Trust

/// Tests that `TokenDestinations` checks the destination before the client sends a request.
@Suite("Token destinations") struct TokenDestinationTests {
  private static func network(_ hosts: String...) -> TokenDestinations {
    var grants = Grants()
    grants.hosts = hosts.compactMap { HostGrant($0) }
    return .network(issuer: "https://login.microsoftonline.com/common", grants: grants)
  }

  @Test(
    "does not send requests to an untrusted Graph endpoint",
    arguments: ["https://evil.example", "http://graph.microsoft.com"])
  func rejectsUntrustedGraph(endpoint: String) async throws {
    let performed = try await StubbedCall.perform(
      .get("/me"), endpoint: endpoint, by: StubTransport(answering: []), destinations: Self.network("evil.example"))
    #expect(performed.requests.isEmpty && performed.result.outcome == .otherStatus)
    #expect(performed.result.error?.code == "untrustedHost")
    #expect(performed.result.error?.message.contains("(trust rule `tokens`)") == true)
    #expect(performed.decisions == ["accessToken.refused"])
  }

  @Test("does not send a Graph request to another host") func rejectsUnknownHost()
    async throws
  {
    let performed = try await StubbedCall.perform(
      .get("https://evil.example/collect"), by: StubTransport(answering: []), destinations: Self.network())
    #expect(performed.requests.isEmpty && performed.result.error?.code == "untrustedHost")
  }

  @Test("sends tokens for other APIs only to allowed hosts") func sendsToAllowedHosts() async throws {
    let call = APICall(target: .url("https://api.contoso.com/items"))
    let refused = try await StubbedCall.perform(
      call, endpoint: "https://api.contoso.com", by: StubTransport(answering: []), for: .api,
      destinations: Self.network())
    #expect(refused.requests.isEmpty)
    #expect(refused.result.error?.message.contains("--allow-host api.contoso.com") == true)
    let allowed = try await StubbedCall.perform(
      call, endpoint: "https://api.contoso.com", by: StubTransport(answering: [.json("{}")]), for: .api,
      destinations: Self.network("api.contoso.com"))
    #expect(allowed.authorized == [true] && allowed.result.outcome == .success)
  }

  @Test("sends Graph tokens to Graph hosts by default") func sendsToGraph() async throws {
    let performed = try await StubbedCall.perform(
      .get("/me"), by: StubTransport(answering: [.json("{}")]), destinations: Self.network())
    #expect(performed.authorized == [true] && performed.result.outcome == .success)
  }
}
