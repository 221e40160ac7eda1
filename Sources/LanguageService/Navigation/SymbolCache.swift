import Diagnostics
import Synchronization

/// The symbols of a snapshot, which are collected when an answer first needs them.
final class SnapshotSymbols: Sendable {
  private let built = Mutex<SymbolIndex?>(nil)
  private let cache: FileSymbolsCache

  init(cache: FileSymbolsCache) { self.cache = cache }

  func index(_ build: () -> SymbolIndex) -> SymbolIndex {
    built.withLock { built in
      if let built { return built }
      let index = build()
      if !Task.isCancelled { built = index }
      return index
    }
  }

  func file(_ document: SnapshotDocument) -> FileSymbols? { cache.symbols(of: document) }

  /// Returns whether a text may be a workflow, scenarios, a directory, or settings. The other files of a project are
  /// not parsed.
  func mayContainSymbols(_ bytes: [UInt8], named name: String) -> Bool { cache.mayContainSymbols(bytes, named: name) }
}

/// The symbols of parsed documents, which are used until the content of a file changes.
final class FileSymbolsCache: Sendable {
  private let files = Mutex<[String: (source: SourceText, symbols: FileSymbols?)]>([:])
  private let searched = Mutex<[String: (bytes: [UInt8], mayContainSymbols: Bool)]>([:])

  func symbols(of document: SnapshotDocument) -> FileSymbols? {
    if let cached = files.withLock({ $0[document.name] }), cached.source === document.source { return cached.symbols }
    let symbols = FileSymbols(document.parsed)
    files.withLock { $0[document.name] = (document.source, symbols) }
    return symbols
  }

  func mayContainSymbols(_ bytes: [UInt8], named name: String) -> Bool {
    if let cached = searched.withLock({ $0[name] }), cached.bytes == bytes { return cached.mayContainSymbols }
    let isFound = Self.keys.contains { bytes.firstRange(of: $0) != nil }
    searched.withLock { $0[name] = (bytes, isFound) }
    return isFound
  }

  /// Keys of the files that contain symbols.
  private static let keys = ["authflow", "steps", "directory", "InfoPlist", "info_plist"].map { Array($0.utf8) }
}
