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
  /// What a client's error means.
  package init(_ error: any Error, host: String) {
    switch error {
    case let failure as TransportFailure: self = failure
    case is CancellationError: self = .cancelled
    case is NIOTooManyBytesError, NIOHTTPDecompression.DecompressionError.limit:
      self = ResponseLimit.failure(host: host)
    case let error as HTTPClientError: self.init(client: error, host: host)
    case let error as IOError: self.init(errno: error.errnoCode, host: host)
    case let error as SocketAddressError:
      if case .unknown = error { self = .hostNotFound(host) } else { self = .cannotConnect("\(host): \(error)") }
    // Fewer bytes than were announced: RFC 9112 §8.
    case let error as HTTPParserError where error == .invalidEOFState:
      self = .connectionLost("\(host) closed the connection in the middle of its answer")
    case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
      self = .badResponse("what \(host) compressed cannot be read: its answer is damaged")
    case is HTTPParserError: self = .badResponse("\(host) does not answer in HTTP")
    default: self.init(unnamed: error, host: host)
    }
  }

  /// Whether TLS refused the server's certificate, without saying why.
  static func isRefusedCertificate(_ error: any Error) -> Bool {
    String(reflecting: type(of: error)).hasPrefix("NIOSSL")
      && String(describing: error).contains("CERTIFICATE_VERIFY_FAILED")
  }

  private init(client error: HTTPClientError, host: String) {
    switch error {
    case .cancelled, .alreadyShutdown: self = .cancelled
    case .connectTimeout: self = .timedOut("connecting to \(host)")
    case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout:
      self = .timedOut("waiting for \(host)")
    case .tlsHandshakeTimeout: self = .tls("\(host) did not finish the handshake in time")
    case .httpProxyHandshakeTimeout, .invalidProxyResponse, .proxyAuthenticationRequired:
      self = .proxy("\(error.shortDescription), on the way to \(host)")
    case .remoteConnectionClosed: self = .connectionLost(host)
    default: self = .badResponse("\(host): \(error.shortDescription)")
    }
  }

  /// Errors whose types live in libraries that this room does not import are told apart by their names.
  private init(unnamed error: any Error, host: String) {
    let type = String(reflecting: type(of: error))
    let text = String(describing: error)
    if type.hasPrefix("NIOSSL"), text.contains("failedToValidateHostname") {
      self = .tls("the certificate of \(host) is for other names")
    } else if type.hasPrefix("NIOSSL"), text.contains("CERTIFICATE_VERIFY_FAILED") {
      self = .tls("the certificate of \(host) is refused; \(CertificateDiagnosis.help)")
    } else if type.hasPrefix("NIOSSL"), text.contains("EOF during handshake") {
      self = .connectionLost("\(host) closed the connection in the middle of the TLS handshake")
    } else if type.hasPrefix("NIOSSL") {
      self = .tls(Self.complaint(ofTLS: text, host: host))
    } else if type.hasSuffix("NIOConnectionError") {
      // Either no address was found, or there is no way to any of them, or none answered.
      self =
        text.hasPrefix("DNS error")
        ? .hostNotFound(host) : Self.isWithoutWay(text) ? .offline(host) : .cannotConnect(host)
    } else {
      self = .connectionLost("\(host): \(text)")
    }
  }

  /// Whether every address that was tried has no route, by the error numbers in the words.
  private static func isWithoutWay(_ text: String) -> Bool {
    let numbers = text.matches(of: /errno: ([0-9]+)/).compactMap { CInt($0.1) }
    return !numbers.isEmpty && numbers.allSatisfy { [ENETUNREACH, EHOSTUNREACH, ENETDOWN].contains($0) }
  }

  /// BoringSSL's complaint in words: it names its reasons in capitals, among places of its own source.
  private static func complaint(ofTLS text: String, host: String) -> String {
    let reasons = text.matches(of: /OPENSSL_internal:([A-Z0-9_]+)/).map { String($0.1) }
    guard let reason = reasons.first else { return "\(host): \(text)" }
    switch reason {
    case "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION", "PROTOCOL_VERSION":
      return "\(host) speaks no TLS of version 1.2 or newer"
    case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST": return "\(host) does not speak TLS there"
    case "SSLV3_ALERT_HANDSHAKE_FAILURE", "NO_CIPHERS_AVAILABLE", "NO_SHARED_CIPHER":
      return "\(host) speaks no cipher that is safe today, or wants a certificate of the client's"
    case "TLSV1_CERTIFICATE_REQUIRED", "TLSV1_ALERT_CERTIFICATE_REQUIRED":
      return "\(host) wants a certificate of the client's"
    default: return "\(host): \(reason.lowercased().replacing("_", with: " "))"
    }
  }

  /// What an error number of a socket means.
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
