import Documents

/// Enough of JSON Schema 2020-12 to hold the workflow's schema against documents; a keyword it does not know is a
/// complaint, so that the schema cannot outgrow its test.
struct SchemaJudge {
  let root: JSON

  init(_ root: JSON) { self.root = root }

  func complaints(about value: JSON) -> [String] { judge(value, root, "$") }

  private static let remarks: Set<String> = [
    "$schema", "$defs", "title", "description", "default", "examples", "format",
  ]

  private func judge(_ value: JSON, _ schema: JSON, _ path: String) -> [String] {
    if let flag = schema.bool { return flag ? [] : ["\(path): nothing may stand here"] }
    guard let keywords = Self.members(schema) else { return ["\(path): this is no schema"] }
    var complaints: [String] = []
    for (keyword, rule) in keywords where !Self.remarks.contains(keyword) {
      complaints += judge(value, keyword, rule, schema, path)
    }
    return complaints
  }

  private func judge(_ value: JSON, _ keyword: String, _ rule: JSON, _ schema: JSON, _ path: String) -> [String] {
    switch keyword {
    case "$ref":
      let name = rule.string.map { String($0.dropFirst("#/$defs/".count)) } ?? ""
      guard let target = root["$defs"]?[name] else { return ["\(path): nothing is called \(name)"] }
      return judge(value, target, path)
    case "type":
      let names = rule.array?.compactMap(\.string) ?? [rule.string ?? ""]
      let fits = names.contains { $0 == value.typeName || ($0 == "integer" && value.integer != nil) }
      return fits ? [] : ["\(path): \(value.typeName) is not \(names)"]
    case "enum": return (rule.array ?? []).contains(value) ? [] : ["\(path): none of the enum"]
    case "const": return rule == value ? [] : ["\(path): not the constant"]
    case "pattern":
      guard let text = value.string, let pattern = rule.string else { return [] }
      guard let regex = try? Regex(pattern) else { return ["\(path): the pattern \(pattern) does not compile"] }
      return text.firstMatch(of: regex) == nil ? ["\(path): does not match \(pattern)"] : []
    case "minLength":
      return value.string.map { Int64($0.count) < rule.integer ?? 0 } ?? false ? ["\(path): too short"] : []
    case "minimum": return value.number.map { $0 < rule.number ?? 0 } ?? false ? ["\(path): too small"] : []
    case "maximum": return value.number.map { $0 > rule.number ?? 0 } ?? false ? ["\(path): too large"] : []
    case "minItems": return value.array.map { Int64($0.count) < rule.integer ?? 0 } ?? false ? ["\(path): too few"] : []
    case "minProperties":
      return Self.members(value).map { Int64($0.count) < rule.integer ?? 0 } ?? false ? ["\(path): too few"] : []
    case "maxProperties":
      return Self.members(value).map { Int64($0.count) > rule.integer ?? 0 } ?? false ? ["\(path): too many"] : []
    case "items":
      return (value.array ?? []).enumerated().flatMap { judge($0.element, rule, "\(path)[\($0.offset)]") }
    case "required":
      guard let members = Self.members(value) else { return [] }
      return (rule.array ?? []).compactMap(\.string).filter { name in !members.contains { $0.key == name } }
        .map { "\(path): \($0) is missing" }
    case "properties":
      return (Self.members(value) ?? []).flatMap { member in
        rule[member.key].map { judge(member.value, $0, "\(path).\(member.key)") } ?? []
      }
    case "additionalProperties":
      return (Self.members(value) ?? []).filter { schema["properties"]?[$0.key] == nil }
        .flatMap { judge($0.value, rule, "\(path).\($0.key)") }
    case "propertyNames":
      return (Self.members(value) ?? []).flatMap { judge(.string($0.key), rule, "\(path) key \($0.key)") }
    case "anyOf":
      let ways = (rule.array ?? []).map { judge(value, $0, path) }
      return ways.contains { $0.isEmpty }
        ? [] : ["\(path): fits no way of anyOf"] + (ways.min { $0.count < $1.count } ?? [])
    case "oneOf":
      let count = (rule.array ?? []).count { judge(value, $0, path).isEmpty }
      return count == 1 ? [] : ["\(path): fits \(count) ways of oneOf"]
    case "allOf": return (rule.array ?? []).flatMap { judge(value, $0, path) }
    default: return ["the schema uses the keyword \(keyword), which its test does not know"]
    }
  }

  static func members(_ value: JSON) -> [(key: String, value: JSON)]? {
    value.object.map { $0.map { ($0.key, $0.value) } }
  }
}
