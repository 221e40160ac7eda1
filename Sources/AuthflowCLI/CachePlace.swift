import ArgumentParser
import Documents
import Effects
import OrderedCollections
import SystemWorld
import TokenCache

/// A place where a token cache is kept: a folder as `run` keeps one, the system's keyring, or a cache file of any MSAL.
struct CachePlace: Sendable {
  /// What is kept beside the cache; nil for a file of somebody else.
  let folder: StateFolder?
  let store: any BlobStore
  /// What people should be told: that no keyring answers, for instance.
  let note: String?
  private let files: any FileSystem

  /// - Parameters:
  ///   - place: as in `run --cache`: a folder, or `keyring`; or a file that holds the cache itself. Nil is the default
  ///     place.
  ///   - standard: the default place of the platform.
  init(_ place: String?, standard: StateFolder, in world: World) {
    files = world.files
    guard let place, place != Self.keyring else {
      folder = standard
      (store, note) = TokenStores.open(
        place == nil ? .file : .keyring, cacheFile: standard.cache, in: world.files, environment: world.environment)
      return
    }
    let isFile =
      files.kind(of: place) == .file
      || files.kind(of: place) == nil && [".json", ".bin", ".cache"].contains { place.hasSuffix($0) }
    folder = isFile ? nil : StateFolder(path: place)
    store = FileBlobStore(folder?.cache ?? place, in: files)
    note = nil
  }

  /// The word for the system's place for secrets; a folder of that name is written `./keyring`.
  static let keyring = "keyring"

  /// Where it is, in words for people: a path, or the name of the keyring's item.
  var path: String { store.place }

  /// Whether anything is kept there.
  func exists() throws(FileFailure) -> Bool { try store.load() != nil }

  /// What time it is there: the embedded platform's clock is ahead by what runs have waited.
  func now(_ clock: any WorldClock) -> Instant {
    guard let folder, let bytes = try? files.read(folder.clock, limit: 1 << 16),
      let offset = try? JSON(parsing: bytes)["offsetNanoseconds"]?.integer
    else { return clock.now }
    return clock.now + .nanoseconds(offset)
  }
}

/// Which kept cache a command is about.
struct CachePlaceOptions: ParsableArguments {
  enum Platform: String, ExpressibleByArgument, CaseIterable {
    case emulated, live
  }

  @Option(
    help: ArgumentHelp(
      "A folder as in run --cache, keyring, or the cache file of another program.", valueName: "place"),
    completion: .file())
  var cache: String?
  @Option(help: "emulated or live: the place where plain runs of that platform keep theirs.") var platform: Platform?

  /// The one place that is meant: what is said, else the embedded platform's own.
  func place(in session: Session) throws(ExitStatus) -> CachePlace {
    let name = platform == .live ? "live" : StateFolder.place(forDirectory: nil, workingDirectory: "")
    let standard = StateFolder(environment: session.world.environment, place: name)
    let place = CachePlace(cache, standard: standard, in: session.world)
    if let note = place.note { session.printStatus("note: \(note)") }
    if let folder = place.folder { try session.prepare(folder) }
    return place
  }

  /// The places that are meant: what is said, else all in which plain runs have kept a cache.
  func places(in session: Session) throws(ExitStatus) -> [CachePlace] {
    if cache != nil || platform != nil { return [try place(in: session)] }
    let root = StateFolder.root(session.world.environment)
    let kept = ((try? session.world.files.list(root)) ?? []).map { StateFolder(path: root + "/" + $0) }.filter {
      session.world.files.kind(of: $0.cache) == .file
    }
    guard !kept.isEmpty else { return [try place(in: session)] }
    for folder in kept { try session.prepare(folder) }
    return kept.map { CachePlace(nil, standard: $0, in: session.world) }
  }
}

extension CachePlace {
  /// The cache as it can be shown; an empty one where nothing is kept.
  func listing(in session: Session) throws(ExitStatus) -> CacheListing {
    do throws(TokenCacheFailure) {
      let contents = try UnifiedTokenCache(store: store).contents()
      let exists: Bool
      do throws(FileFailure) {
        exists = try self.exists()
      } catch {
        throw .store(error)
      }
      return CacheListing(contents, place: path, exists: exists, now: now(session.world.clock))
    } catch {
      throw tell(error, in: session)
    }
  }

  /// Changes the stored JSON as one step that no other process comes between.
  func change<Result>(
    in session: Session, _ change: (inout JSON.Members) throws -> Result
  ) throws(ExitStatus) -> Result {
    do {
      return try store.update { bytes in
        var members: JSON.Members = [:]
        if let stored = bytes, !stored.isEmpty {
          // What is no cache is never written over.
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
      throw tell(failure, in: session)
    } catch let failure as FileFailure {
      throw tell(.store(failure), in: session)
    } catch let status as ExitStatus {
      throw status
    } catch {
      session.printStatus("error: \(path): \(error)")
      throw .environmentFailure
    }
  }

  private func tell(_ failure: TokenCacheFailure, in session: Session) -> ExitStatus {
    var text = "error: \(path): \(failure.explanation)"
    if case .corrupt = failure {
      text += "\n  help: move it away\(folder == nil ? "" : ", or let `authflow reset` forget it")"
    }
    session.printStatus(text)
    return .environmentFailure
  }
}

extension [UInt8] {
  /// Windows' tools put one before UTF-8.
  var withoutByteOrderMark: ArraySlice<UInt8> { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }
}
