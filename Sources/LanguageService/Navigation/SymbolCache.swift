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
}

/// The symbols of parsed documents, which are used until the content of a file changes.
final class FileSymbolsCache: Sendable {
  private let files = Mutex<[String: (source: SourceText, symbols: FileSymbols?)]>([:])

  func symbols(of document: SnapshotDocument) -> FileSymbols? {
    if let cached = files.withLock({ $0[document.name] }), cached.source === document.source { return cached.symbols }
    let symbols = FileSymbols(document)
    files.withLock { $0[document.name] = (document.source, symbols) }
    return symbols
  }
}
