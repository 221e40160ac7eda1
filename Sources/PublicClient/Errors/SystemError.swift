import Effects

/// A system error that MSAL forwards, with Apple's domain and code.
package struct SystemError: Hashable, Sendable {
  package var domain: String
  package var code: Int

  package static let urlDomain = "NSURLErrorDomain"
  package static let statusDomain = "NSOSStatusErrorDomain"

  init(_ failure: TransportFailure) {
    domain = Self.urlDomain
    code =
      switch failure {
      case .canceled: -999
      case .timedOut: -1001
      case .hostNotFound: -1003
      case .cannotConnect, .proxy: -1004
      case .connectionLost: -1005
      case .offline: -1009
      case .badResponse, .notRecorded: -1011
      case .tooLong: -1103
      case .tls: -1200
      }
  }

  /// Creates an error for a cache store failure. MSAL uses the keychain, but authflow can also use a file, so this
  /// initializer uses Apple's codes for files: `fnfErr`, `permErr`, `dskFulErr`, and `ioErr`.
  init(_ failure: FileFailure) {
    domain = Self.statusDomain
    code =
      switch failure {
      case .notFound: -43
      case .notPermitted: -54
      case .noSpace: -34
      default: -36
      }
  }
}
