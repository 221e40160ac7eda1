import Documents
import EditorProtocols
import Testing

@Suite struct ContentLengthDecoderTests {
  private func decode(_ pieces: [String]) -> [String] {
    var decoder = ContentLengthDecoder()
    var decoded: [String] = []
    for piece in pieces {
      decoder.append(Array(piece.utf8))
      while true {
        do throws(ContentLengthDecoder.HeaderError) {
          guard let next = try decoder.next() else { break }
          decoded.append(String(decoding: next, as: UTF8.self))
        } catch {
          decoded.append("error: \(error.message)")
        }
      }
    }
    return decoded
  }

  @Test("splits a stream at any byte")
  func splitsStream() {
    let text = "Content-Length: 2\r\n\r\n{}Content-Type: x\r\ncontent-length:3\r\n\r\n[1]"
    #expect(decode([text]) == ["{}", "[1]"])
    #expect(decode(text.map { String($0) }) == ["{}", "[1]"])
    #expect(decode(["Content-Length: 2\n\n{}"]) == ["{}"])
  }

  @Test("reports an invalid header and continues")
  func reportsInvalidHeader() {
    #expect(
      decode(["Content-Length: x\r\n\r\n", "Foo: 1\r\n\r\nContent-Length: 2\r\n\r\n{}"]) == [
        "error: invalid Content-Length `x`", "error: missing header Content-Length", "{}",
      ])
    #expect(
      decode(["Content-Length: 999999999999\r\n\r\n"]) == [
        "error: message larger than \(ContentLengthDecoder.longestMessage) bytes"
      ])
    #expect(decode([String(repeating: "a", count: ContentLengthDecoder.longestHeader + 1)]).count == 1)
  }

  @Test("encodes the length in bytes")
  func encodesLength() {
    #expect(String(decoding: ContentLengthDecoder.encode("é"), as: UTF8.self) == "Content-Length: 4\r\n\r\n\"é\"")
  }
}
