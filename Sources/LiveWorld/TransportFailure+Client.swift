import AsyncHTTPClient
import Effects
import NIOCore
import NIOHTTP1
import NIOHTTPCompression

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension TransportFailure {
  /// Maps an HTTP client error.
  package init(_ error: any Error, host: String) {
    switch error {
    case let failure as TransportFailure: self = failure
    case is CancellationError: self = .canceled
    case is NIOTooManyBytesError, NIOHTTPDecompression.DecompressionError.limit:
      self = ResponseLimit.failure(host: host)
    case let error as HTTPClientError: self.init(client: error, host: host)
    case let error as IOError: self.init(errno: error.errnoCode, host: host)
    case let error as SocketAddressError:
      if case .unknown = error { self = .hostNotFound(host) } else { self = .cannotConnect("\(host): \(error)") }
    // The body is shorter than declared (RFC 9112 §8).
    case let error as HTTPParserError where error == .invalidEOFState:
      self = .connectionLost("\(host) closed the connection in the middle of a response")
    case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
      self = .badResponse("cannot decompress the response from \(host)")
    case is HTTPParserError: self = .badResponse("\(host) did not respond with HTTP")
    default: self.init(unnamed: error, host: host)
    }
  }

  /// Whether TLS rejected the server's certificate without giving a reason.
  static func isRefusedCertificate(_ error: any Error) -> Bool {
    String(reflecting: type(of: error)).hasPrefix("NIOSSL")
      && String(describing: error).contains("CERTIFICATE_VERIFY_FAILED")
  }

  private init(client error: HTTPClientError, host: String) {
    switch error {
    case .cancelled, .alreadyShutdown: self = .canceled
    case .connectTimeout: self = .timedOut("connecting to \(host)")
    case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout:
      self = .timedOut("waiting for \(host)")
    case .tlsHandshakeTimeout: self = .tls("\(host) did not finish the handshake in time")
    case .httpProxyHandshakeTimeout, .invalidProxyResponse, .proxyAuthenticationRequired:
      self = .proxy("\(error.shortDescription), for a request to \(host)")
    case .remoteConnectionClosed: self = .connectionLost(host)
    default: self = .badResponse("\(host): \(error.shortDescription)")
    }
  }

  /// Creates a failure from an error whose library this module does not import. The type name identifies the error.
  private init(unnamed error: any Error, host: String) {
    let type = String(reflecting: type(of: error))
    let text = String(describing: error)
    if type.hasPrefix("NIOSSL"), text.contains("failedToValidateHostname") {
      self = .tls("the certificate of \(host) is not valid for this name")
    } else if type.hasPrefix("NIOSSL"), text.contains("CERTIFICATE_VERIFY_FAILED") {
      self = .tls("the certificate of \(host) was rejected; \(CertificateDiagnosis.help)")
    } else if type.hasPrefix("NIOSSL"), text.contains("EOF during handshake") {
      self = .connectionLost("\(host) closed the connection in the middle of the TLS handshake")
    } else if type.hasPrefix("NIOSSL") {
      self = .tls(Self.explanation(ofTLS: text, host: host))
    } else if type.hasSuffix("NIOConnectionError") {
      // No address was found, no address has a route, or no address responded.
      self =
        text.hasPrefix("DNS error")
        ? .hostNotFound(host) : Self.hasNoRoute(text) ? .offline(host) : .cannotConnect(host)
    } else {
      self = .connectionLost("\(host): \(text)")
    }
  }

  /// Whether none of the tried addresses has a route. NIO reports the error numbers only in its description.
  private static func hasNoRoute(_ text: String) -> Bool {
    let numbers = text.matches(of: /errno: ([0-9]+)/).compactMap { CInt($0.1) }
    return !numbers.isEmpty && numbers.allSatisfy { [ENETUNREACH, EHOSTUNREACH, ENETDOWN].contains($0) }
  }

  /// Describes a BoringSSL error. The error's message contains a reason in uppercase.
  private static func explanation(ofTLS text: String, host: String) -> String {
    let reasons = text.matches(of: /OPENSSL_internal:([A-Z0-9_]+)/).map { String($0.1) }
    guard let reason = reasons.first else { return "\(host): \(text)" }
    switch reason {
    case "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION", "PROTOCOL_VERSION":
      return "\(host) does not support TLS 1.2 or later"
    case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST": return "\(host) does not use TLS on this port"
    case "SSLV3_ALERT_HANDSHAKE_FAILURE", "NO_CIPHERS_AVAILABLE", "NO_SHARED_CIPHER":
      return "\(host) supports no secure cipher, or requires a client certificate"
    case "TLSV1_CERTIFICATE_REQUIRED", "TLSV1_ALERT_CERTIFICATE_REQUIRED":
      return "\(host) requires a client certificate"
    default: return "\(host): \(reason.lowercased().replacing("_", with: " "))"
    }
  }

  /// Maps a socket's `errno`.
  private init(errno number: CInt, host: String) {
    switch number {
    case ECONNREFUSED, EADDRNOTAVAIL: self = .cannotConnect(host)
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN: self = .offline(host)
    case ETIMEDOUT: self = .timedOut(host)
    case ECONNRESET, EPIPE, ECONNABORTED: self = .connectionLost(host)
    default: self = .cannotConnect("\(host): \(String(cString: strerror(number)))")
    }
  }
}
