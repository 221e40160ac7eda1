import AppRegistration
import Diagnostics
import Documents
import Effects
import Foundation
import SimulatedWorld
import SystemWorld

/// Functions that read the files of the project under test.
enum ProjectFiles {
  /// The maximum size of a document in bytes, as on the command line.
  private static let limit = 64 << 20

  /// An environment with the real files and environment variables, but without a network. Tests are trusted code, so
  /// workflows can read all variables.
  static var world: World {
    var world = World.live(http: StubTransport.unreachable())
    world.environment.grants.variables = world.environment.variables
    return world
  }

  /// Resolves a relative path against the working directory, as in `swift test`. If the file does not exist there,
  /// tries the folder of the test's source file and its parent folders, because Xcode runs tests in a different folder.
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

  /// Returns the path of a file URL. For any other URL, returns the complete URL, so that the error for the unreadable
  /// file contains the URL.
  static func path(of url: URL) -> String {
    url.isFileURL ? url.path(percentEncoded: false) : url.absoluteString
  }

  /// Returns a loader that reads documents. If `text` is not nil, the loader returns `text.content` for the file
  /// `text.name`.
  static func load(in world: World, text: (name: String, content: String)? = nil) -> DocumentLoader {
    { path, options in
      if let text, text.name == path { return DocumentReader.read(text.content, named: path, options: options) }
      do {
        return DocumentReader.read(try world.files.read(path, limit: limit), named: path, options: options)
      } catch {
        let diagnostic = Diagnostic(
          .error, rule: "unreadable-file", reason(error),
          help: "check the path: relative paths in a file are resolved against that file's folder", at: .file(path))
        return ReadResult(document: nil, diagnostics: [diagnostic])
      }
    }
  }

  private static func reason(_ failure: any Error) -> String {
    guard let failure = failure as? FileFailure else { return "\(failure)" }
    return switch failure {
    case .notFound: "no such file"
    case .isDirectory: "is a directory, not a file"
    case .notPermitted: "permission denied"
    default: failure.explanation
    }
  }
}
