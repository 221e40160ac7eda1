import Diagnostics
import Documents
import Effects

/// The user's own configuration: what the files of every project may use without an option on the command line.
///
/// It is read from `$XDG_CONFIG_HOME/authflow/config.yaml`, or from `~/.config/authflow/config.yaml` (XDG Base Directory
/// Specification), and never from a project.
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
      Field("live", .bool, into: \.live, default: false, "whether workflows may choose the live service"),
      Field("hosts", .list(of: Codec.nonEmptyString.located), into: \.hosts, "hosts that may receive tokens"),
      Field("env", .list(of: Codec.nonEmptyString.located), into: \.env, "environment variables for `${env:NAME}`"),
      Field("secrets", .list(of: Codec.nonEmptyString.located), into: \.secrets, "variables for `${secret:NAME}`"),
      Field("roots", .list(of: .nonEmptyString), into: \.roots, "folders that files may refer to, as absolute paths"),
    ])

  /// The path of the file, or nil if the user has no home folder.
  static func path(_ environment: Environment) -> String? {
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (folder ?? environment["HOME"].map { $0 + "/.config" }).map { $0 + "/authflow/config.yaml" }
  }

  /// Reads the configuration. A file that does not exist allows nothing.
  /// - Throws: `.unusable` if the file has errors, which are shown.
  static func load(in session: Session) throws(ExitStatus) -> UserConfiguration {
    var configuration = UserConfiguration()
    guard let path = path(session.world.environment), session.world.files.kind(of: path) != nil else {
      return configuration
    }
    let reading = session.reading(of: path)
    var problems = DiagnosticCollector()
    // A file that contains only comments allows nothing.
    var diagnostics = reading.diagnostics.filter { $0.rule != "empty-document" }
    if let root = reading.document?.root, root.kind != .null {
      _ = fields.read(root, into: &configuration, &problems)
    }
    for host in configuration.hosts where HostGrant(host.value) == nil {
      problems.add(
        Diagnostic(
          .error, rule: "configuration", "`\(host.value)` is not a host", help: "write `api.contoso.com:8443`",
          at: host.place))
    }
    for root in configuration.roots where !root.hasPrefix("/") {
      problems.add(
        Diagnostic(
          .error, rule: "configuration", "root `\(root)` is not an absolute path", help: "write the path from `/` on",
          at: .file(path)))
    }
    diagnostics += problems.diagnostics
    session.show(diagnostics)
    guard !diagnostics.hasErrors else { throw .usageError }
    return configuration
  }
}
