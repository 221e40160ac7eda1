import AppRegistration
import Diagnostics
import Documents
import Effects
import SimulatedWorld
import SystemWorld

/// The files of the project under test, read and never written.
enum ProjectFiles {
  /// The largest document that is read, as on the command line.
  private static let limit = 64 << 20

  /// The real files and environment, without any network. Tests are code of the user, so workflows may read all variables.
  static var world: World {
    var world = World.live(http: StubTransport.nobody())
    world.environment.grants.variables = world.environment.variables
    return world
  }

  /// Where a relative path leads: from the working directory, as `swift test` has it, or from the folder of the test's
  /// source file or one above it, because Xcode starts tests elsewhere.
  static func path(_ path: String, calledFrom source: String, in world: World) -> String {
    guard !path.hasPrefix("/"), world.files.kind(of: path) == nil else { return path }
    var folder = FilePath.folder(of: source)
    while !folder.isEmpty, folder != "/", folder != "." {
      let candidate = FilePath.join(folder, path)
      if world.files.kind(of: candidate) != nil { return candidate }
      let above = FilePath.folder(of: folder)
      guard above != folder else { break }
      folder = above
    }
    return path
  }

  /// Reads documents; a text that was handed over counts as the file of its name.
  static func load(in world: World, text: (name: String, content: String)? = nil) -> DocumentLoader {
    { path, options in
      if let text, text.name == path { return DocumentReader.read(text.content, named: path, options: options) }
      do {
        return DocumentReader.read(try world.files.read(path, limit: limit), named: path, options: options)
      } catch {
        let diagnostic = Diagnostic(
          .error, rule: "unreadable-file", reason(error), help: "relative paths start at the file that names them",
          at: .file(path))
        return ReadResult(document: nil, diagnostics: [diagnostic])
      }
    }
  }

  private static func reason(_ failure: any Error) -> String {
    guard let failure = failure as? FileFailure else { return "\(failure)" }
    return switch failure {
    case .notFound: "no such file"
    case .isDirectory: "is a directory, a file is needed"
    case .notPermitted: "permission denied"
    default: failure.explanation
    }
  }
}
