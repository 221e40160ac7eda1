import Effects
import NIOSSL

/// What this machine has for signing in for real, as far as it can be seen without asking anybody.
package struct HostCapabilities: Sendable {
  private let environment: Environment
  private let files: any FileSystem

  package init(environment: Environment, files: any FileSystem) {
    self.environment = environment
    self.files = files
  }

  /// Whether windows can be shown here; a browser that `BROWSER` names, and Windows' own, need none of ours.
  package var hasDisplay: Bool {
    #if os(macOS)
      true
    #else
      BrowserCommands.hasDisplay(environment)
    #endif
  }

  /// The programs that would be tried for a page, in their order, and where each was found; nil where it is nowhere.
  package var browsers: [(name: String, path: String?)] {
    BrowserCommands.find(for: "https://login.microsoftonline.com/", in: environment).compactMap(\.first).map {
      ($0, path(of: $0))
    }
  }

  /// Where a program is that is started by its name, as `execvp` looks for it.
  private func path(of program: String) -> String? {
    if program.contains("/") { return files.kind(of: program) == .file ? program : nil }
    let folders = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(program)" }.first { files.kind(of: $0) == .file }
  }

  /// Why TLS would trust nobody, or not whom the environment names; nil where all is well.
  package var authoritiesComplaint: String? {
    var tls = TLSConfiguration.makeClientConfiguration()
    do throws(TransportFailure) { try TrustedRoots.set(&tls, from: environment) } catch { return error.explanation }
    return nil
  }

  /// The proxy that requests to an https address would go through, without its password; nil where they go straight.
  package func proxy(forHost host: String) -> String? {
    (try? ProxyAddress.find(scheme: "https", authority: host, in: environment)).map { "\($0.host):\($0.port)" }
  }

  /// The variables that ask for a proxy of a kind that is not spoken.
  package var unusableProxies: [String] {
    ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"].filter { name in
      environment[name].map { ProxyAddress($0) == nil } ?? false
    }
  }
}
