import Effects

/// An error of the system that MSAL hands on as it is: domain and code are Apple's.
package struct SystemError: Hashable, Sendable {
  package var domain: String
  package var code: Int

  package static let urlDomain = "NSURLErrorDomain"
  package static let statusDomain = "NSOSStatusErrorDomain"

  init(_ failure: TransportFailure) {
    domain = Self.urlDomain
    code =
      switch failure {
      case .cancelled: -999
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

  /// The cache's store could not be used. Where MSAL has a keychain, there may be a file here: the codes are the system's
  /// own for files (`fnfErr`, `permErr`, `dskFulErr`, `ioErr`).
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
