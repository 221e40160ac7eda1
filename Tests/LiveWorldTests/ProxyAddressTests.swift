import Effects
import Testing

import LiveWorld

@Suite("Proxy variables")
struct ProxyAddressTests {
  @Test(
    "are parsed as in curl",
    arguments: [
      ("http://proxy:3128", "proxy", 3128, nil), ("proxy:8080/", "proxy", 8080, nil), ("proxy", "proxy", 80, nil),
      ("http://me:p%40ss@proxy:1", "proxy", 1, "me p@ss"), ("http://[::1]:9", "::1", 9, nil),
      ("socks5://proxy:1", nil, 0, nil),
      ("http://", nil, 0, nil),
    ] as [(String, String?, Int, String?)])
  func reading(text: String, host: String?, port: Int, credentials: String?) {
    let proxy = ProxyAddress(text)
    #expect(proxy?.host == host)
    if host != nil { #expect(proxy?.port == port) }
    #expect(proxy?.credentials.map { "\($0.name) \($0.password)" } == credentials)
  }

  @Test(
    "are selected by scheme and host",
    arguments: [
      ("https", "login.example.com", ["HTTPS_PROXY": "a:1"], "a"),
      ("https", "h", ["https_proxy": "b:1", "HTTPS_PROXY": "a:1"], "b"),
      ("http", "h", ["HTTPS_PROXY": "a:1"], nil), ("http", "h", ["HTTP_PROXY": "a:1"], "a"),
      ("http", "h", ["HTTP_PROXY": "a:1", "REQUEST_METHOD": "GET"], nil), ("https", "h", ["ALL_PROXY": "a:1"], "a"),
      ("https", "localhost:80", ["ALL_PROXY": "a:1"], nil), ("https", "127.0.0.1", ["ALL_PROXY": "a:1"], nil),
      ("https", "x.example.com", ["ALL_PROXY": "a:1", "NO_PROXY": "example.com"], nil),
      ("https", "example.com:443", ["ALL_PROXY": "a:1", "no_proxy": " .example.com"], nil),
      ("https", "badexample.com", ["ALL_PROXY": "a:1", "NO_PROXY": "example.com"], "a"),
      ("https", "h", ["ALL_PROXY": "a:1", "NO_PROXY": "*"], nil), ("https", "h", [:], nil),
    ] as [(String, String, [String: String], String?)])
  func finding(scheme: String, authority: String, variables: [String: String], host: String?) throws {
    let environment = Environment(variables: variables, workingDirectory: "/")
    #expect(try ProxyAddress.find(scheme: scheme, authority: authority, in: environment)?.host == host)
  }

  @Test("rejects unsupported proxy types")
  func otherKinds() throws {
    let environment = Environment(
      variables: ["ALL_PROXY": "socks5://user:hidden-1@proxy:1080", "NO_PROXY": "near.example"], workingDirectory: "/")
    let failure = try #require(throws: TransportFailure.self) {
      try ProxyAddress.find(scheme: "https", authority: "far.example", in: environment)
    }
    #expect(failure.explanation.contains("is not an HTTP proxy") && !failure.explanation.contains("hidden-1"))
    #expect(try ProxyAddress.find(scheme: "https", authority: "near.example", in: environment) == nil)
    #expect(try ProxyAddress.find(scheme: "http", authority: "localhost", in: environment) == nil)
  }
}
