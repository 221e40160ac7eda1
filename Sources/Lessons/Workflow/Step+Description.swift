import Documents
import WorkflowModel

extension Step {
  /// A description of each key in this step.
  var inWords: [String] {
    var lines: [String] = []
    if let parameters = node[spelling] {
      if parameters.kind == .mapping {
        for (key, value) in parameters.entries { lines.append("\(key.string ?? ""): \(value.shown)") }
      } else if parameters.kind != .null {
        lines.append(parameters.shown)
      }
    }
    if case .holds = when, let condition = node["when"] {
      lines.append("only if \(condition.conditions)")
    } else if isFallback, spelling != kind.fallbackKey {
      lines.append("only as the fallback of an earlier step, or as a target of `on`")
    }
    if let client { lines.append("as the app `\(client.value)`") }
    if let names = user?.entries.compactMap({ $0.username?.literal }), let first = names.first {
      lines.append("the user is \(first)")
    }
    if let expected = node["expect"] { lines.append("expects \(expected.conditions)") }
    if !capture.isEmpty { lines.append("captures \(capture.map(\.name).joined(separator: ", "))") }
    if let retry {
      lines.append(retry.isOff ? "no retries" : "up to \(retry.attempts) attempts")
    }
    if let maxRuns { lines.append("at most \(maxRuns) runs") }
    if let timeout { lines.append("timeout \(DurationText.write(timeout))") }
    return lines
  }
}

extension Node {
  /// The value as part of a sentence, without secrets.
  fileprivate var shown: String {
    switch kind {
    case .array:
      let parts = elements.map { $0.kind == .mapping ? $0.json.text() : $0.shown }
      return parts.joined(separator: " ")
    case .mapping:
      return entries.map { key, value in
        let name = key.string ?? key.scalarText ?? ""
        return "\(name): \(Self.secretNames.contains(name.lowercased()) ? "…" : value.shown)"
      }.joined(separator: ", ")
    default: return string ?? scalarText ?? json.text()
    }
  }

  private static let secretNames: Set<String> = ["authorization", "password", "cookie", "client_secret", "newpassword"]

  /// The expectations as text, such as `status is 200 and $.mail exists`.
  fileprivate var conditions: String {
    guard kind == .mapping else { return shown }
    return entries.map { key, value in
      "\(key.string ?? "") \(value.kind == .mapping ? "(\(value.shown))" : "is \(value.shown)")"
    }.joined(separator: " and ")
  }
}
