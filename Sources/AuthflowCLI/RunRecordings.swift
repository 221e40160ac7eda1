import Recordings
import Diagnostics
import Effects
import Synchronization
import WorkflowModel

/// The recording that a run replays, and the recording that it writes.
struct RunRecordings: Sendable {
  /// The recording to replay, if any.
  private(set) var replayed: Recording?
  /// The file to record to, if any.
  private let file: (any FileAppender)?

  /// Reads the recording to replay and opens the file to record to.
  /// - Parameters:
  ///   - replayPath: The path of the recording to replay.
  ///   - recordPath: The path of the recording to write.
  /// - Throws: `.usageError` or `.environmentFailure` if a file cannot be used. The reason has been reported.
  init(replaying replayPath: String?, recordingTo recordPath: String?, in session: Session) throws(ExitStatus) {
    if let replayPath {
      replayed = try Self.read(replayPath, in: session)
      if replayPath == recordPath {
        throw session.report(
          .usageError, "cannot record to the replayed recording: \(replayPath)", help: "use another file for `--record`"
        )
      }
    }
    file = try recordPath.map { path throws(ExitStatus) in try Self.open(path, in: session) }
  }

  func close() { file?.close() }

  /// Returns a writer that uses the run's clock, or nil if the run is not recorded.
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
      throw session.report(
        .usageError, "cannot read the recording: \(error.explanation)",
        help: "create one with `authflow run FILE --record \(path)`")
    }
    let (recording, diagnostics) = Recording.read(bytes, named: path)
    session.show(diagnostics)
    guard let recording else { throw .usageError }
    return recording
  }

  /// Creates a file that only its owner can read, because a recording contains names and email addresses.
  private static func open(_ path: String, in session: Session) throws(ExitStatus) -> any FileAppender {
    let files = session.world.files
    try session.protect(path, from: "--record", kind: "a recording") {
      Recording.isRecording(beginning: Array($0.utf8))
    }
    do throws(FileFailure) {
      if files.kind(of: path) != .other { try files.replace(path, with: [], privately: true) }
      return try files.appender(to: path)
    } catch {
      throw session.report(.environmentFailure, "cannot write the recording: \(error.explanation)")
    }
  }
}

extension Session {
  /// Reports each distinct unmatched request and, in verbose mode, the unused requests of the recording.
  func reportReplay(_ platform: ReplayPlatform, verbose: Bool) {
    var reported: Set<String> = []
    show(platform.unmatchedRequests.map(\.diagnostic).filter { reported.insert($0.message + ($0.help ?? "")).inserted })
    guard verbose else { return }
    for request in platform.unused { printStatus("note: \(platform.recording.name): unused response: \(request)") }
  }
}
