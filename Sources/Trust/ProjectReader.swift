import Diagnostics
import Documents
import Effects

extension World {
  /// The size limit for documents, in bytes.
  package static let documentLimit = 64 << 20

  /// Reads a file.
  /// - Parameter name: The path to show in the error. By default, the path of the file.
  package func bytes(of path: String, named name: String? = nil) -> Result<[UInt8], UnreadableFile> {
    do {
      return .success(try files.read(path, limit: Self.documentLimit))
    } catch {
      return .failure(UnreadableFile(path: name ?? path, failure: error))
    }
  }
}

/// Reads the files that the user specified and the documents that these files refer to. References to files outside the
/// project are rejected.
package struct ProjectReader: Sendable {
  private let world: World
  private let inputs: Set<String>
  private let roots: ProjectRoots
  /// The path of standard input, which only the name `-` in `inputs` refers to. Nil if this reader does not read
  /// standard input.
  private let standardInput: String?

  /// - Parameter inputs: The files and folders that the user specified.
  package init(inputs: [String], in world: World, standardInput: String? = nil) {
    self.world = world
    self.inputs = Set(inputs)
    self.standardInput = standardInput
    roots = ProjectRoots(of: inputs, in: world)
  }

  /// Reads a document in the project. If the file cannot be read, the result contains the error.
  package func projectDocument(at path: String, options: ReadingOptions) -> ReadResult {
    // Only the user can specify standard input. In a file, `-` is a file name.
    let path = path == "-" && !inputs.contains(path) ? "./-" : path
    if let error = outsideProjectError(path) { return ReadResult(document: nil, diagnostics: [error]) }
    return document(at: path, options: options)
  }

  /// Reads a document without checking whether it belongs to the project.
  package func document(at path: String, options: ReadingOptions) -> ReadResult {
    let isStandardInput = path == "-" && inputs.contains(path)
    switch world.bytes(of: isStandardInput ? standardInput ?? path : path, named: path) {
    case .success(let bytes):
      return DocumentReader.read(bytes, named: isStandardInput ? "<stdin>" : path, options: options)
    case .failure(var file):
      file.isReference = !inputs.contains(path)
      return ReadResult(document: nil, diagnostics: [file.diagnostic])
    }
  }

  /// Returns the error for a file outside the project, or nil if the file is allowed.
  ///
  /// Files that the user specified are checked too, because a link in a repository can refer to any file.
  package func outsideProjectError(_ path: String) -> Diagnostic? {
    let isInput = inputs.contains(path)
    if isInput, path == "-" || path == "/dev/stdin" || path.hasPrefix("/dev/fd/") { return nil }
    return roots.violation(reading: path, isNamed: isInput).map {
      Diagnostic(.error, rule: ReadResult.outsideProject, $0.message, help: $0.help, at: .file(path))
    }
  }
}
