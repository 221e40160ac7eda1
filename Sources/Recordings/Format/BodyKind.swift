import Documents
import OAuth

/// The content type of a message body. Recording and replay use the same classification.
enum BodyKind {
  case none
  case form
  case json(JSON)
  case text(String)
  case bytes

  /// The maximum JSON nesting depth. Deeper JSON is recorded as text, because the parser limits the nesting depth of
  /// each line.
  static let maxDepth = 256

  init(_ bytes: [UInt8], type: String?) {
    guard !bytes.isEmpty else {
      self = .none
      return
    }
    let media = String(type?.prefix { $0 != ";" } ?? "").lowercased()
    if media == FormCoding.mediaType {
      self = .form
    } else if media == "application/json" || media.hasSuffix("+json") || bytes.first == UInt8(ascii: "{"),
      let json = try? JSON(parsing: WideNumber.marked(bytes) ?? bytes), json.object != nil || json.array != nil,
      json.depth <= Self.maxDepth
    {
      self = .json(json)
    } else if !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) {
      self = .text(text)
    } else {
      self = .bytes
    }
  }
}
