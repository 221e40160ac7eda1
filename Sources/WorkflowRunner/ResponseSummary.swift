import Diagnostics
import Documents
import OrderedCollections

/// Summarizes an API response in a few words.
enum ResponseSummary {
  /// Returns a summary with a user's display name and address, the first items of a list, or the first scalar members.
  static func of(_ value: JSON) -> String? {
    switch value {
    case .object(let members):
      if let list = members["value"]?.array { return self.list(list) }
      if let name = members["displayName"]?.string {
        let address = members["mail"]?.string ?? members["userPrincipalName"]?.string
        return [name, address].compactMap { $0 }.joined(separator: ", ")
      }
      if let subject = members["subject"]?.string { return subject }
      let plain = members.filter { !$0.key.hasPrefix("@") && ($0.value.string != nil || $0.value.number != nil) }
      guard !plain.isEmpty else { return nil }
      return plain.prefix(3).map { "\($0.key) \($0.value.string ?? $0.value.text())" }.joined(separator: ", ")
    case .array(let values): return list(values)
    case .string(let text): return text.count <= 80 ? text : String(text.prefix(79)) + "…"
    case .null: return nil
    default: return value.text()
    }
  }

  private static func list(_ values: [JSON]) -> String {
    let names = values.compactMap { item in
      item["subject"]?.string ?? item["displayName"]?.string ?? item["name"]?.string ?? item["id"]?.string
    }
    let count = values.count.counting("item")
    guard !names.isEmpty else { return count }
    return count + ": " + names.prefix(3).joined(separator: "; ") + (values.count > 3 ? "; …" : "")
  }
}
