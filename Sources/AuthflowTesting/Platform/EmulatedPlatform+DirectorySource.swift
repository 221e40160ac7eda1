import Diagnostics
import Directory
import Documents
import Effects
import Foundation
import WorkflowModel

extension EmulatedPlatform {
  /// The source of a platform's tenants, users, apps, and policies.
  public struct DirectorySource: Sendable {
    private enum Source: Sendable {
      case contoso
      case text(String, name: String)
      case file(String, calledFrom: String)
    }

    private let source: Source

    /// The default directory: a member, an administrator, users with a second factor, a guest, a disabled account, a
    /// personal account, and more. The documentation lists these accounts with their passwords.
    public static let contoso = DirectorySource(source: .contoso)

    /// Creates a source from a string in YAML or JSON.
    ///
    /// ```swift
    /// .yaml("""
    ///   directory: 1
    ///   tenants:
    ///     - name: Tailspin
    ///       domains: [tailspin.example]
    ///       users: [{username: tess@tailspin.example, password: Fake-Tess-1, mfa: push}]
    ///   """)
    /// ```
    public static func yaml(_ text: String) -> DirectorySource {
      DirectorySource(source: .text(text, name: "directory.yaml"))
    }

    /// Creates a source from a directory file in YAML, JSON, or property list format. Relative paths are resolved as in
    /// ``WorkflowSuite``.
    public static func contentsOf(_ path: String, sourceFile: String = #filePath) -> DirectorySource {
      DirectorySource(source: .file(path, calledFrom: sourceFile))
    }

    /// Creates a source from a directory file, for example a resource of the test bundle.
    /// - Parameter url: A file URL.
    public static func contentsOf(_ url: URL) -> DirectorySource {
      DirectorySource(source: .file(ProjectFiles.path(of: url), calledFrom: ""))
    }

    /// - Throws: `AuthflowError` with all errors in the directory.
    func read() throws(AuthflowError) -> EmulatedDirectory {
      let reading: ReadResult
      switch source {
      case .contoso: return .contoso
      case .text(let text, let name): reading = DocumentReader.read(text, named: name)
      case .file(let path, let source):
        let world = ProjectFiles.world
        reading = ProjectFiles.load(in: world)(
          ProjectFiles.path(path, calledFrom: source, in: world), ReadingOptions())
      }
      var diagnostics = reading.diagnostics
      let directory = reading.document.map { ServedDirectory.read($0.root, &diagnostics) }
      guard let directory, !diagnostics.hasErrors else { throw AuthflowError(diagnostics) }
      return directory
    }
  }
}
