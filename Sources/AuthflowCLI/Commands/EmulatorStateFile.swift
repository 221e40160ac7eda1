import Documents
import Effects
import IdentityEmulator
import Synchronization

/// The emulator's saved state in the file that `--state` specifies.
final class EmulatorStateFile: Sendable {
  private struct State {
    /// The path of the file, or nil if the state is not saved.
    var path: String?
    /// The file revision that this process last read or wrote.
    var revision: BlobRevision?
    /// The last reported failure. The same failure is not reported twice in a row.
    var failure: String?
  }

  private let world: World
  private let state: Mutex<State>

  /// The interval at which the emulator checks for new requests.
  private static let interval = Duration.seconds(10)
  private static let sizeLimit = 1 << 30

  init(path: String?, world: World) {
    self.world = world
    state = Mutex(State(path: path))
  }

  /// Returns the state that an earlier server saved, or nil if there is none.
  /// - Throws: `.usageError` if the file does not contain emulator state, because saving would overwrite it.
  func load(in session: Session) throws(ExitStatus) -> JSON? {
    guard let path = state.withLock({ $0.path }), let kind = world.files.kind(of: path) else { return nil }
    do {
      guard kind == .file else { throw FileFailure.other(path, reason: "not a regular file") }
      let blob = try world.files.readState(path, limit: Self.sizeLimit)
      state.withLock { $0.revision = blob.revision }
      guard let bytes = blob.bytes, !bytes.isEmpty else { return nil }
      let json = try JSON(parsing: bytes)
      guard json.object != nil else { throw FileFailure.other(path, reason: "not a JSON object") }
      return json
    } catch {
      let reason = (error as? FileFailure)?.explanation ?? "\(path): \(error)"
      throw session.report(
        .usageError, "cannot read the emulator state: \(reason)", help: "pass another file to `--state`")
    }
  }

  /// Saves the state.
  ///
  /// If another process has written the file, this process saves its state in a separate file.
  /// - Throws: `.environmentFailure` if the state cannot be saved. A repeated failure is reported only once.
  func save(_ platform: IdentityPlatformEmulator, in session: Session) throws(ExitStatus) {
    guard let path = state.withLock({ $0.path }) else { return }
    let bytes = Array(platform.snapshot().text().utf8)
    do {
      try write(bytes, to: path, in: session)
      state.withLock { $0.failure = nil }
    } catch {
      let failure = (error as? FileFailure)?.explanation ?? "\(path): \(error)"
      let isNew = state.withLock { state in
        defer { state.failure = failure }
        return state.failure != failure
      }
      if isNew { session.reportError("cannot save the emulator state: \(failure)") }
      throw .environmentFailure
    }
  }

  private func write(_ bytes: [UInt8], to path: String, in session: Session) throws {
    let files = world.files
    let conflict = try files.locked(path + ".lock") { () -> String? in
      let lastRevision = state.withLock { $0.revision } ?? .absent
      if try files.revision(of: path).provesChange(since: lastRevision) {
        return (1...).lazy.map { "\(path).other-\($0)" }.first { files.kind(of: $0) == nil }
      }
      let revision = try files.replaceShared(path, with: bytes)
      state.withLock { $0.revision = revision }
      return nil
    }
    guard let conflict else { return }
    let revision = try files.replaceShared(conflict, with: bytes)
    state.withLock { ($0.path, $0.revision) = (conflict, revision) }
    session.printStatus(
      "warning: another program has written \(path); the state of this emulator is now saved in \(conflict)")
  }

  /// Until the task is canceled, regularly saves the state if there are new requests.
  func saveRegularly(_ platform: IdentityPlatformEmulator, service: EmulatorService, in session: Session) async {
    guard state.withLock({ $0.path }) != nil else { return }
    var savedCount = service.count
    while (try? await world.clock.sleep(for: Self.interval)) != nil {
      let count = service.count
      guard count != savedCount else { continue }
      if (try? save(platform, in: session)) != nil { savedCount = count }
    }
  }
}
