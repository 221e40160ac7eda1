import Effects
import HTTPTypes
import LiveWorld
import Testing

/// Compressed responses (RFC 9110 §8.4).
@Suite struct ContentCodingTests {
  private let transport = HTTPClientTransport.patient(Environment(variables: [:], workingDirectory: "/"))

  private func send(
    _ headers: [String], _ body: [UInt8], status: String = "200 OK", requestHeaders: HTTPFields = [:]
  ) async throws -> ResponseMessage {
    let head = (["HTTP/1.1 \(status)", "Connection: close"] + headers).joined(separator: "\r\n")
    let server = try LoopbackServer { _ in Array((head + "\r\n\r\n").utf8) + body }
    return try await transport.send(
      try #require(RequestMessage(method: .get, url: "http://127.0.0.1:\(server.port)/", headers: requestHeaders)))
  }

  /// `{"value":"megan megan …"}`, 192 bytes, as Python's gzip and zlib write it.
  private static let gzip: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 42, 75, 204, 41, 77, 85, 178, 82, 202, 77, 77, 79, 204, 83, 24, 90, 164,
    82,
    45, 0, 143, 129, 156, 104, 192, 0, 0, 0,
  ]
  private static let zlib: [UInt8] = [
    120, 218, 171, 86, 42, 75, 204, 41, 77, 85, 178, 82, 202, 77, 77, 79, 204, 83, 24, 90, 164, 82, 45, 0, 213, 108, 68,
    136,
  ]
  private static let text = "{\"value\":\"" + String(repeating: "megan ", count: 30) + "\"}"

  @Test(arguments: [("gzip", gzip), ("GZIP", gzip), ("deflate", zlib)])
  func decodesCompressedResponses(coding: String, body: [UInt8]) async throws {
    for framing in ["Content-Length: \(body.count)", "X-Framing: until the end"] {
      let response = try await send(["Content-Encoding: \(coding)", framing, "Content-Type: application/json"], body)
      #expect(String(decoding: response.body, as: UTF8.self) == Self.text)
      #expect(response.head.headerFields[.contentType] == "application/json")
      // These fields describe the compressed body.
      #expect(response.head.headerFields[.contentEncoding] == nil && response.head.headerFields[.contentLength] == nil)
    }
  }

  @Test func requestsCompression() async throws {
    let server = try LoopbackServer { request in
      let fields = request.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("accept-encoding:") }
      return Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\(fields.joined(separator: "|"))".utf8)
    }
    let url = "http://127.0.0.1:\(server.port)/"
    let plain = try await transport.send(try #require(RequestMessage(method: .get, url: url)))
    #expect(String(decoding: plain.body, as: UTF8.self).lowercased() == "accept-encoding: deflate, gzip")
    let overridden = try await transport.send(
      try #require(RequestMessage(method: .get, url: url, headers: [.acceptEncoding: "identity"])))
    #expect(String(decoding: overridden.body, as: UTF8.self).lowercased() == "accept-encoding: identity")
  }

  @Test(arguments: ["200 OK", "204 No Content", "302 Found", "304 Not Modified"])
  func acceptsAContentEncodingWithoutABody(status: String) async throws {
    let framing = status.hasPrefix("200") || status.hasPrefix("302") ? ["Content-Length: 0"] : []
    let response = try await send(["Content-Encoding: gzip"] + framing, [], status: status)
    #expect(response.body.isEmpty && response.head.status.code == Int(status.prefix(3)))
  }

  @Test func limitsTheDecodedSize() async throws {
    let bomb = Self.bomb(bytes: 20 << 20)
    #expect(bomb.count < 200_000)
    await #expect {
      _ = try await send(["Content-Encoding: gzip", "Content-Length: \(bomb.count)"], bomb)
    } throws: { error in
      if case TransportFailure.tooLong = error { true } else { false }
    }
  }

  @Test(arguments: [
    Array(gzip.prefix(24)), Array("not compressed".utf8), gzip + Array("trailing data".utf8),
    gzip.prefix(20) + [0xFF, 0xFF] + gzip.suffix(18),
  ]) func rejectsDamagedBodies(body: [UInt8]) async throws {
    await #expect {
      _ = try await send(["Content-Encoding: gzip", "Content-Length: \(body.count)"], body)
    } throws: { error in
      if case TransportFailure.badResponse = error { true } else { false }
    }
  }

  @Test func rejectsUnrequestedCodings() async throws {
    await #expect {
      _ = try await send(["Content-Encoding: br", "Content-Length: 3"], [1, 2, 3])
    } throws: { error in
      if case TransportFailure.badResponse(let reason) = error { reason.contains("coding br") } else { false }
    }
    let requested = try await send(
      ["Content-Encoding: br", "Content-Length: 3"], [1, 2, 3], requestHeaders: [.acceptEncoding: "br"])
    #expect(requested.body == [1, 2, 3] && requested.head.headerFields[.contentEncoding] == "br")
  }

  /// Returns zeros compressed at deflate's maximum ratio (RFC 1951 §3.2.6): one literal, followed by matches of length
  /// 258.
  private static func bomb(bytes: Int) -> [UInt8] {
    var result: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 255]
    var (buffer, count) = (UInt32(0), UInt32(0))
    func put(_ bits: UInt32, _ length: UInt32) {
      buffer |= bits << count
      count += length
      while count >= 8 {
        result.append(UInt8(truncatingIfNeeded: buffer))
        (buffer, count) = (buffer >> 8, count - 8)
      }
    }
    // The block is the last one and has fixed codes. The code for the literal 0 is 00110000. Codes start with their
    // highest bit.
    put(0b011, 3)
    put(0b0000_1100, 8)
    for _ in 0..<bytes / 258 {
      // The code for length 258 is 11000101, and the code for distance 1 is 00000.
      put(0b1010_0011, 8)
      put(0, 5)
    }
    return result
  }
}
