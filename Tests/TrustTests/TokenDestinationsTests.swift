import Effects
import Testing
import Trust

@Suite("Hosts that receive access tokens") struct TokenDestinationsTests {
  private static func destinations(
    issuer: String = "https://login.microsoftonline.com/common", hosts: [String] = []
  ) -> TokenDestinations {
    var grants = Grants()
    grants.hosts = hosts.compactMap { HostGrant($0) }
    return .network(issuer: issuer, grants: grants)
  }

  @Test(
    "sends Graph tokens to the Graph hosts of all clouds",
    arguments: [
      "https://graph.microsoft.com/v1.0/me", "https://GRAPH.microsoft.com:443/", "https://graph.microsoft.us",
      "https://dod-graph.microsoft.us", "https://microsoftgraph.chinacloudapi.cn", "https://graph.microsoft.de",
      "https://canary.graph.microsoft.com",
    ]) func sendsGraphTokens(url: String)
  {
    #expect(Self.destinations().violation(sending: .graph, to: url) == nil)
  }

  @Test(
    "sends Graph tokens to no other host, even if the user allows it",
    arguments: [
      "https://evil.example", "https://graph.microsoft.com.evil.example", "https://graph.microsoft.com@evil.example",
      "http://graph.microsoft.com", "https://graph.microsoft.com:8443", "https://xgraph.microsoft.com",
      "https://127.0.0.1", "http://localhost:1234", "https://127.0.0.1.evil.example", "graph.microsoft.com", "",
      "https://login.microsoftonline.com", "http://127.1.evil.example",
    ]) func refusesGraphTokens(url: String) throws
  {
    let hosts = ["evil.example", "graph.microsoft.com", "graph.microsoft.com:8443", "xgraph.microsoft.com"]
    let violation = try #require(Self.destinations(hosts: hosts).violation(sending: .graph, to: url))
    #expect(violation.rule == .tokens && violation.message.contains("(trust rule `tokens`)") && !violation.help.isEmpty)
  }

  @Test("sends Graph tokens to a server on this machine if the user allows it") func allowsLocalGraph() {
    let allowed = Self.destinations(hosts: ["localhost:1234"])
    #expect(allowed.violation(sending: .graph, to: "http://localhost:1234/v1.0/me") == nil)
    #expect(allowed.violation(sending: .graph, to: "http://localhost:1235/v1.0/me") != nil)
  }

  @Test(
    "sends the token of another API only to hosts that the user allows",
    arguments: [
      ("https://api.contoso.com/items", true), ("https://API.contoso.com", true),
      ("https://api.contoso.com:8443", false), ("https://other.contoso.com:8443/x", true),
      ("https://other.contoso.com", false), ("https://evil.example", false), ("http://api.contoso.com", false),
      ("https://api.contoso.com.evil.example", false), ("https://x.api.contoso.com", false),
      ("https://graph.microsoft.com", false), ("https://login.microsoftonline.com/oidc/userinfo", true),
      ("http://127.0.0.1:5000", true), ("http://127.0.0.2:5000", false),
    ]) func sendsAPITokens(url: String, isAllowed: Bool)
  {
    let destinations = Self.destinations(hosts: ["api.contoso.com", "other.contoso.com:8443", "127.0.0.1"])
    let violation = destinations.violation(sending: .api, to: url)
    #expect((violation == nil) == isAllowed, "\(violation?.message ?? "")")
    #expect(violation?.help.contains("use an https URL") ?? true || url.hasPrefix("http:") || url.hasPrefix("https:"))
  }

  @Test("suggests the option that allows a host") func suggestsTheOption() {
    let destinations = Self.destinations()
    #expect(
      destinations.violation(sending: .api, to: "https://api.contoso.com:8443/x")?.help.contains(
        "`--allow-host api.contoso.com:8443`") == true)
    #expect(
      destinations.violation(sending: .api, to: "https://api.contoso.com")?.help.contains(
        "`--allow-host api.contoso.com`") == true)
  }

  @Test("sends a local issuer's tokens to other servers on the same machine") func allowsLocalIssuer() {
    let local = Self.destinations(issuer: "http://127.0.0.1:9000/realm")
    #expect(local.violation(sending: .api, to: "http://127.0.0.1:9001/userinfo") == nil)
    #expect(local.violation(sending: .graph, to: "http://localhost:9002/v1.0/me") == nil)
    #expect(local.violation(sending: .api, to: "http://192.168.0.1:9001") != nil)
    #expect(local.violation(sending: .api, to: "https://evil.example") != nil)
  }

  @Test("allows all destinations if no request leaves the process") func ignoresProcess() {
    #expect(TokenDestinations.inProcess.violation(sending: .graph, to: "http://evil.example") == nil)
  }

  @Test(
    "parses hosts",
    arguments: [
      ("api.contoso.com", "api.contoso.com", nil as Int?), ("API.contoso.com:8443", "api.contoso.com", 8443),
      ("https://api.contoso.com/", "api.contoso.com", nil), ("[::1]:80", "[::1]", 80), ("localhost", "localhost", nil),
    ]) func parsesHosts(text: String, host: String, port: Int?) throws
  {
    let grant = try #require(HostGrant(text))
    #expect(grant.host == host && grant.port == port)
  }

  @Test(
    "rejects wildcards, paths, and user information",
    arguments: [
      "", "*", "*.contoso.com", "api.contoso.com/path", "a@b", "http://api.contoso.com", "a:0", "a:70000", "a:", "[::1",
      "a b", "api.contoso.com:443x", "https://", "münchen.example",
    ]) func rejectsHosts(text: String)
  { #expect(HostGrant(text) == nil) }

  @Test(
    "recognizes loopback addresses",
    arguments: [
      ("http://localhost", true), ("http://x.localhost:1", true), ("http://127.0.0.1", true),
      ("http://127.9.9.9", true),
      ("http://[::1]:8", true), ("http://127.0.0.1.example", false), ("http://127.0.0", false),
      ("http://localhost.example", false), ("http://0.0.0.0", false), ("http://10.0.0.1", false),
      ("http://[::2]", false), ("http://127.0.0.256", false),
    ]) func recognizesLoopback(url: String, isLoopback: Bool) throws
  {
    #expect(try #require(Origin(of: url)).isLoopback == isLoopback)
  }
}
