import Documents
import Effects
import IdentityEmulator

/// What the served platform remembers, kept in a file where `--state` names one.
struct EmulatorMemory: Sendable {
  let path: String?
  let world: World

  /// How often it is looked whether anything was asked.
  private static let interval = Duration.seconds(10)
  private static let largest = 64 << 20

  /// What an earlier server left; nil where there is nothing.
  /// - Throws: `.unusable` where the file holds something else: it would be written over.
  func load(in session: Session) throws(ExitStatus) -> JSON? {
    guard let path, world.files.kind(of: path) != nil else { return nil }
    do {
      let bytes = try world.files.read(path, limit: Self.largest)
      if bytes.isEmpty { return nil }
      let json = try JSON(parsing: bytes)
      guard json.object != nil else { throw FileFailure.other(path, reason: "is no JSON object") }
      return json
    } catch {
      let reason = (error as? FileFailure)?.explanation ?? "\(path): \(error)"
      session.remark("error: what the platform remembers cannot be read: \(reason)\n  help: name another file")
      throw .unusable
    }
  }

  func save(_ platform: IdentityPlatformEmulator, in session: Session) throws(ExitStatus) {
    guard let path else { return }
    do {
      try world.files.replace(path, with: Array(platform.snapshot().text().utf8), privately: true)
    } catch {
      session.remark("error: what the platform remembers could not be kept: \(error.explanation)")
      throw .surroundings
    }
  }

  /// Keeps it now and then, until the task is cancelled or it could not be kept.
  func keep(_ platform: IdentityPlatformEmulator, service: EmulatorService, in session: Session) async {
    guard path != nil else { return }
    var count = service.count
    while (try? await world.clock.sleep(for: Self.interval)) != nil {
      guard service.count != count else { continue }
      count = service.count
      guard (try? save(platform, in: session)) != nil else { return }
    }
  }
}
