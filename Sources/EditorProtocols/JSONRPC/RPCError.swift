import Documents

/// An error response (JSON-RPC 2.0 §5.1 and LSP 3.17, `ErrorCodes`).
package struct RPCError: Error, Sendable {
  package enum Code: Int64, Sendable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case internalError = -32603
    case serverNotInitialized = -32002
    case requestFailed = -32803
    case serverCancelled = -32802
    case contentModified = -32801
    case requestCancelled = -32800
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package static func invalidParams(_ message: String) -> RPCError { RPCError(.invalidParams, message) }

  package var json: JSON { ["code": .integer(code.rawValue), "message": .string(message)] }
}

/// A JSON-RPC 2.0 message from a client.
package enum RPCMessage: Sendable {
  case request(id: JSON, method: String, params: JSON)
  case notification(method: String, params: JSON)
  /// The response to a request from the server.
  case response(id: JSON, result: JSON?, error: JSON?)
  /// A message that is not valid, with its ID if it has one.
  case invalid(id: JSON, RPCError)

  package init(_ json: JSON) {
    guard json.object != nil else {
      self = .invalid(id: .null, RPCError(.invalidRequest, "the message is \(json.typeName), not an object"))
      return
    }
    let id = json["id"]
    let isValidID = id.map { $0.string != nil || $0.number != nil } ?? true
    guard json["jsonrpc"]?.string == "2.0", isValidID else {
      let message = isValidID ? "missing `\"jsonrpc\": \"2.0\"`" : "`id` must be a string or a number"
      self = .invalid(id: isValidID ? id ?? .null : .null, RPCError(.invalidRequest, message))
      return
    }
    if let method = json["method"]?.string {
      let params = json["params"] ?? .null
      self =
        id.map { .request(id: $0, method: method, params: params) } ?? .notification(method: method, params: params)
    } else if let id, json["result"] != nil || json["error"] != nil {
      self = .response(id: id, result: json["result"], error: json["error"])
    } else {
      self = .invalid(id: id ?? .null, RPCError(.invalidRequest, "missing `method`"))
    }
  }

  /// Returns a response with a result.
  package static func response(to id: JSON, result: JSON) -> JSON {
    ["jsonrpc": "2.0", "id": id, "result": result]
  }

  /// Returns a response with an error.
  package static func response(to id: JSON, error: RPCError) -> JSON {
    ["jsonrpc": "2.0", "id": id, "error": error.json]
  }

  package static func notification(_ method: String, _ params: JSON) -> JSON {
    ["jsonrpc": "2.0", "method": .string(method), "params": params]
  }
}
