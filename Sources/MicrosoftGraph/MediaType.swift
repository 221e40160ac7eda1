import Documents
import Effects
import HTTPTypes
import OAuth

/// The interpretation of a response body according to its `Content-Type`.
enum MediaType {
  static func body(of response: ResponseMessage) -> APICallResult.Body {
    guard !response.body.isEmpty else { return .none }
    let mediaType = response.head.headerFields[.contentType]
    // Some services send JSON without a `Content-Type`, or with a media type for text. For a text type, check the first
    // character.
    if isJSON(mediaType) || mediaType == nil || isText(mediaType) && looksLikeJSON(response.body) {
      if let json = try? JSON(parsing: response.body) { return .json(json) }
    }
    return .bytes(response.body, mediaType: mediaType)
  }

  static func value(of bytes: [UInt8], mediaType: String?) -> JSON {
    if mediaType == nil || isText(mediaType) || isJSON(mediaType), let text = String(validating: bytes, as: UTF8.self) {
      return .string(text)
    }
    return .string(Base64.encode(bytes))
  }

  private static func essence(_ mediaType: String?) -> String {
    (mediaType ?? "").prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
  }

  private static func isJSON(_ mediaType: String?) -> Bool {
    let essence = essence(mediaType)
    return essence == "application/json" || essence.hasSuffix("+json")
  }

  private static func isText(_ mediaType: String?) -> Bool {
    let essence = essence(mediaType)
    return essence.hasPrefix("text/") || essence.hasSuffix("xml") || essence.hasPrefix("application/x-www-form")
  }

  private static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
    let first = bytes.first { $0 != 32 && $0 != 9 && $0 != 10 && $0 != 13 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}
