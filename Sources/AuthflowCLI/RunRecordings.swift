import Recordings
import Diagnostics
import Effects
import Synchronization
import WorkflowModel

/// The recordings of a run: the one that is played, and the one that is recorded.
struct RunRecordings: Sendable {
  /// The recording that answers in place of a platform.
  private(set) var played: Recording?
  /// Where the recording goes; nil where none is made.
  private let file: (any FileAppender)?
  private let recorded: String?

  /// Reads the one and opens the other. Both are refused before anything runs.
  /// - Parameters:
  ///   - played: the path of the recording that is played.
  ///   - recorded: the path of the recording that is recorded.
  init(played: String?, recorded: String?, in session: Session) throws(ExitStatus) {
    self.recorded = recorded
    if let played {
      self.played = try Self.read(played, in: session)
      if played == recorded {
        session.printStatus(
          "error: \(played) is played, and cannot be recorded over\n  help: name another file for --record")
        throw .usageError
      }
    }
    file = try recorded.map { path throws(ExitStatus) in try Self.open(path, in: session) }
  }

  func close() { file?.close() }

  /// Starts recording on the run's clock; nil where nothing is recorded.
  func writer(clock: any WorldClock, platform: String) -> RecordingWriter? {
    guard let file else { return nil }
    return RecordingWriter(clock: clock, tool: "authflow \(Version.text)", platform: platform) {
      line throws(FileFailure) in
      try file.append(line)
    }
  }

  private static func read(_ path: String, in session: Session) throws(ExitStatus) -> Recording {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try session.world.files.read(path, limit: Recording.limit)
    } catch {
      session.printStatus(
        "error: the recording cannot be read: \(error.explanation)\n  help: record one: authflow run FILE --record \(path)"
      )
      throw .usageError
    }
    let (recording, diagnostics) = Recording.read(bytes, named: path)
    session.show(diagnostics)
    guard let recording else { throw .usageError }
    return recording
  }

  /// Makes an empty file that only its owner may read: a recording holds no secrets, but names and addresses of people.
  private static func open(_ path: String, in session: Session) throws(ExitStatus) -> any FileAppender {
    let files = session.world.files
    // A slip of the fingers must not cost anybody a file.
    if files.kind(of: path) == .file, let start = try? files.beginning(of: path, count: 1 << 16), !start.isEmpty,
      !Recording.isRecording(beginning: start)
    {
      session.printStatus(
        "error: \(path) is there and is no recording\n  help: name another file for --record, or remove this one")
      throw .usageError
    }
    do throws(FileFailure) {
      if files.kind(of: path) != .other { try files.replace(path, with: [], privately: true) }
      return try files.appender(to: path)
    } catch {
      session.printStatus("error: the recording cannot be written: \(error.explanation)")
      throw .environmentFailure
    }
  }
}

extension Session {
  /// Tells what a recording did not hold, each thing once, and what of it nobody asked for.
  func tell(_ platform: ReplayPlatform, verbose: Bool) {
    var told: Set<String> = []
    show(platform.misses.map(\.diagnostic).filter { told.insert($0.message + ($0.help ?? "")).inserted })
    guard verbose else { return }
    for request in platform.unused { printStatus("note: \(platform.recording.name): not asked for: \(request)") }
  }
}
