import Diagnostics
import Documents
import Effects

/// The user's configuration. It grants access for all projects, without options on the command line.
///
/// The file is `$XDG_CONFIG_HOME/authflow/config.yaml` or `~/.config/authflow/config.yaml` (XDG Base Directory
/// Specification). A project cannot contain this file.
struct UserConfiguration: Sendable {
  /// Whether a workflow with `platform: live` runs against the live service without `--platform live`.
  var live = false
  var hosts: [Positioned<String>] = []
  var env: [Positioned<String>] = []
  var secrets: [Positioned<String>] = []
  var roots: [String] = []

  static let fields = Fields<UserConfiguration>(
    "the configuration",
    [
      Field("live", .bool, into: { $0.live = $1 }, default: false, "whether workflows can select the live service"),
      Field("hosts", .list(of: Codec.nonEmptyString.located), into: { $0.hosts = $1 }, "hosts that can receive tokens"),
      Field(
        "env", .list(of: Codec.nonEmptyString.located), into: { $0.env = $1 }, "environment variables for `${env:NAME}`"
      ),
      Field(
        "secrets", .list(of: Codec.nonEmptyString.located), into: { $0.secrets = $1 }, "variables for `${secret:NAME}`"),
      Field(
        "roots", .list(of: .nonEmptyString), into: { $0.roots = $1 },
        "absolute paths of folders that files can refer to"),
    ])

  /// Returns the path of the file, or nil if the user has no home folder.
  static func path(_ environment: Environment) -> String? {
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (folder ?? environment["HOME"].map { $0 + "/.config" }).map { $0 + "/authflow/config.yaml" }
  }

  /// Reads the configuration. If the file does not exist, the configuration does not grant access.
  /// - Throws: `.usageError` if the file has errors. The errors have been reported.
  static func load(in session: Session) throws(ExitStatus) -> UserConfiguration {
    var configuration = UserConfiguration()
    guard let path = path(session.world.environment), session.world.files.kind(of: path) != nil else {
      return configuration
    }
    let result = session.readDocument(at: path)
    var collector = DiagnosticCollector()
    // A file with only comments is valid.
    var diagnostics = result.diagnostics.filter { $0.rule != "empty-document" }
    if let root = result.document?.root, root.kind != .null {
      _ = fields.read(root, into: &configuration, &collector)
    }
    for host in configuration.hosts where HostGrant(host.value) == nil {
      collector.add(
        Diagnostic(
          .error, rule: "configuration", "invalid host `\(host.value)`",
          help: "write a host such as `api.contoso.com:8443`",
          at: host.place))
    }
    for root in configuration.roots where !root.hasPrefix("/") {
      collector.add(
        Diagnostic(
          .error, rule: "configuration", "root `\(root)` is not an absolute path",
          help: "write a path that starts with `/`",
          at: .file(path)))
    }
    diagnostics += collector.diagnostics
    session.show(diagnostics)
    guard !diagnostics.hasErrors else { throw .usageError }
    return configuration
  }
}
