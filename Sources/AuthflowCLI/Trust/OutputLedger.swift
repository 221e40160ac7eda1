import Documents
import Effects
import OAuth
import OrderedCollections
import Synchronization
import WorkflowRunner

/// The record of output files in the state folder. A run can overwrite these files without `--overwrite`.
///
/// If a file changed after a workflow wrote it, it no longer counts as an output.
final class OutputLedger: OutputRecord {
  private let files: any FileSystem
  private let folder: StateFolder
  private let warn: @Sendable (String) -> Void
  /// The hash of each output by absolute path. Nil until first needed, because most runs do not write files.
  private let hashes = Mutex<[String: String]?>(nil)

  /// If the record contains more outputs than this, deleted files are removed from it.
  private static let limit = 10_000
  private static let sizeLimit = 8 << 20

  init(in session: Session) {
    files = session.world.files
    folder = StateFolder(environment: session.world.environment, name: "outputs")
    warn = { session.printStatus("warning: \($0)") }
  }

  func contains(_ path: String) -> Bool {
    guard let recorded = withHashes({ $0[path] }), let bytes = try? files.read(path, limit: 64 << 20) else {
      return false
    }
    return Self.hash(bytes) == recorded
  }

  func add(_ path: String, _ bytes: [UInt8]) {
    let hash = Self.hash(bytes)
    withHashes { $0[path] = hash }
    do throws(FileFailure) { try save([path: hash]) } catch {
      warn("cannot record the output, so the next run requires `--overwrite`: \(error.explanation)")
    }
  }

  /// Calls `body` with the hashes. Loads the hashes first if necessary.
  private func withHashes<Result: Sendable>(_ body: (inout [String: String]) -> Result) -> Result {
    hashes.withLock { hashes in
      var current = hashes ?? Self.read(folder, files)
      defer { hashes = current }
      return body(&current)
    }
  }

  /// Saves new outputs, merged with the outputs that other processes recorded.
  private func save(_ added: [String: String]) throws(FileFailure) {
    try files.makeDirectory(folder.path, privately: true)
    do {
      try files.locked(folder.lock) {
        var all = Self.read(folder, files).merging(added) { $1 }
        if all.count > Self.limit { all = all.filter { files.kind(of: $0.key) == .file } }
        let members = JSON.object(.init(uniqueKeysWithValues: all.sorted { $0.key < $1.key }.map { ($0, .string($1)) }))
        try files.replace(folder.outputs, with: Array(members.text().utf8), privately: true)
      }
    } catch let failure as FileFailure {
      throw failure
    } catch {
      throw .other(folder.outputs, reason: "\(error)")
    }
  }

  private static func read(_ folder: StateFolder, _ files: any FileSystem) -> [String: String] {
    guard let bytes = try? files.read(folder.outputs, limit: sizeLimit),
      let members = (try? JSON(parsing: bytes))?.object
    else { return [:] }
    return members.reduce(into: [:]) { hashes, member in hashes[member.key] = member.value.string }
  }

  private static func hash(_ bytes: [UInt8]) -> String { Thumbprint.sha256(bytes) }
}
