import Effects
import Recordings
import TokenCache
import WorkflowModel
import WorkflowRunner

/// What the command line decides about a run.
struct RunOptions: Sendable {
  var isLive: Bool
  var browser: BrowserOptions
  /// `--cache`.
  var cache: String?
  /// Whether the run begins with an empty cache and keeps nothing.
  var isFresh = false
  /// The recording that answers in place of a platform.
  var recording: Recording?
  /// `--user`.
  var user: String?
}

/// One run of a command: where its state is kept, the run itself, and what could not be kept. `run`, `token`, and `api` share it.
struct RunSession: Sendable {
  let builder: RunBuilder
  private let session: Session

  /// Opens the state, and checks that the token cache can be used.
  /// - Throws: `.environmentFailure` if the state folder or the token cache cannot be used. The reason has been reported.
  init(_ input: LoadedWorkflow, _ options: RunOptions, in session: Session) throws(ExitStatus) {
    self.session = session
    let environment = session.world.environment
    let standard = StateFolder(
      environment: environment,
      place: options.isLive
        ? "live" : StateFolder.place(forDirectory: input.directoryPath, workingDirectory: environment.workingDirectory))
    let place = options.isFresh ? nil : CachePlace(options.cache, standard: standard, in: session.world)
    if let note = place?.note { session.printStatus("note: \(note)") }
    if let place { try session.prepare(place.folder ?? standard) }
    builder = RunBuilder(
      input, options, folder: options.isFresh ? nil : place?.folder ?? standard, place: place, in: session)
    do throws(TokenCacheFailure) {
      if let moved = try builder.checkCache() { session.printStatus("warning: \(moved.explanation)") }
    } catch {
      session.printStatus("error: \(place?.path ?? ""): \(error.explanation)\n  help: `run --fresh` does not use it")
      throw .environmentFailure
    }
  }

  /// Runs the workflow, and keeps the state.
  /// - Parameter watch: Performs the run; a terminal shows its progress meanwhile.
  /// - Returns: The result, and how the command ends if the state could not be kept.
  /// - Throws: How the command ends if nothing could be run. The reason has been reported.
  func perform(
    _ run: WorkflowRun,
    watch: (WorkflowRun) async throws(RunFailure) -> RunResult = { run throws(RunFailure) in
      try await run.run()
    }
  ) async throws(ExitStatus) -> (result: RunResult, notKept: ExitStatus?) {
    let result: RunResult
    do throws(RunFailure) { result = try await watch(run) } catch { throw session.tell(error) }
    // That it could not be kept hides nothing of how the run went.
    do throws(ExitStatus) { try builder.save(in: session) } catch { return (result, error) }
    return (result, nil)
  }
}
