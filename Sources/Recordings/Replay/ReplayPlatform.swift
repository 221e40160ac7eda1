import Diagnostics
import Effects
import HTTPTypes
import OAuth
import Synchronization

/// A platform that replays a recording without a network. The platform issues new tokens with its own keys and with
/// times from the run's clock, so recordings do not expire.
///
/// Identical requests receive the responses in recorded order, but different requests can arrive in any order. If the
/// app sends a request more often than recorded, the additional requests are unmatched. GET requests without a token,
/// such as discovery and key requests, are an exception: they receive the last response again.
package final class ReplayPlatform: Sendable {
  private struct State {
    var bindings: ReplayBindings
    var isReplayed: [Bool]
    /// For each method and URL, the number of leading entries that are already replayed.
    var replayedCounts: [String: Int] = [:]
    var unmatchedRequests: [UnmatchedRequest] = []
  }

  package let recording: Recording
  private let clock: any WorldClock
  private let state: Mutex<State>

  /// - Parameters:
  ///   - clock: The run's clock, which determines the times in issued tokens.
  ///   - randomness: The source of randomness for issued codes and opaque tokens.
  package init(_ recording: Recording, clock: any WorldClock, randomness: any Randomness) {
    self.recording = recording
    self.clock = clock
    state = Mutex(
      State(
        bindings: ReplayBindings(recording, randomness: randomness, now: clock.now),
        isReplayed: Array(repeating: false, count: recording.entries.count)))
  }

  /// A transport that sends requests to this platform.
  package var transport: any HTTPTransport { ReplayTransport(platform: self) }

  /// A browser that works without a user. Each visit ends with the recorded result.
  package var browser: any Browser { ReplayBrowser(platform: self) }

  /// The requests that did not match an unused entry in the recording.
  package var unmatchedRequests: [UnmatchedRequest] { state.withLock { $0.unmatchedRequests } }

  /// The recorded requests that the run has not sent, each as a method and a URL.
  package var unused: [String] {
    state.withLock { state in
      zip(recording.entries, state.isReplayed).filter { !$1 }.map { entry, _ in
        "\(entry.content.request.method) \(entry.content.request.url)"
      }
    }
  }

  // MARK: Replay

  fileprivate func exchange(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    let sent = NormalizedRequest(request)
    let mayRepeat = request.head.method == .get && sent.authorization == nil && request.body.isEmpty
    let entry = try replayEntry(sent, mayRepeat: mayRepeat) { if case .exchange = $0 { true } else { false } }
    try await sleep(for: entry.took)
    guard case .exchange(_, let response) = entry.content else {
      throw .notRecorded("`\(sent.key)` is not in the recording")
    }
    switch response {
    case .failure(let kind, let reason): throw TransportFailure(kind: kind, reason: reason)
    case .response(let status, let headers, let body):
      return state.withLock { state in
        state.bindings.startMessage(at: clock.now)
        return state.bindings.response(status: status, headers: headers, body: body)
      }
    }
  }

  fileprivate func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    do throws(TransportFailure) {
      let entry = try replayEntry(NormalizedRequest(page: visit.url), mayRepeat: false) { content in
        if case .visit(let recorded) = content { recorded.purpose == visit.purpose.rawValue } else { false }
      }
      try await sleep(for: entry.took)
      guard case .visit(let recorded) = entry.content else { throw .notRecorded("the page is not in the recording") }
      return state.withLock { state in
        state.bindings.startMessage(at: clock.now)
        return BrowserOutcome(
          state.bindings.ending(recorded.ending, of: visit),
          screens: recorded.screens.map { state.bindings.text($0) },
          pageError: recorded.pageError.map { state.bindings.text($0) })
      }
    } catch {
      return BrowserOutcome(.failed(error))
    }
  }

  /// Waits on the run's clock for the duration of the recorded exchange.
  private func sleep(for duration: Duration) async throws(TransportFailure) {
    guard duration > .zero else { return }
    do { try await clock.sleep(for: duration) } catch { throw .canceled }
  }

  /// Finds the recorded entry for a request and binds its placeholders.
  private func replayEntry(
    _ sent: NormalizedRequest, mayRepeat: Bool, _ isKind: (Recording.Entry.Content) -> Bool
  ) throws(TransportFailure) -> Recording.Entry {
    let match: Result<Int, TransportFailure> = state.withLock { state in
      let indexes = recording.index.entries[sent.key] ?? []
      let others = recording.index.withPlaceholders
      var first = state.replayedCounts[sent.key] ?? 0
      while first < indexes.count, state.isReplayed[indexes[first]] { first += 1 }
      if !indexes.isEmpty { state.replayedCounts[sent.key] = first }
      for position in first..<indexes.count + others.count {
        let index = position < indexes.count ? indexes[position] : others[position - indexes.count]
        if !state.isReplayed[index], replay(index, sent, isKind, &state) { return .success(index) }
      }
      if mayRepeat {
        for index in indexes.reversed() where replay(index, sent, isKind, &state) { return .success(index) }
      }
      let unmatched = unmatchedRequest(sent, indexes, isKind, &state)
      state.unmatchedRequests.append(unmatched)
      return .failure(.notRecorded(unmatched.message))
    }
    return recording.entries[try match.get()]
  }

  private func replay(
    _ index: Int, _ sent: NormalizedRequest, _ isKind: (Recording.Entry.Content) -> Bool, _ state: inout State
  ) -> Bool {
    let content = recording.entries[index].content
    guard isKind(content), let bound = Self.bound(content.request, sent, state.bindings) else { return false }
    state.bindings.bind(bound)
    state.isReplayed[index] = true
    return true
  }

  /// Returns the bindings of the recorded request's placeholders, or nil if the requests differ. The matcher and its
  /// copy of the bindings exist only inside this function, so changing the bindings later does not copy their storage.
  private static func bound(
    _ recorded: RecordedRequest, _ sent: NormalizedRequest, _ bindings: ReplayBindings
  ) -> [String: String]? {
    var matcher = RequestMatcher(bindings)
    return matcher.differences(recorded, sent).isEmpty ? matcher.bound : nil
  }

  // MARK: Unmatched requests

  /// The maximum number of recorded requests to compare with an unmatched request.
  private static let maxComparisons = 2000

  private func unmatchedRequest(
    _ sent: NormalizedRequest, _ sameURL: [Int], _ isKind: (Recording.Entry.Content) -> Bool, _ state: inout State
  ) -> UnmatchedRequest {
    let url = URLBase(sent.url)
    var unmatched = UnmatchedRequest(
      request: state.bindings.masked("\(sent.method) \(sent.url)"), recordedTimes: 0, differences: [],
      place: FileSpan(recording.source, nil))
    var nearest: (rank: Int, index: Int, differences: [RequestDifference])?
    let candidates = sameURL.isEmpty ? Array(recording.entries.indices) : sameURL
    for index in candidates.prefix(Self.maxComparisons) {
      let content = recording.entries[index].content
      var matcher = RequestMatcher(state.bindings)
      let differences = matcher.differences(content.request, sent)
      if differences.isEmpty, isKind(content) { unmatched.recordedTimes += 1 }
      // Differences in the host and the method have the most weight. Entries that are already replayed are still
      // candidates.
      let recorded = URLBase(content.request.url)
      var rank = differences.count * 2 + (isKind(content) ? 0 : 40)
      if recorded.host != url.host { rank += 12 }
      if recorded.path != url.path { rank += 6 - Self.commonSegments(recorded.path, url.path) }
      if content.request.method != sent.method { rank += 8 }
      if nearest.map({ rank < $0.rank }) ?? true { nearest = (rank, index, differences) }
    }
    guard let nearest else { return unmatched }
    unmatched.place = FileSpan(recording.source, recording.entries[nearest.index].span)
    unmatched.differences = nearest.differences.map { difference in
      var masked = difference
      masked.sent = difference.sent.map { text in
        difference.part == "header authorization"
          ? state.bindings.maskedCredentials(text)
          : difference.name.map { state.bindings.masked($0, text) } ?? state.bindings.masked(text)
      }
      return masked
    }
    return unmatched
  }

  /// Returns the number of leading path segments that two paths have in common, up to five.
  private static func commonSegments(_ one: String, _ other: String) -> Int {
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
    if Task.isCancelled { throw .canceled }
    return try await platform.exchange(request)
  }
}

private struct ReplayBrowser: Browser {
  let platform: ReplayPlatform

  func visit(_ visit: BrowserVisit) async -> BrowserOutcome { await platform.visit(visit) }
}
