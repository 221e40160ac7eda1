import Documents

/// A Model Context Protocol error response.
package struct MCPError: Error, Sendable {
  package enum Code: Int64, Sendable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case internalError = -32603
    case resourceNotFound = -32002
    case unsupportedVersion = -32022
  }

  package var code: Code
  package var message: String
  package var data: JSON?

  package init(_ code: Code, _ message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  package static func invalidParams(_ message: String) -> MCPError { MCPError(.invalidParams, message) }

  /// Returns the response to a request.
  func response(to id: JSON) -> JSON {
    var error: JSON = ["code": .integer(code.rawValue), "message": .string(message)]
    if let data { error["data"] = data }
    return ["jsonrpc": "2.0", "id": id, "error": error]
  }
}
