import ArgumentParser
import Documents
import Effects
import OrderedCollections
import SystemWorld
import TokenCache

/// The location of a token cache: a state folder, the system's keyring, or a cache file from any MSAL library.
struct CacheLocation: Sendable {
  /// The folder that also contains the other saved state, or nil for another program's cache file.
  let folder: StateFolder?
  let store: any BlobStore
  /// A note for the user, for example that the keyring is not available.
  let note: String?
  private let files: any FileSystem

  /// - Parameters:
  ///   - option: The value of `--cache`: a folder, a cache file, or `keyring`. Nil selects the default location.
  ///   - defaultFolder: The platform's default location.
  init(_ option: String?, defaultFolder: StateFolder, in world: World) {
    files = world.files
    guard let option, option != Self.keyring else {
      folder = defaultFolder
      (store, note) = TokenStores.open(
        option == nil ? .file : .keyring, cacheFile: defaultFolder.cache, in: world.files,
        environment: world.environment)
      return
    }
    let isFile =
      files.kind(of: option) == .file
      || files.kind(of: option) == nil && [".json", ".bin", ".cache"].contains { option.hasSuffix($0) }
    folder = isFile ? nil : StateFolder(path: option)
    store = FileBlobStore(folder?.cache ?? option, in: files)
    note = nil
  }

  /// The value of `--cache` that selects the system's keyring. `./keyring` selects a folder with that name.
  static let keyring = "keyring"

  /// The path of the cache, or the name of its keyring item.
  var path: String { store.location }

  /// Whether the location contains a cache.
  func exists() throws(FileFailure) -> Bool { try store.load() != nil }

  /// Returns the current time for runs that use this cache. Simulated waits put the emulator's time ahead of the system
  /// clock.
  func now(_ clock: any WorldClock) -> Instant {
    guard let folder, let bytes = try? files.read(folder.clock, limit: 1 << 16),
      let offset = try? JSON(parsing: bytes)["offsetNanoseconds"]?.integer
    else { return clock.now }
    return clock.now + .nanoseconds(offset)
  }
}

/// The options that select a token cache.
struct CacheLocationOptions: ParsableArguments {
  enum Platform: String, ExpressibleByArgument, CaseIterable {
    case emulated, live
  }

  @Option(
    help: ArgumentHelp("Use the cache in this folder or file, or in the keyring", valueName: "folder|file|keyring"),
    completion: .file())
  var cache: String?
  @Option(help: "Use the default cache for this platform") var platform: Platform?

  /// Returns the selected location. The default is the built-in emulator's location.
  func location(in session: Session) throws(ExitStatus) -> CacheLocation {
    let environment = session.world.environment
    let folder = platform == .live ? StateFolder.live(environment) : StateFolder.emulated(directory: nil, environment)
    let location = CacheLocation(cache, defaultFolder: folder, in: session.world)
    if let note = location.note { session.printStatus("note: \(note)") }
    if let folder = location.folder { try session.prepare(folder) }
    return location
  }

  /// Returns the selected location, or all default locations that contain a cache.
  func locations(in session: Session) throws(ExitStatus) -> [CacheLocation] {
    if cache != nil || platform != nil { return [try location(in: session)] }
    let root = StateFolder.root(session.world.environment)
    let names = (try? session.world.files.list(root)) ?? []
    let folders = names.map { StateFolder(path: root + "/" + $0) }.filter {
      session.world.files.kind(of: $0.cache) == .file
    }
    guard !folders.isEmpty else { return [try location(in: session)] }
    for folder in folders { try session.prepare(folder) }
    return folders.map { CacheLocation(nil, defaultFolder: $0, in: session.world) }
  }
}

extension CacheLocation {
  /// Reads the selected cache. The listing is empty if there is no cache.
  func listing(in session: Session) throws(ExitStatus) -> CacheListing {
    do throws(TokenCacheFailure) {
      let contents = try UnifiedTokenCache(store: store).contents()
      let exists: Bool
      do throws(FileFailure) {
        exists = try self.exists()
      } catch {
        throw .store(error)
      }
      return CacheListing(contents, location: path, exists: exists, now: now(session.world.clock))
    } catch {
      throw report(error, in: session)
    }
  }

  /// Changes the members of the stored JSON while holding the store's lock.
  func change<Result>(
    in session: Session, _ change: (inout JSON.Members) throws -> Result
  ) throws(ExitStatus) -> Result {
    do {
      return try store.update { bytes in
        var members: JSON.Members = [:]
        if let stored = bytes, !stored.isEmpty {
          // Never overwrite a file that is not a token cache.
          _ = try CacheContents(bytes: stored)
          members = try JSON(parsing: stored.withoutByteOrderMark).object ?? [:]
        }
        let before = members
        let result = try change(&members)
        if members.isEmpty {
          bytes = nil
        } else if JSON.object(members) != JSON.object(before) {
          bytes = Array(JSON.object(members).text(sortedKeys: false).utf8)
        }
        return result
      }
    } catch let failure as TokenCacheFailure {
      throw report(failure, in: session)
    } catch let failure as FileFailure {
      throw report(.store(failure), in: session)
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw session.report(.environmentFailure, "\(path): \(error)")
    }
  }

  private func report(_ failure: TokenCacheFailure, in session: Session) -> ExitStatus {
    var help: String?
    if case .corrupt = failure {
      help = folder == nil ? "move the file to another location" : "move the file, or run `authflow reset` to delete it"
    }
    session.reportError("\(path): \(failure.explanation)", help: help)
    return .environmentFailure
  }
}

extension [UInt8] {
  /// The bytes without a byte order mark, which Windows tools add to UTF-8 text.
  var withoutByteOrderMark: ArraySlice<UInt8> { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }
}
