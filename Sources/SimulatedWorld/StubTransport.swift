import Effects
import HTTPTypes
import Synchronization

/// A transport that calls a closure for each response and records all requests.
package final class StubTransport: HTTPTransport {
  /// A closure that responds to a request. A thrown `TransportFailure` is passed on unchanged, a cancellation becomes
  /// `.canceled`, and any other error becomes a lost connection.
  package typealias Answer = @Sendable (RequestMessage) async throws -> ResponseMessage

  private let answer: Answer
  private let sent = Mutex<[RequestMessage]>([])

  package init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  /// Returns the responses in order, regardless of the requests, and then refuses connections.
  package convenience init(answering responses: [ResponseMessage]) {
    let script = Script(responses: responses)
    self.init { try script.answer($0) }
  }

  /// Returns a transport that refuses all connections.
  package static func unreachable() -> StubTransport {
    StubTransport { request in
      throw TransportFailure.cannotConnect("\(request.head.authority ?? "") (no stub)")
    }
  }

  package var requests: [RequestMessage] { sent.withLock { $0 } }

  package func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    sent.withLock { $0.append(request) }
    if Task.isCancelled { throw .canceled }
    do {
      return try await answer(request)
    } catch let failure as TransportFailure {
      throw failure
    } catch is CancellationError {
      throw .canceled
    } catch {
      throw .connectionLost("\(error)")
    }
  }

  private final class Script: Sendable {
    let responses: [ResponseMessage]
    private let next = Mutex(0)

    init(responses: [ResponseMessage]) {
      self.responses = responses
    }

    func answer(_ request: RequestMessage) throws(TransportFailure) -> ResponseMessage {
      let index = next.withLock { next in
        defer { next += 1 }
        return next
      }
      guard responses.indices.contains(index) else {
        throw .cannotConnect("\(request.url): the script has only \(responses.count) responses")
      }
      return responses[index]
    }
  }
}

extension HTTPMessage where Head == HTTPResponse {
  /// Returns a response with a text body.
  package static func text(
    _ body: String, type: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Self {
    var headers = headers
    headers[.contentType] = type
    return Self(status, headers: headers, body: Array(body.utf8))
  }

  /// Returns a response with a JSON body.
  package static func json(_ body: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Self {
    text(body, type: "application/json; charset=utf-8", status: status, headers: headers)
  }

  /// Returns a response with an HTML page.
  package static func html(_ body: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Self {
    text(body, type: "text/html; charset=utf-8", status: status, headers: headers)
  }

  /// Returns a redirect without a body.
  package static func redirect(
    to location: String, status: HTTPResponse.Status = .found, headers: HTTPFields = [:]
  ) -> Self {
    var headers = headers
    headers[.location] = location
    return Self(status, headers: headers)
  }
}
