import Diagnostics
import Effects
import HTTPTypes
import OAuth
import Synchronization

/// A platform that answers from a recording: offline, with tokens issued anew and signed by its own key on the run's clock, so
/// that a recording never goes stale.
///
/// Equal requests are answered in the order in which they were recorded, and different ones in any order. A request once
/// too often is a miss like one that was never recorded, except that what anybody may read (a GET without a token:
/// discovery, keys) answers as it did last.
package final class ReplayPlatform: Sendable {
  private struct State {
    var bindings: ReplayBindings
    var isPlayed: [Bool]
    /// Of each method and URL, how many of the first entries were played.
    var played: [String: Int] = [:]
    var misses: [UnmatchedRequest] = []
  }

  package let recording: Recording
  private let clock: any WorldClock
  private let state: Mutex<State>

  /// - Parameters:
  ///   - clock: the run's own: what was issued is fresh on it.
  ///   - randomness: codes and opaque tokens are made of it.
  package init(_ recording: Recording, clock: any WorldClock, randomness: any Randomness) {
    self.recording = recording
    self.clock = clock
    state = Mutex(
      State(
        bindings: ReplayBindings(recording, randomness: randomness, now: clock.now),
        isPlayed: Array(repeating: false, count: recording.entries.count)))
  }

  /// The network of a replay.
  package var transport: any HTTPTransport { ReplayTransport(platform: self) }

  /// The browser of a replay: nobody sits there, and visits end as they ended when they were recorded.
  package var browser: any Browser { ReplayBrowser(platform: self) }

  /// The requests that the recording did not hold.
  package var misses: [UnmatchedRequest] { state.withLock { $0.misses } }

  /// What was recorded and not asked for, each as method and URL.
  package var unused: [String] {
    state.withLock { state in
      zip(recording.entries, state.isPlayed).filter { !$1 }.map { entry, _ in
        "\(entry.content.request.method) \(entry.content.request.url)"
      }
    }
  }

  // MARK: Playing

  fileprivate func exchange(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    let sent = NormalizedRequest(request)
    let mayRepeat = request.head.method == .get && sent.authorization == nil && request.body.isEmpty
    let entry = try take(sent, mayRepeat: mayRepeat) { if case .exchange = $0 { true } else { false } }
    try await pass(entry.took)
    guard case .exchange(_, let answer) = entry.content else { throw .notRecorded(sent.key) }
    switch answer {
    case .failure(let kind, let reason): throw TransportFailure(kind: kind, reason: reason)
    case .response(let status, let headers, let body):
      return state.withLock { state in
        state.bindings.begin(at: clock.now)
        return state.bindings.response(status: status, headers: headers, body: body)
      }
    }
  }

  fileprivate func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    do throws(TransportFailure) {
      let entry = try take(NormalizedRequest(page: visit.url), mayRepeat: false) { content in
        if case .visit(let recorded) = content { recorded.purpose == visit.purpose.rawValue } else { false }
      }
      try await pass(entry.took)
      guard case .visit(let recorded) = entry.content else { throw .notRecorded(visit.url) }
      return state.withLock { state in
        state.bindings.begin(at: clock.now)
        return BrowserOutcome(
          state.bindings.ending(recorded.ending, of: visit),
          screens: recorded.screens.map { state.bindings.text($0) },
          pageError: recorded.pageError.map { state.bindings.text($0) })
      }
    } catch {
      return BrowserOutcome(.failed(error))
    }
  }

  /// What took its time when it was recorded takes it again, on the run's clock.
  private func pass(_ duration: Duration) async throws(TransportFailure) {
    guard duration > .zero else { return }
    do { try await clock.sleep(for: duration) } catch { throw .cancelled }
  }

  /// Finds the entry that answers, and what its placeholders stand for.
  private func take(
    _ sent: NormalizedRequest, mayRepeat: Bool, _ isKind: (Recording.Entry.Content) -> Bool
  ) throws(TransportFailure) -> Recording.Entry {
    let found: Result<Int, TransportFailure> = state.withLock { state in
      let filed = recording.index.files[sent.key] ?? []
      let movable = recording.index.movable
      var first = state.played[sent.key] ?? 0
      while first < filed.count, state.isPlayed[filed[first]] { first += 1 }
      if !filed.isEmpty { state.played[sent.key] = first }
      for place in first..<filed.count + movable.count {
        let index = place < filed.count ? filed[place] : movable[place - filed.count]
        if !state.isPlayed[index], play(index, sent, isKind, &state) { return .success(index) }
      }
      if mayRepeat {
        for index in filed.reversed() where play(index, sent, isKind, &state) { return .success(index) }
      }
      let miss = miss(sent, filed, isKind, &state)
      state.misses.append(miss)
      return .failure(.notRecorded(miss.words))
    }
    return recording.entries[try found.get()]
  }

  private func play(
    _ index: Int, _ sent: NormalizedRequest, _ isKind: (Recording.Entry.Content) -> Bool, _ state: inout State
  ) -> Bool {
    let content = recording.entries[index].content
    guard isKind(content), let bound = Self.bound(content.request, sent, state.bindings) else { return false }
    state.bindings.bind(bound)
    state.isPlayed[index] = true
    return true
  }

  /// What the placeholders of a recorded request stand for where it is the one that was sent. Whoever compares has let go of
  /// the bindings when they change, so that they are not copied each time.
  private static func bound(
    _ recorded: RecordedRequest, _ sent: NormalizedRequest, _ bindings: ReplayBindings
  ) -> [String: String]? {
    var matching = RequestMatcher(bindings)
    return matching.differences(recorded, sent).isEmpty ? matching.bound : nil
  }

  // MARK: Misses

  /// So many recorded requests are compared at most when one is missing.
  private static let mostCompared = 2000

  private func miss(
    _ sent: NormalizedRequest, _ sameURL: [Int], _ isKind: (Recording.Entry.Content) -> Bool, _ state: inout State
  ) -> UnmatchedRequest {
    let url = URLBase(sent.url)
    var miss = UnmatchedRequest(
      request: state.bindings.shown("\(sent.method) \(sent.url)"), recordedTimes: 0, differences: [],
      place: FileSpan(recording.source, nil))
    var nearest: (rank: Int, index: Int, differences: [RequestDifference])?
    let candidates = sameURL.isEmpty ? Array(recording.entries.indices) : sameURL
    for index in candidates.prefix(Self.mostCompared) {
      let content = recording.entries[index].content
      var matching = RequestMatcher(state.bindings)
      let differences = matching.differences(content.request, sent)
      if differences.isEmpty, isKind(content) { miss.recordedTimes += 1 }
      // Of another host or method hardly anything is near; a played one that fits says more than one that does not.
      let recorded = URLBase(content.request.url)
      var rank = differences.count * 2 + (isKind(content) ? 0 : 40)
      if recorded.host != url.host { rank += 12 }
      if recorded.path != url.path { rank += 6 - Self.common(recorded.path, url.path) }
      if content.request.method != sent.method { rank += 8 }
      if nearest.map({ rank < $0.rank }) ?? true { nearest = (rank, index, differences) }
    }
    guard let nearest else { return miss }
    miss.place = FileSpan(recording.source, recording.entries[nearest.index].span)
    miss.differences = nearest.differences.map { difference in
      var shown = difference
      shown.sent = difference.sent.map { text in
        difference.part == "header authorization"
          ? state.bindings.shownCredentials(text)
          : difference.name.map { state.bindings.shown($0, text) } ?? state.bindings.shown(text)
      }
      return shown
    }
    return miss
  }

  /// How many segments two paths share at their beginning, at most five.
  private static func common(_ one: String, _ other: String) -> Int {
    min(5, zip(one.split(separator: "/"), other.split(separator: "/")).prefix { $0 == $1 }.count)
  }
}

extension Recording.Entry.Content {
  var request: RecordedRequest {
    switch self {
    case .exchange(let request, _): request
    case .visit(let visit): visit.request
    }
  }
}

private struct ReplayTransport: HTTPTransport {
  let platform: ReplayPlatform

  func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    if Task.isCancelled { throw .cancelled }
    return try await platform.exchange(request)
  }
}

private struct ReplayBrowser: Browser {
  let platform: ReplayPlatform

  func visit(_ visit: BrowserVisit) async -> BrowserOutcome { await platform.visit(visit) }
}
