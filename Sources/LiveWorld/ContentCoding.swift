import AsyncHTTPClient
import Effects
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// How answers are compressed on their way (RFC 9110 §8.4): gzip and deflate are asked for, and undone.
enum ContentCoding {
  /// A small answer must not become a large one: the bound is that of every answer.
  static let decompression = HTTPClient.Decompression.enabled(limit: .size(ResponseLimit.bytes))

  private static let undone: Set<String> = ["gzip", "deflate"]

  /// The body as it was before it was compressed.
  /// - Parameter received: counts the bytes while they arrive.
  /// - Throws: what the client throws, `NIOTooManyBytesError` for a body of more than `ResponseLimit.bytes`.
  static func body(of response: HTTPClientResponse, received: ByteCount) async throws -> [UInt8] {
    var body = ByteBuffer()
    do {
      for try await var part in response.body {
        guard body.readableBytes + part.readableBytes <= ResponseLimit.bytes else {
          throw NIOTooManyBytesError(maxBytes: ResponseLimit.bytes)
        }
        received.add(part.readableBytes)
        body.writeBuffer(&part)
      }
    } catch let error as NIOHTTPDecompression.ExtraDecompressionError
      where error == .truncatedData && body.readableBytes == 0 && Self.saysNothing(response)
    {
      // Servers name a coding of an answer without a body, too.
    }
    return Array(body.readableBytesView)
  }

  /// Whether nothing is announced that could be compressed.
  private static func saysNothing(_ response: HTTPClientResponse) -> Bool {
    let length = response.headers.first(name: "Content-Length")
    return [204, 205, 304].contains(response.status.code) || length == "0" || length == nil
  }

  /// Takes away the fields that told of a coding which is undone now: they speak of other bytes than the body's.
  /// - Parameter asked: whether the request itself chose the codings.
  /// - Throws: `.badResponse` for a coding that was not asked for and cannot be undone.
  static func settle(_ fields: inout HTTPFields, asked: Bool, host: String) throws(TransportFailure) {
    guard let coding = fields[.contentEncoding]?.lowercased(), coding != "identity", !coding.isEmpty else { return }
    if undone.contains(coding) {
      fields[.contentEncoding] = nil
      fields[.contentLength] = nil
    } else if !asked {
      throw .badResponse("\(host) answered in the coding \(coding), which was not asked for")
    }
  }
}
