import Documents
import Effects
import IdentityEmulator
import Synchronization

/// What the served platform remembers, kept in a file where `--state` names one.
final class EmulatorStateFile: Sendable {
  private struct Kept {
    /// Where it is kept; nil where it is not.
    var path: String?
    /// The state of the file that this process read or wrote last.
    var revision: BlobRevision?
    /// What was said of a failure, so that it is not said again every time.
    var complaint: String?
  }

  private let world: World
  private let kept: Mutex<Kept>

  /// How often it is looked whether anything was asked.
  private static let interval = Duration.seconds(10)
  private static let largest = 1 << 30

  init(path: String?, world: World) {
    self.world = world
    kept = Mutex(Kept(path: path))
  }

  /// What an earlier server left; nil where there is nothing.
  /// - Throws: `.unusable` where the file holds something else: it would be written over.
  func load(in session: Session) throws(ExitStatus) -> JSON? {
    guard let path = kept.withLock({ $0.path }), let kind = world.files.kind(of: path) else { return nil }
    do {
      guard kind == .file else { throw FileFailure.other(path, reason: "is no file") }
      let state = try world.files.readState(path, limit: Self.largest)
      kept.withLock { $0.revision = state.revision }
      guard let bytes = state.bytes, !bytes.isEmpty else { return nil }
      let json = try JSON(parsing: bytes)
      guard json.object != nil else { throw FileFailure.other(path, reason: "is no JSON object") }
      return json
    } catch {
      let reason = (error as? FileFailure)?.explanation ?? "\(path): \(error)"
      session.printStatus("error: what the platform remembers cannot be read: \(reason)\n  help: name another file")
      throw .usageError
    }
  }

  /// Keeps it now.
  ///
  /// Where another process has written the file meanwhile, nobody's memory is lost: this one's goes into a file beside it.
  /// - Throws: `.surroundings` where it cannot be kept, which is told once.
  func save(_ platform: IdentityPlatformEmulator, in session: Session) throws(ExitStatus) {
    guard let path = kept.withLock({ $0.path }) else { return }
    let bytes = Array(platform.snapshot().text().utf8)
    do {
      try write(bytes, to: path, in: session)
      kept.withLock { $0.complaint = nil }
    } catch {
      let complaint = (error as? FileFailure)?.explanation ?? "\(path): \(error)"
      let isNew = kept.withLock { kept in
        defer { kept.complaint = complaint }
        return kept.complaint != complaint
      }
      if isNew { session.printStatus("error: what the platform remembers could not be kept: \(complaint)") }
      throw .environmentFailure
    }
  }

  private func write(_ bytes: [UInt8], to path: String, in session: Session) throws {
    let files = world.files
    let conflict = try files.locked(path + ".lock") { () -> String? in
      let known = kept.withLock { $0.revision } ?? .absent
      if try files.revision(of: path).provesChange(since: known) {
        return (1...).lazy.map { "\(path).other-\($0)" }.first { files.kind(of: $0) == nil }
      }
      let revision = try files.replaceShared(path, with: bytes)
      kept.withLock { $0.revision = revision }
      return nil
    }
    guard let conflict else { return }
    let revision = try files.replaceShared(conflict, with: bytes)
    kept.withLock { ($0.path, $0.revision) = (conflict, revision) }
    session.printStatus(
      "warning: another program has written \(path); what this platform remembers is kept in \(conflict)")
  }

  /// Keeps it now and then, until the task is cancelled. What could not be kept is tried again.
  func keep(_ platform: IdentityPlatformEmulator, service: EmulatorService, in session: Session) async {
    guard kept.withLock({ $0.path }) != nil else { return }
    var count = service.count
    while (try? await world.clock.sleep(for: Self.interval)) != nil {
      let present = service.count
      guard present != count else { continue }
      if (try? save(platform, in: session)) != nil { count = present }
    }
  }
}
