import Diagnostics
import Directory
import Documents

/// The directory that the emulated platform serves, as layers of sources say it.
package struct ServedDirectory: Sendable {
  package var directory = EmulatedDirectory.contoso
  /// The file that says it; nil for the built-in one.
  package var path: String?

  package init() {}

  /// Lays one more source over it: a mapping merges, a file or `contoso` replaces what is below.
  /// - Parameters:
  ///   - isFirst: whether nothing lies below, so that a mapping stands alone.
  ///   - file: the workflow, beside which paths are looked for.
  package mutating func take(
    _ source: Workflow.DirectorySource, isFirst: Bool = false, besides file: String, load: (String) -> ReadResult,
    _ diagnostics: inout [Diagnostic]
  ) {
    switch source {
    case .contoso: self = ServedDirectory()
    case .inline(let node):
      directory = Self.read(node, over: isFirst ? nil : directory, &diagnostics)
      path = file
    case .file(let name):
      let file = FilePath.join(FilePath.folder(of: file), name.value)
      var reading = load(file)
      reading.diagnostics.moveFileErrors(of: file, to: name.place)
      diagnostics += reading.diagnostics
      directory = reading.document.map { Self.read($0.root, &diagnostics) } ?? .contoso
      path = file
    }
  }

  /// Reads a directory document; what cannot be read at all is Contoso, with an error told.
  package static func read(
    _ node: Node, over base: EmulatedDirectory? = nil, _ diagnostics: inout [Diagnostic]
  ) -> EmulatedDirectory {
    let (directory, told) = EmulatedDirectory.read(node, over: base)
    diagnostics += told
    return directory ?? .contoso
  }
}
