import Documents
import Effects
import OAuth
import OrderedCollections
import Synchronization
import WorkflowRunner

/// The outputs of earlier runs, in the state folder: a run may replace these files, and no others.
///
/// A file counts as an output as long as it has the content that a workflow wrote. If you edit it, it is yours.
final class OutputLedger: OutputRecord {
  private let files: any FileSystem
  private let folder: StateFolder
  private let warn: @Sendable (String) -> Void
  /// Hashes of the content, by absolute path; nil until a workflow writes an output, because most never do.
  private let hashes = Mutex<[String: String]?>(nil)

  /// The number of outputs that are remembered. More make the file of the ledger large, and a run slow.
  private static let limit = 10_000
  private static let largestFile = 8 << 20

  init(in session: Session) {
    files = session.world.files
    folder = StateFolder(environment: session.world.environment, place: "outputs")
    warn = { session.printStatus("warning: \($0)") }
  }

  func contains(_ path: String) -> Bool {
    guard let known = change({ $0[path] }), let bytes = try? files.read(path, limit: 64 << 20) else {
      return false
    }
    return Self.hash(bytes) == known
  }

  func add(_ path: String, _ bytes: [UInt8]) {
    let hash = Self.hash(bytes)
    change { $0[path] = hash }
    do throws(FileFailure) { try save([path: hash]) } catch {
      warn("cannot record the output, so the next run needs --overwrite: \(error.explanation)")
    }
  }

  private func change<Result: Sendable>(_ body: (inout [String: String]) -> Result) -> Result {
    hashes.withLock { hashes in
      var known = hashes ?? Self.read(folder, files)
      defer { hashes = known }
      return body(&known)
    }
  }

  /// Adds to what other processes recorded meanwhile.
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
    guard let bytes = try? files.read(folder.outputs, limit: largestFile),
      let members = (try? JSON(parsing: bytes))?.object
    else { return [:] }
    return members.reduce(into: [:]) { hashes, member in hashes[member.key] = member.value.string }
  }

  private static func hash(_ bytes: [UInt8]) -> String { Thumbprint.sha256(bytes) }
}
