import Effects
import HTTPTypes
import NIOCore
import SystemWorld

/// The encoding of responses (RFC 9112).
enum ResponseBytes {
  enum Ending {
    /// The response has a Content-Length.
    case length(Int)
    case chunked
    /// For HTTP/1.0 clients, the body ends when the connection closes.
    case close
  }

  /// Writes the status line and header of a response. The server sets the framing and connection fields itself.
  static func write(
    _ head: HTTPResponse, ending: Ending, keepsAlive: Bool, to buffer: inout ByteBuffer
  ) {
    buffer.writeStaticString("HTTP/1.1 ")
    buffer.writeString(String(head.status.code))
    buffer.writeStaticString(" ")
    buffer.writeString(head.status.reasonPhrase)
    buffer.writeStaticString("\r\n")
    var isDated = false
    for field in head.headerFields {
      switch field.name {
      case .contentLength, .transferEncoding, .connection: continue
      case .date: isDated = true
      default: break
      }
      buffer.writeString(field.name.rawName)
      buffer.writeStaticString(": ")
      buffer.writeString(field.value)
      buffer.writeStaticString("\r\n")
    }
    if !isDated {
      buffer.writeStaticString("Date: ")
      buffer.writeString(LiveClock().now.calendarTime.httpDate)
      buffer.writeStaticString("\r\n")
    }
    switch ending {
    case .length(let count):
      if !hasNoLength(head.status) {
        buffer.writeStaticString("Content-Length: ")
        buffer.writeString(String(count))
        buffer.writeStaticString("\r\n")
      }
    case .chunked: buffer.writeStaticString("Transfer-Encoding: chunked\r\n")
    case .close: break
    }
    if keepsAlive {
      buffer.writeStaticString("Connection: keep-alive\r\n\r\n")
    } else {
      buffer.writeStaticString("Connection: close\r\n\r\n")
    }
  }

  /// Whether responses with this status have no body and must not have a Content-Length (RFC 9110 §8.6).
  static func hasNoLength(_ status: HTTPResponse.Status) -> Bool {
    status.code == 204 || status.code == 304 || (100..<200).contains(status.code)
  }

  static func chunk(_ bytes: some Collection<UInt8>, allocator: ByteBufferAllocator) -> ByteBuffer {
    var buffer = allocator.buffer(capacity: bytes.count + 16)
    guard !bytes.isEmpty else { return buffer }
    buffer.writeString(String(bytes.count, radix: 16))
    buffer.writeStaticString("\r\n")
    buffer.writeBytes(bytes)
    buffer.writeStaticString("\r\n")
    return buffer
  }
}
