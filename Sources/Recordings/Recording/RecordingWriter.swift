import Diagnostics
import Documents
import Effects
import HTTPTypes
import OAuth
import RunTrace
import Synchronization

/// A writer that creates a recording during a run. Each completed exchange or visit is one line.
package final class RecordingWriter: Sendable {
  private struct State {
    var masker: SecretMasker
    var failure: FileFailure?
  }

  private let state: Mutex<State>
  private let clock: any WorldClock
  private let start: Instant
  private let append: @Sendable ([UInt8]) throws(FileFailure) -> Void

  /// Starts a recording and writes its header line.
  /// - Parameters:
  ///   - platform: The recorded platform: `emulated`, `live`, or `replay`.
  ///   - append: A closure that appends one line, including the newline, to the file. The writer stops after the first
  ///     failure, so that the recording stays readable.
  package init(
    clock: any WorldClock, tool: String, platform: String,
    append: @escaping @Sendable ([UInt8]) throws(FileFailure) -> Void
  ) {
    self.clock = clock
    self.append = append
    start = clock.now
    state = Mutex(State(masker: SecretMasker(now: clock.now)))
    let recording = Recording(recordedAt: start, tool: tool, platform: platform)
    state.withLock { write(RecordingLine.header(recording), &$0) }
  }

  /// The write error that made the recording incomplete, or nil.
  package var failure: FileFailure? { state.withLock { $0.failure } }

  /// Masks a secret in all following lines, for example a secret from the workflow.
  package func mask(_ secret: Secret) {
    let value = secret.reveal()
    guard !value.isEmpty else { return }
    state.withLock { _ = $0.masker.registry.register(value, kind: secret.kind.rawValue) }
  }

  /// A function that masks a secret in the recording. Pass it to a trace to mask every secret that the trace registers.
  package var secretSink: @Sendable (Secret) -> Void {
    { self.mask($0) }
  }

  /// Returns a transport that records the traffic of another transport, except requests to the emulator's control
  /// interface.
  package func recording(_ base: any HTTPTransport) -> any HTTPTransport {
    RecordingTransport(base: base, recorder: self)
  }

  /// Returns a browser that records the visits of another browser.
  package func recording(_ base: any Browser) -> any Browser { RecordingBrowser(base: base, recorder: self) }

  var now: Instant { clock.now }

  func record(
    _ request: RequestMessage, _ result: Result<ResponseMessage, TransportFailure>, since start: Instant
  ) {
    let now = clock.now
    state.withLock { state in
      state.masker.startMessage(isResponse: false, at: now)
      let recordedRequest = state.masker.request(request)
      state.masker.startMessage(isResponse: true, at: now)
      let recordedResponse: RecordedResponse
      switch result {
      case .success(let response): recordedResponse = state.masker.response(response)
      case .failure(let failure):
        guard let (kind, reason) = failure.recorded else { return }
        recordedResponse = .failure(kind: kind, reason: state.masker.text(reason))
      }
      write(.exchange(recordedRequest, recordedResponse), from: start, to: now, &state)
      guard case .success(let response) = result, let json = try? JSON(parsing: response.body), json["keys"] != nil,
        let set = JWKSet(json)
      else { return }
      for label in state.masker.addKeys(set) { write(RecordingLine.badlySigned(label), &state) }
    }
  }

  func record(_ visit: BrowserVisit, _ outcome: BrowserOutcome, since start: Instant) {
    let now = clock.now
    state.withLock { state in
      state.masker.startMessage(isResponse: false, at: now)
      let page = state.masker.page(visit.url)
      let redirectURI = visit.redirectURI.map { state.masker.text($0) }
      state.masker.startMessage(isResponse: true, at: now)
      let ending: RecordedVisit.Result
      switch outcome.result {
      case .redirected(let url): ending = state.masker.redirect(url, expected: visit.redirectURI)
      case .closed(let reason): ending = .closed(state.masker.text(reason))
      case .unavailable(let reason): ending = .unavailable(state.masker.text(reason))
      case .failed(let failure):
        guard let (kind, reason) = failure.recorded else { return }
        ending = .failed(kind: kind, reason: state.masker.text(reason))
      case .finished: ending = .finished
      }
      let recorded = RecordedVisit(
        purpose: visit.purpose.rawValue, request: page, redirectURI: redirectURI, ephemeral: visit.ephemeral,
        ending: ending, screens: outcome.screens.map { state.masker.text($0) },
        pageError: outcome.pageError.map { state.masker.text($0) })
      write(.visit(recorded), from: start, to: now, &state)
    }
  }

  private func write(
    _ content: Recording.Entry.Content, from entryStart: Instant, to end: Instant, _ state: inout State
  ) {
    let entry = Recording.Entry(at: end - start, took: end - entryStart, content: content, span: .at(0))
    let issued = state.masker.drainIssued()
    write(RecordingLine.entry(entry, issued: issued, badlySigned: state.masker.badlySigned), &state)
  }

  private func write(_ line: JSON, _ state: inout State) {
    guard state.failure == nil else { return }
    do throws(FileFailure) {
      try append(Array((line.text() + "\n").utf8))
    } catch {
      state.failure = error
    }
  }
}

private struct RecordingTransport: HTTPTransport {
  let base: any HTTPTransport
  let recorder: RecordingWriter

  func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    // Requests to the control interface are not part of the app's traffic.
    guard request.head.path?.hasPrefix("/_authflow/") != true else { return try await base.send(request) }
    let start = recorder.now
    do {
      let response = try await base.send(request)
      recorder.record(request, .success(response), since: start)
      return response
    } catch {
      recorder.record(request, .failure(error), since: start)
      throw error
    }
  }
}

private struct RecordingBrowser: Browser {
  let base: any Browser
  let recorder: RecordingWriter

  func redirectURI(for registered: String) async -> String { await base.redirectURI(for: registered) }

  func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    let start = recorder.now
    let outcome = await base.visit(visit)
    recorder.record(visit, outcome, since: start)
    return outcome
  }
}
