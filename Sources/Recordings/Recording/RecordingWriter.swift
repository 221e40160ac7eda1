import Diagnostics
import Documents
import Effects
import HTTPTypes
import OAuth
import RunTrace
import Synchronization

/// Writes a recording while a run goes on: every exchange and every visit is a line that is in the file when it is over.
package final class RecordingWriter: Sendable {
  private struct State {
    var masker: SecretMasker
    var failure: FileFailure?
  }

  private let state: Mutex<State>
  private let clock: any WorldClock
  private let start: Instant
  private let append: @Sendable ([UInt8]) throws(FileFailure) -> Void

  /// Begins a recording with its first line.
  /// - Parameters:
  ///   - platform: what is recorded: `emulated`, `live` or `replay`.
  ///   - append: writes a line, its end included. After it has failed once, nothing more is written, so that what is
  ///     there stays readable.
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

  /// Why the recording is not whole; nil while it is.
  package var failure: FileFailure? { state.withLock { $0.failure } }

  /// A value that must not come onto the recording in any form, such as what a workflow names as a secret.
  package func keep(_ secret: Secret) {
    let value = secret.reveal()
    guard !value.isEmpty else { return }
    state.withLock { _ = $0.masker.ledger.learn(value, kind: secret.kind.rawValue) }
  }

  /// Keeps every secret that a trace sees from the recording.
  package var secretSink: @Sendable (Secret) -> Void {
    { self.keep($0) }
  }

  /// A transport that writes down what goes over another one. What a test tells the emulated platform itself is left out.
  package func recording(_ base: any HTTPTransport) -> any HTTPTransport {
    RecordingTransport(base: base, recorder: self)
  }

  /// A browser whose visits are written down: where each was sent, and how it ended.
  package func recording(_ base: any Browser) -> any Browser { RecordingBrowser(base: base, recorder: self) }

  var now: Instant { clock.now }

  func record(
    _ request: RequestMessage, _ answer: Result<ResponseMessage, TransportFailure>, since begin: Instant
  ) {
    let now = clock.now
    state.withLock { state in
      state.masker.reads(answer: false, at: now)
      let asked = state.masker.request(request)
      state.masker.reads(answer: true, at: now)
      let recorded: RecordedResponse
      switch answer {
      case .success(let response): recorded = state.masker.response(response)
      case .failure(let failure):
        guard let (kind, reason) = failure.recorded else { return }
        recorded = .failure(kind: kind, reason: state.masker.text(reason))
      }
      write(.exchange(asked, recorded), from: begin, to: now, &state)
      guard case .success(let response) = answer, let json = try? JSON(parsing: response.body), json["keys"] != nil,
        let set = JWKSet(json)
      else { return }
      for label in state.masker.learn(set) { write(RecordingLine.badlySigned(label), &state) }
    }
  }

  func record(_ visit: BrowserVisit, _ outcome: BrowserOutcome, since begin: Instant) {
    let now = clock.now
    state.withLock { state in
      state.masker.reads(answer: false, at: now)
      let page = state.masker.page(visit.url)
      let redirectURI = visit.redirectURI.map { state.masker.text($0) }
      state.masker.reads(answer: true, at: now)
      let ending: RecordedVisit.Ending
      switch outcome.ending {
      case .redirected(let url): ending = state.masker.redirect(url, awaited: visit.redirectURI)
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
      write(.visit(recorded), from: begin, to: now, &state)
    }
  }

  private func write(
    _ content: Recording.Entry.Content, from begin: Instant, to end: Instant, _ state: inout State
  ) {
    let entry = Recording.Entry(at: end - start, took: end - begin, content: content, span: .at(0))
    let issued = state.masker.takeIssued()
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
    // The emulated platform's control interface is no part of what an app sees.
    guard request.head.path?.hasPrefix("/_authflow/") != true else { return try await base.send(request) }
    let begin = recorder.now
    do {
      let response = try await base.send(request)
      recorder.record(request, .success(response), since: begin)
      return response
    } catch {
      recorder.record(request, .failure(error), since: begin)
      throw error
    }
  }
}

private struct RecordingBrowser: Browser {
  let base: any Browser
  let recorder: RecordingWriter

  func redirectURI(for registered: String) async -> String { await base.redirectURI(for: registered) }

  func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    let begin = recorder.now
    let outcome = await base.visit(visit)
    recorder.record(visit, outcome, since: begin)
    return outcome
  }
}
