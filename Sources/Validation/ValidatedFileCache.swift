import AppRegistration
import Diagnostics
import Documents
import Synchronization

/// A cache of documents and decoded files from earlier validations, so that the next validation reads only changed
/// files.
package final class ValidatedFileCache: Sendable {
  /// A document that was loaded while a file was decoded.
  private struct Dependency {
    var path: String
    var options: ReadingOptions
    var result: ReadResult
  }

  private struct Entry {
    var named: NamedFile
    /// The content of the general settings that the file overrides.
    var base: [UInt8]?
    var dependencies: [Dependency]
    var file: ValidatedFile
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var documents: [CachingDocumentLoader.Key: (bytes: [UInt8], result: ReadResult)] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns the decoded file from an earlier validation if neither the file nor its dependencies have changed.
  /// Otherwise, decodes the file.
  func file(
    _ named: NamedFile, over base: NamedFile?, load: @escaping DocumentLoader,
    decode: (_ load: @escaping DocumentLoader) -> ValidatedFile
  ) -> ValidatedFile {
    let entry = state.withLock { $0.entries[named.name] }
    if let entry, entry.named == named, entry.base == base?.bytes,
      entry.dependencies.allSatisfy({ $0.result.isSameDocument(as: load($0.path, $0.options)) })
    {
      return entry.file
    }
    let recorded = Mutex<[Dependency]>([])
    let file = decode { path, options in
      let result = load(path, options)
      recorded.withLock { $0.append(Dependency(path: path, options: options, result: result)) }
      return result
    }
    let dependencies = recorded.withLock { $0 }
    state.withLock {
      $0.entries[named.name] = Entry(named: named, base: base?.bytes, dependencies: dependencies, file: file)
    }
    return file
  }

  /// Returns the document from an earlier validation if its content has not changed. Otherwise, reads the document.
  package func document(_ bytes: [UInt8], named path: String, options: ReadingOptions) -> ReadResult {
    let key = CachingDocumentLoader.Key(path: path, options: options)
    if let cached = state.withLock({ $0.documents[key] }), cached.bytes == bytes { return cached.result }
    let result = DocumentReader.read(bytes, named: path, options: options)
    state.withLock { $0.documents[key] = (bytes, result) }
    return result
  }

  /// Removes all files whose names are not in `names`.
  func keep(only names: Set<String>) {
    state.withLock { state in state.entries = state.entries.filter { names.contains($0.key) } }
  }
}

extension NamedFile {
  fileprivate static func == (lhs: NamedFile, rhs: NamedFile) -> Bool {
    // The bytes come last: comparing arrays takes time unless they share storage.
    lhs.root == rhs.root && lhs.isIgnored == rhs.isIgnored && lhs.isOpen == rhs.isOpen && lhs.bytes == rhs.bytes
  }
}

extension ReadResult {
  /// Returns whether both results contain the same document, or both failed for the same reason.
  fileprivate func isSameDocument(as other: ReadResult) -> Bool {
    guard let document else {
      return other.document == nil && diagnostics.map(\.message) == other.diagnostics.map(\.message)
    }
    return document === other.document || document.source.bytes == other.document?.source.bytes
  }
}
