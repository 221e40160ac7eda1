import Effects
import NIOSSL

/// The capabilities of this machine for live sign-in, detected without network requests.
package struct HostCapabilities: Sendable {
  private let environment: Environment
  private let files: any FileSystem

  package init(environment: Environment, files: any FileSystem) {
    self.environment = environment
    self.files = files
  }

  /// Whether windows can be shown. A browser in `BROWSER` and the Windows browser (under WSL) do not require this
  /// capability.
  package var hasDisplay: Bool {
    #if os(macOS)
      true
    #else
      BrowserCommands.hasDisplay(environment)
    #endif
  }

  /// The programs to try for opening a page, in order, with their paths. The path is nil if the program is missing.
  package var browsers: [(name: String, path: String?)] {
    BrowserCommands.find(for: "https://login.microsoftonline.com/", in: environment).compactMap(\.first).map {
      ($0, path(of: $0))
    }
  }

  /// Finds a program in `PATH`, as `execvp` does.
  private func path(of program: String) -> String? {
    if program.contains("/") { return files.kind(of: program) == .file ? program : nil }
    let folders = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(program)" }.first { files.kind(of: $0) == .file }
  }

  /// A description of the problem if there are no certificate authorities or if `SSL_CERT_FILE` or `SSL_CERT_DIR` is
  /// invalid. Nil if there is no problem.
  package var authoritiesComplaint: String? {
    var tls = TLSConfiguration.makeClientConfiguration()
    do throws(TransportFailure) { try TrustedRoots.set(&tls, from: environment) } catch { return error.explanation }
    return nil
  }

  /// Returns the proxy for HTTPS requests to a host, without the password, or nil for a direct connection.
  package func proxy(forHost host: String) -> String? {
    (try? ProxyAddress.find(scheme: "https", authority: host, in: environment)).map { "\($0.host):\($0.port)" }
  }

  /// The variables that contain an unsupported proxy.
  package var unusableProxies: [String] {
    ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"].filter { name in
      environment[name].map { ProxyAddress($0) == nil } ?? false
    }
  }
}
