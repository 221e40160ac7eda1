import Effects
import HTTPTypes
import SimulatedWorld
import Testing

@Suite("Requests, UUIDs, and the environment")
struct HTTPMessageTests {
  @Test(
    "creates a request from an absolute URL",
    arguments: [
      ("https://login.example/a/b?c=d", "login.example", "/a/b?c=d"), ("HTTPS://h", "h", "/"),
      ("http://127.0.0.1:8080?x", "127.0.0.1:8080", "/?x"), ("https://h/a#frag?x", "h", "/a"),
      ("https://[::1]:9/x", "[::1]:9", "/x"),
    ])
  func urls(url: String, authority: String, path: String) throws {
    let request = try #require(RequestMessage(method: .post, url: url, body: [1]))
    #expect(request.head.authority == authority)
    #expect(request.head.path == path)
    #expect(request.head.method == .post)
    #expect(request.body == [1])
    #expect(RequestMessage(url: request.url)?.head.path == path)
  }

  @Test(
    "rejects other text",
    arguments: ["", "/path", "ftp://h/", "https:///x", "https://u:p@h/", "https://h/a b", "msauth.x://auth", "https:h"])
  func noURL(text: String) {
    #expect(RequestMessage(url: text) == nil)
  }

  @Test("formats and recognizes UUIDs")
  func uuid() {
    let text = UUIDText.format((0..<16).map { UInt8($0) * 17 })
    #expect(text == "00112233-4455-6677-8899-aabbccddeeff")
    #expect(UUIDText.isValid(text) && UUIDText.isValid(text.uppercased()))
    for wrong in [
      "", "00112233-4455-6677-8899-aabbccddeef", "00112233-4455-6677-8899-aabbccddeefg", text + " ", "{\(text)}",
    ] {
      #expect(!UUIDText.isValid(wrong))
    }
  }

  @Test("treats an empty variable as unset")
  func environment() {
    let environment = Environment(variables: ["A": "x", "B": ""], workingDirectory: "/")
    #expect(environment["A"] == "x")
    #expect(environment["B"] == nil)
    #expect(environment["C"] == nil)
  }
}
