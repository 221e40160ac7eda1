import Documents
import OrderedCollections

/// The request format of protocol version 2026-07-28 and later. There is no handshake: each request contains the
/// protocol version and the client's capabilities in `_meta`.
enum MCPEnvelope {
  static let versions = ["2026-07-28"]

  private static let version = "io.modelcontextprotocol/protocolVersion"
  private static let capabilities = "io.modelcontextprotocol/clientCapabilities"
  private static let serverInfo = "io.modelcontextprotocol/serverInfo"

  /// The methods whose results clients can cache.
  private static let cacheable: Set<String> = [
    "server/discover", "tools/list", "resources/list", "resources/templates/list", "resources/read", "prompts/list",
  ]

  /// Whether a request has this format.
  static func isUsed(in params: JSON) -> Bool { params["_meta"]?[version] != nil }

  /// Checks the version and the capabilities in a request.
  static func check(_ params: JSON) throws(MCPError) {
    guard let requested = params["_meta"]?[version]?.string else {
      throw .invalidParams("`\(version)` in `_meta` must be a string")
    }
    guard versions.contains(requested) else {
      throw MCPError(
        .unsupportedVersion, "unsupported protocol version `\(requested.prefix(80))`",
        data: ["supported": .array(versions.map { .string($0) }), "requested": .string(String(requested.prefix(80)))])
    }
    guard params["_meta"]?[capabilities]?.object != nil else {
      throw .invalidParams("missing object `\(capabilities)` in `_meta`")
    }
  }

  /// Returns the result of `server/discover`.
  static func discovery(_ methods: MCPServer.Methods) -> JSON {
    [
      "supportedVersions": .array(versions.map { .string($0) }), "capabilities": methods.capabilities,
      "instructions": .string(methods.instructions),
    ]
  }

  /// Adds the members that every result must contain.
  static func completed(_ result: JSON, of method: String, by info: JSON) -> JSON {
    var result = result
    result["resultType"] = "complete"
    result["_meta"] = [serverInfo: info]
    if cacheable.contains(method) {
      // The last trace and the project's files can change at any time.
      result["ttlMs"] = 0
      result["cacheScope"] = "private"
    }
    return result
  }
}
