import Documents
import OAuth

/// What the bytes of a message are: recorded and compared by the same judgement.
enum BodyKind {
  case none
  case form
  case json(JSON)
  case text(String)
  case bytes

  /// Deeper JSON is kept as text, so that a line with it in it can be read again.
  static let deepest = 256

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
      json.depth <= Self.deepest
    {
      self = .json(json)
    } else if !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) {
      self = .text(text)
    } else {
      self = .bytes
    }
  }
}
