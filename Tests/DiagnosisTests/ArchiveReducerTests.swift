import Diagnosis
import Diagnostics
import Documents
import IdentityPlatform
import Testing

@Suite struct ArchiveReducerTests {
  private func reduce(_ text: String, limit: Int = 1 << 20, piece: Int = 7) -> ArchiveReducer {
    var reducer = ArchiveReducer(limit: limit)
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      guard reducer.add(Array(bytes[start..<min(bytes.count, start + piece)])) else { break }
    }
    return reducer
  }

  private static let archive = """
    {"log": {"version": "1.2", "pages": [{"id": "p", "title": "t"}],
      "entries": [
        {"startedDateTime": "2025", "time": 1.5,
         "request": {"method": "GET", "url": "https://login.microsoftonline.com/x?a={\\"b\\"}", "headers": []},
         "response": {"content": {"text": "\\"request\\": {}, [",
           "size": 5}, "status": 200}, "cache": {}},
        {"response": {"status": 302}, "request": {"url": "https://login.microsoftonline.com/y"}}
      ]}}
    """

  @Test(arguments: [1, 7, 4096]) func `keeps requests and lines, and removes responses`(piece: Int) throws {
    let reducer = reduce(Self.archive, piece: piece)
    #expect(reducer.isArchive)
    let text = String(decoding: reducer.bytes, as: UTF8.self)
    #expect(!text.contains("status") && !text.contains("size"), "\(text)")
    #expect(text.split(separator: "\n").count == Self.archive.split(separator: "\n").count)
    let result = DocumentReader.read(reducer.bytes, named: "a.har", options: ReadingOptions(syntax: .json))
    let document = try #require(result.document, "\(text)")
    let requests = try #require(Traffic.requests(in: document))
    #expect(requests.map(\.url.path) == ["/x", "/y"])
    #expect(requests.map(\.place.start.line) == [4, 7])
  }

  @Test func `does not keep large responses in memory`() {
    let body = String(repeating: "x", count: 300_000)
    let text = Self.archive.replacing("\"size\": 5", with: "\"more\": \"\(body)\"")
    let reducer = reduce(text, limit: 10_000, piece: 4096)
    #expect(!reducer.exceedsLimit)
    #expect(reducer.bytes.count < 1000)
  }

  @Test func `reports requests beyond the limit`() {
    #expect(reduce(Self.archive, limit: 100).exceedsLimit)
  }

  @Test(arguments: ["start of a log {\"log\": {}}", "[1, 2]", "", "  ", "{\"error\": \"invalid_grant\"}"])
  func `ignores other inputs`(text: String) {
    #expect(!reduce(text).isArchive)
  }

  @Test func `accepts a byte order mark`() { #expect(reduce("\u{FEFF}" + Self.archive).isArchive) }
}
