import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A URL protocol that routes an app's requests to a platform. See ``EmulatedPlatform/urlProtocolClass``.
final class EmulatedPlatformURLProtocol<Number: PlatformTypeNumber>: URLProtocol {
  private let loading = Mutex<Task<Void, Never>?>(nil)

  private static var platform: EmulatedPlatform? { PlatformRegistration.platform(Number.value.number) }

  override class func canInit(with request: URLRequest) -> Bool {
    guard let scheme = request.url?.scheme?.lowercased(), scheme == "https" || scheme == "http" else { return false }
    // Even after the platform is released, requests must not reach real hosts.
    return platform?.serves(host: request.url?.host ?? "") ?? true
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    // `URLProtocol` is not Sendable, but its client accepts calls from any thread, and only this task calls it.
    nonisolated(unsafe) let loader = self
    let request = self.request
    let platform = Self.platform
    let task = Task {
      do {
        guard let platform else { throw URLError(.cannotConnectToHost) }
        let (response, body) = try await platform.answer(request)
        try Task.checkCancellation()
        loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
        if !body.isEmpty { loader.client?.urlProtocol(loader, didLoad: body) }
        loader.client?.urlProtocolDidFinishLoading(loader)
      } catch is CancellationError {
        return
      } catch {
        loader.client?.urlProtocol(loader, didFailWithError: error)
      }
    }
    loading.withLock { $0 = task }
  }

  override func stopLoading() {
    loading.withLock { $0 }?.cancel()
  }
}

extension EmulatedPlatform {
  /// Responds to a request and follows redirects, because on Linux, Foundation does not follow redirects for custom
  /// protocols.
  fileprivate func answer(_ request: URLRequest) async throws(URLError) -> (HTTPURLResponse, Data) {
    var request = request
    for _ in 0..<20 {
      let (data, response) = try await respond(to: request)
      guard let next = request.following(response) else { return (response, data) }
      request = next
    }
    throw URLError(.httpTooManyRedirects)
  }

  /// Responds to a request as the real network and service would. Redirects are returned, not followed.
  /// - Throws: `URLError` if there is no response.
  public func respond(to request: URLRequest) async throws(URLError) -> (Data, HTTPURLResponse) {
    guard let url = request.url else { throw URLError(.badURL) }
    let headers = (request.allHTTPHeaderFields ?? [:]).map { Header($0.key, $0.value) }
    let body = request.httpBody ?? request.httpBodyStream.map { $0.wholeContent() } ?? Data()
    let answer = try await respond(
      to: Request(request.httpMethod ?? "GET", url.absoluteString, headers: headers, body: Array(body)))
    var fields: [String: String] = [:]
    for header in answer.headers { fields[header.name] = [fields[header.name], header.value].joined }
    guard
      let response = HTTPURLResponse(
        url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: fields)
    else { throw URLError(.badServerResponse) }
    return (Data(answer.body), response)
  }
}

extension [String?] {
  /// The values of all header fields with the same name, combined into one value (RFC 9110 §5.3).
  fileprivate var joined: String { compactMap { $0 }.joined(separator: ", ") }
}

extension InputStream {
  /// Reads the stream that `URLSession` creates for a request body on Apple platforms.
  fileprivate func wholeContent() -> Data {
    open()
    defer { close() }
    var content = Data()
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(&buffer, maxLength: buffer.count)
      guard count > 0 else { return content }
      content.append(contentsOf: buffer.prefix(count))
    }
  }
}

extension URLRequest {
  /// Returns the request to send after a redirect, or nil if the response is not a redirect. As in browsers and
  /// `URLSession`, the method becomes `GET` after a 303 response, and after a 301 or 302 response to `POST`.
  /// Credentials are sent only to the same host.
  fileprivate func following(_ response: HTTPURLResponse) -> URLRequest? {
    guard [301, 302, 303, 307, 308].contains(response.statusCode), let url,
      let location = response.value(forHTTPHeaderField: "Location"),
      let target = URL(string: location, relativeTo: url)?.absoluteURL,
      ["https", "http"].contains(target.scheme?.lowercased())
    else { return nil }
    var next = self
    next.url = target
    let becomesGet = response.statusCode == 303 || response.statusCode < 303 && httpMethod == "POST"
    if becomesGet, httpMethod != "HEAD" {
      next.httpMethod = "GET"
      next.httpBody = nil
    }
    if target.host != url.host { next.setValue(nil, forHTTPHeaderField: "Authorization") }
    return next
  }
}
