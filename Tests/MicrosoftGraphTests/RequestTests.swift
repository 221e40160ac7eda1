import Documents
import Effects
import HTTPTypes
import MicrosoftGraph
import Testing
import Trust

@Suite struct RequestTests {
  @Test(
    "builds the URL of a Graph path",
    arguments: [
      ("/me", "https://graph.microsoft.com", "https://graph.microsoft.com/v1.0/me"),
      ("me", "https://graph.microsoft.com/", "https://graph.microsoft.com/v1.0/me"),
      ("/beta/me", "https://graph.microsoft.com", "https://graph.microsoft.com/beta/me"),
      ("/v1.0/me?$select=id", "https://graph.microsoft.com/v1.0", "https://graph.microsoft.com/v1.0/me?$select=id"),
      ("/me", "http://127.0.0.1:8090/v1.0/", "http://127.0.0.1:8090/v1.0/me"),
      ("/me", "https://proxy.contoso.com/graph/beta", "https://proxy.contoso.com/graph/v1.0/me"),
      (
        "/users?$filter=displayName eq 'Zoë'", "https://graph.microsoft.us",
        "https://graph.microsoft.us/v1.0/users?$filter=displayName%20eq%20'Zo%C3%AB'"
      ),
      (
        "/users/ann_fabrikam.com#EXT#@contoso.com", "https://graph.microsoft.com",
        "https://graph.microsoft.com/v1.0/users/ann_fabrikam.com%23EXT%23@contoso.com"
      ),
      (
        "/me/drive/root:/a%20b:/content", "https://graph.microsoft.com",
        "https://graph.microsoft.com/v1.0/me/drive/root:/a%20b:/content"
      ),
      (
        "/me/photos/48x48/$value", "https://graph.microsoft.com",
        "https://graph.microsoft.com/v1.0/me/photos/48x48/$value"
      ),
    ])
  func url(path: String, endpoint: String, expected: String) throws {
    #expect(try APICall.get(path).request(endpoint: endpoint).url == expected)
  }

  @Test("formats and escapes query values")
  func queryValues() throws {
    var call = APICall.get("/users?$count=true")
    call.query = [
      ("$select", ["id", "displayName"]), ("$top", 5), ("$search", "\"displayName:R&D #1 50%\""), ("gone", nil),
      ("$x", true),
    ]
    #expect(
      try call.request(endpoint: StubbedCall.graph).head.path
        == "/v1.0/users?$count=true&$select=id,displayName&$top=5&$search=%22displayName:R%26D%20%231%2050%25%22&$x=true"
    )
  }

  @Test("rejects a query value that is a mapping")
  func invalidQuery() {
    var call = APICall.get("/me")
    call.query = [("$filter", ["a": 1])]
    #expect(throws: InvalidAPICall.self) { try call.request(endpoint: StubbedCall.graph) }
  }

  @Test("sets the content type of a JSON body unless the call sets it")
  func jsonContentType() throws {
    var call = APICall(method: .patch, target: .graph(path: "/me"), body: .json(["jobTitle": "Pilot"]))
    let request = try call.request(endpoint: StubbedCall.graph)
    #expect(request.head.method == .patch)
    #expect(request.head.headerFields[.contentType] == "application/json")
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"jobTitle":"Pilot"}"#)
    call.headers = [("content-type", "application/merge-patch+json")]
    #expect(
      try call.request(endpoint: StubbedCall.graph).head.headerFields[.contentType] == "application/merge-patch+json")
  }

  @Test(
    "rejects invalid header names and values",
    arguments: [("X Y", "v"), ("X", "a\r\nAuthorization: Bearer b"), ("", "v")])
  func invalidHeaders(name: String, value: String) {
    var call = APICall.get("/me")
    call.headers = [(name, value)]
    #expect(throws: InvalidAPICall.self) { try call.request(endpoint: StubbedCall.graph) }
  }

  @Test(
    "rejects an invalid URL", arguments: ["ftp://a/b", "not a url", "https://", "https://user:secret@api.contoso.com/"])
  func invalidURL(url: String) {
    #expect(throws: InvalidAPICall.self) { try APICall(target: .url(url)).request(endpoint: StubbedCall.graph) }
  }

  @Test("sends a batch as one POST request")
  func batch() throws {
    let call = APICall(
      target: .graph(path: ""), version: .beta,
      batch: [
        BatchRequest(id: "1", url: "me"),
        BatchRequest(id: "2", method: .post, url: "/me/events", body: ["subject": "x"], dependsOn: ["1"]),
      ])
    let request = try call.request(endpoint: "https://graph.microsoft.com/v1.0")
    #expect(request.head.method == .post)
    #expect(request.url == "https://graph.microsoft.com/beta/$batch")
    let expected: JSON = [
      "requests": [
        ["id": "1", "method": "GET", "url": "/me"],
        [
          "id": "2", "method": "POST", "url": "/me/events", "headers": ["Content-Type": "application/json"],
          "body": ["subject": "x"], "dependsOn": ["1"],
        ],
      ]
    ]
    #expect(try JSON(parsing: request.body) == expected)
  }

  @Test(
    "rejects an invalid batch",
    arguments: [
      (0..<21).map { BatchRequest(id: "\($0)", url: "/me") },
      [BatchRequest(id: "a", url: "/me"), BatchRequest(id: "a", url: "/me")],
      [BatchRequest(id: "a", url: "/me", dependsOn: ["b"])],
      [BatchRequest(id: "a", url: "/me", dependsOn: ["a"])],
    ])
  func invalidBatches(requests: [BatchRequest]) {
    #expect(throws: InvalidAPICall.self) { try BatchRequest.envelope(requests) }
  }

  @Test(
    "compares origins",
    arguments: [
      ("https://Graph.Microsoft.com/v1.0/me", "https://graph.microsoft.com:443", true),
      ("http://localhost:80/a", "http://localhost", true),
      ("http://[::1]:8080/a", "http://[::1]:8080/b", true),
      ("https://graph.microsoft.com", "http://graph.microsoft.com", false),
      ("https://graph.microsoft.com", "https://graph.microsoft.com:8443", false),
      ("https://graph.microsoft.com", "https://graph.microsoft.com.contoso.com", false),
    ])
  func origins(left: String, right: String, same: Bool) throws {
    let (one, other) = (try #require(Origin(of: left)), try #require(Origin(of: right)))
    #expect((one == other) == same)
  }

  @Test(
    "rejects a URL without a valid origin",
    arguments: ["https://a@b/", "https://a\\@b/", "https:///x", "//a/b", "https://a:0/", "https://a:99999/", "x"])
  func invalidOrigin(url: String) {
    #expect(Origin(of: url) == nil)
  }
}
