import Diagnostics
import Documents
import OrderedCollections

/// The reason a tool call failed, for the model that called the tool.
struct MCPToolFailure: Error, Sendable {
  let message: String
  let help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  var text: String { "error: \(message)" + (help.map { "\n  help: \($0)" } ?? "") }
}

/// The result of a tool call.
struct MCPToolResult: Sendable {
  /// The maximum size of a response in bytes, including the text and the structured content.
  static let sizeLimit = 256 << 10
  /// The part of the limit that is reserved for the JSON around the content.
  private static let reserve = 1 << 10

  /// An object in the format of the tool's output schema, or nil for a failure without a result.
  private let structured: JSON?
  /// The text, or nil for the structured content as text.
  private let text: String?
  private let isError: Bool

  init(_ structured: JSON, text: String? = nil, isError: Bool = false) {
    self.structured = structured
    self.text = text
    self.isError = isError
  }

  init(failure text: String) {
    structured = nil
    self.text = text
    isError = true
  }

  /// The result of `tools/call`. Secrets are masked, and long results are shortened.
  var json: JSON {
    let structured = structured.map(Self.redacted)
    let text = text.map(SecretPattern.redacting)
    var budget = Self.sizeLimit - Self.reserve
    while true {
      let shortened = structured.map { BoundedJSON.shortened($0, to: budget) }
      let shownText = text.map { BoundedJSON.shortened($0, to: budget) } ?? shortened?.text(sortedKeys: false) ?? ""
      var result: JSON = ["content": [["type": "text", "text": .string(shownText)]]]
      if let shortened { result["structuredContent"] = shortened }
      result["isError"] = .bool(isError)
      if BoundedJSON.size(of: result) <= Self.sizeLimit - Self.reserve || budget < 64 { return result }
      budget = budget * 2 / 3
    }
  }

  private static func redacted(_ json: JSON) -> JSON {
    switch json {
    case .string(let text): .string(SecretPattern.redacting(text))
    case .array(let values): .array(values.map(redacted))
    case .object(let members): .object(members.mapValues(redacted))
    default: json
    }
  }
}

/// Shortens JSON to a maximum size. The result is valid JSON and indicates how much was omitted.
enum BoundedJSON {
  /// The space in bytes that is reserved for the note about omissions.
  private static let noteSize = 64

  /// Returns the size of the JSON text in bytes.
  static func size(of json: JSON) -> Int { json.utf8(sortedKeys: false).count }

  /// Shortens the lists and strings in an object. If list elements were omitted, `truncated` is true, and `omitted`
  /// contains their number.
  static func shortened(_ json: JSON, to budget: Int) -> JSON {
    guard size(of: json) > budget else { return json }
    var omitted = 0
    var shortened = fit(json, max(0, budget - noteSize), &omitted)
    if shortened.object != nil {
      shortened["truncated"] = true
      shortened["omitted"] = .integer(Int64(omitted))
    }
    return shortened
  }

  /// Shortens text at the end of a line and adds the number of omitted bytes.
  static func shortened(_ text: String, to budget: Int) -> String {
    guard size(of: .string(text)) > budget else { return text }
    // A character can become six bytes in JSON, such as `\u001b`.
    var end = text.utf8.index(text.startIndex, offsetBy: min(max(0, budget - noteSize), text.utf8.count))
    while end > text.startIndex, size(of: .string(String(text[..<end]))) > budget - noteSize {
      let count = text.utf8.distance(from: text.startIndex, to: end)
      end = text.utf8.index(text.startIndex, offsetBy: count / 2)
    }
    var kept = String(decoding: text.utf8[..<end], as: UTF8.self)
    while kept.unicodeScalars.last == "\u{FFFD}" { kept.unicodeScalars.removeLast() }
    if let lineEnd = kept.lastIndex(where: \.isNewline) { kept = String(kept[...lineEnd]) }
    return kept + "… (truncated: \((text.utf8.count - kept.utf8.count).counting("byte")) omitted)"
  }

  /// - Parameter omitted: A counter to which the method adds the number of omitted elements.
  private static func fit(_ json: JSON, _ budget: Int, _ omitted: inout Int) -> JSON {
    guard size(of: json) > budget else { return json }
    switch json {
    case .string(let text): return .string(shortened(text, to: budget))
    case .array(let values):
      var kept: [JSON] = []
      var remaining = budget - 2
      for value in values {
        let needed = size(of: value) + 1
        if needed <= remaining {
          kept.append(value)
          remaining -= needed
          continue
        }
        // A first element that is too large is shortened, so that the list is not empty.
        if kept.isEmpty, remaining > 256 { kept.append(fit(value, remaining, &omitted)) }
        break
      }
      omitted += values.count - kept.count
      return .array(kept)
    case .object(let members):
      // Small members are not shortened. Large members share the remaining budget.
      let sizes = members.mapValues { size(of: $0) }
      var remaining = budget - 2 - members.keys.reduce(0) { $0 + size(of: .string($1)) + 2 }
      var fitted: [String: JSON] = [:]
      for (index, name) in members.keys.sorted(by: { (sizes[$0] ?? 0) < (sizes[$1] ?? 0) }).enumerated() {
        let share = max(0, remaining) / (members.count - index)
        let value = fit(members[name] ?? .null, share, &omitted)
        fitted[name] = value
        remaining -= size(of: value)
      }
      return .object(members.reduce(into: [:]) { $0[$1.key] = fitted[$1.key] ?? $1.value })
    default: return json
    }
  }
}
