import AsyncHTTPClient
import Effects
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// Response compression (RFC 9110 §8.4): gzip and deflate.
enum ContentCoding {
  /// The client's decompression setting, which limits the size of a decompressed response.
  static let decompression = HTTPClient.Decompression.enabled(limit: .size(ResponseLimit.bytes))

  private static let undone: Set<String> = ["gzip", "deflate"]

  /// Returns the decompressed body.
  /// - Parameter received: A counter for the received bytes.
  /// - Throws: Errors from the client, or `NIOTooManyBytesError` if the body is larger than `ResponseLimit.bytes`.
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
      where error == .truncatedData && body.readableBytes == 0 && Self.announcesEmptyBody(response)
    {
      // Some servers set `Content-Encoding` even if there is no body.
    }
    return Array(body.readableBytesView)
  }

  /// Whether the status or the `Content-Length` header permits an empty body.
  private static func announcesEmptyBody(_ response: HTTPClientResponse) -> Bool {
    let length = response.headers.first(name: "Content-Length")
    return [204, 205, 304].contains(response.status.code) || length == "0" || length == nil
  }

  /// Removes the header fields that describe the compressed body.
  /// - Parameter asked: Whether the request itself set `Accept-Encoding`.
  /// - Throws: `.badResponse` for an encoding that was not requested and is not supported.
  static func settle(_ fields: inout HTTPFields, asked: Bool, host: String) throws(TransportFailure) {
    guard let coding = fields[.contentEncoding]?.lowercased(), coding != "identity", !coding.isEmpty else { return }
    if undone.contains(coding) {
      fields[.contentEncoding] = nil
      fields[.contentLength] = nil
    } else if !asked {
      throw .badResponse("\(host) responded with the encoding \(coding), which was not requested")
    }
  }
}
