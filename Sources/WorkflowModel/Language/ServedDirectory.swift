import Diagnostics
import Directory
import Documents

/// The directory of the emulator, merged from one or more sources.
package struct ServedDirectory: Sendable {
  package var directory = EmulatedDirectory.contoso
  /// The file that defines the directory. Nil for the built-in directory.
  package var path: String?

  package init() {}

  /// Applies another source. A mapping is merged over the directory, and a file or `contoso` replaces the directory.
  /// - Parameters:
  ///   - isFirst: Whether a mapping is a complete directory instead of an override.
  ///   - file: The file of the workflow. Paths are relative to its folder.
  package mutating func apply(
    _ source: Workflow.DirectorySource, isFirst: Bool = false, relativeTo file: String, load: (String) -> ReadResult,
    _ diagnostics: inout [Diagnostic]
  ) {
    switch source {
    case .contoso: self = ServedDirectory()
    case .inline(let node):
      directory = Self.read(node, over: isFirst ? nil : directory, &diagnostics)
      path = file
    case .file(let name):
      let file = FilePath.join(FilePath.folder(of: file), name.value)
      var result = load(file)
      result.diagnostics.moveFileErrors(of: file, to: name.place)
      diagnostics += result.diagnostics
      directory = result.document.map { Self.read($0.root, &diagnostics) } ?? .contoso
      path = file
    }
  }

  /// Reads a directory document. Reports an error and returns Contoso if the document is invalid.
  package static func read(
    _ node: Node, over base: EmulatedDirectory? = nil, _ diagnostics: inout [Diagnostic]
  ) -> EmulatedDirectory {
    let (directory, problems) = EmulatedDirectory.read(node, over: base)
    diagnostics += problems
    return directory ?? .contoso
  }
}
