import Documents
import EditorProtocols

/// Completes the arguments of prompts and the variables of resource templates.
struct MCPCompletion: Sendable {
  /// The protocol's maximum number of values.
  private static let limit = 100

  let project: MCPProject

  /// Returns the result of `completion/complete`.
  func complete(_ request: MCPRequest) throws(MCPError) -> JSON {
    guard let name = request.params["argument"]?["name"]?.string,
      let prefix = request.params["argument"]?["value"]?.string
    else { throw .invalidParams("`argument` must contain the strings `name` and `value`") }
    let candidates = try candidates(request.params["ref"] ?? .null, name)
    let folded = prefix.lowercased()
    let starting = candidates.filter { $0.lowercased().hasPrefix(folded) }
    let containing = candidates.filter { !$0.lowercased().hasPrefix(folded) && $0.lowercased().contains(folded) }
    let all = starting + containing
    return [
      "completion": [
        "values": .array(all.prefix(Self.limit).map { .string($0) }), "total": .integer(Int64(all.count)),
        "hasMore": .bool(all.count > Self.limit),
      ]
    ]
  }

  private func candidates(_ reference: JSON, _ argument: String) throws(MCPError) -> [String] {
    switch reference["type"]?.string {
    case "ref/prompt":
      let name = reference["name"]?.string ?? ""
      guard let prompt = MCPPrompt.named(name) else { throw .invalidParams("unknown prompt `\(name.prefix(80))`") }
      guard prompt.arguments.contains(where: { $0.name == argument }) else {
        throw .invalidParams("the prompt `\(name)` has no argument `\(argument.prefix(80))`")
      }
      switch argument {
      case "path": return project.files(limit: 5000)
      case "error": return MCPResources.values(of: "authflow://errors/{code}")?.values ?? []
      default: return []
      }
    case "ref/resource":
      let uri = reference["uri"]?.string ?? ""
      guard let (variable, values) = MCPResources.values(of: uri) else {
        throw .invalidParams("unknown resource template `\(uri.prefix(80))`")
      }
      guard variable == argument else {
        throw .invalidParams("the template `\(uri)` has the variable `\(variable)`, not `\(argument.prefix(80))`")
      }
      return values
    default: throw .invalidParams("`ref` must have the type `ref/prompt` or `ref/resource`")
    }
  }
}
