import Diagnosis
import Diagnostics
import Documents
import Effects
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

  /// An archive with one entry, compressed with gzip.
  private static let compressed: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 29, 140, 49, 10, 195, 48, 12, 69, 247, 158, 34, 104, 46, 113, 232, 152, 61,
    228, 2, 221, 74, 134, 144, 168, 181, 193, 182, 82, 73, 134, 130, 241, 221, 107, 123, 123, 143, 255, 121, 25,
    60, 125, 96, 30, 50, 96, 84, 118, 40, 149, 95, 183, 12, 140, 223, 132, 162, 125, 9, 168, 150, 206, 138, 176,
    46, 79, 184, 15, 144, 216, 55, 179, 170, 151, 204, 198, 212, 130, 139, 99, 112, 7, 147, 208, 91, 41, 122,
    23, 113, 60, 40, 152, 95, 123, 91, 220, 79, 228, 30, 222, 74, 117, 70, 185, 40, 10, 246, 182, 232, 174, 169,
    109, 143, 105, 42, 101, 43, 229, 15, 84, 16, 229, 94, 145, 0, 0, 0,
  ]

  private func reduceCompressed(_ bytes: [UInt8], limit: Int = 1 << 20, piece: Int = 50) -> ArchiveReducer {
    var reducer = ArchiveReducer(limit: limit)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      guard reducer.add(Array(bytes[start..<min(bytes.count, start + piece)])) else { break }
    }
    reducer.finish()
    return reducer
  }

  @Test(arguments: [1, 2, 50, 4096]) func `reads a compressed archive in pieces of any length`(piece: Int) throws {
    let reducer = reduceCompressed(Self.compressed, piece: piece)
    #expect(reducer.isArchive)
    let result = DocumentReader.read(reducer.bytes, named: "a.har.gz", options: ReadingOptions(syntax: .json))
    let document = try #require(result.document)
    let requests = try #require(Traffic.requests(in: document))
    #expect(requests.map(\.url.path) == ["/x"])
    #expect(!String(decoding: reducer.bytes, as: UTF8.self).contains("status"))
  }

  @Test func `limits the size of a compressed archive`() {
    #expect(reduceCompressed(Self.compressed, limit: 60).exceedsLimit)
  }

  @Test func `does not crash on a damaged compressed archive`() {
    for length in 3..<Self.compressed.count { _ = reduceCompressed(Array(Self.compressed[..<length])) }
  }
}
