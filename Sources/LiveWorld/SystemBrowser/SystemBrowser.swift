import Effects
import Synchronization
import SystemWorld

/// The user's own browser: opened at the sign-in page, and awaited at the loopback redirect (RFC 8252 §7.3).
///
/// One page is open at a time. What it has to say goes to standard error. Where this machine has no browser, or the redirect
/// leads to an app's own scheme, the user can be the messenger: see ``Ways``.
package final class SystemBrowser: Browser {
  private struct State {
    /// The listener that holds a port until its visit.
    var held: LoopbackListener?
    var failure: String?
  }

  /// How a page gets to the user, and how its answer gets back.
  package struct RedirectMethods: Sendable {
    /// Whether a browser of this machine is started; else only the page's address is shown.
    package var opens: Bool
    /// Gives the next line that the user pastes, nil at the end of the input; nil where nothing is pasted.
    package var pastedLine: (@Sendable () async -> String?)?

    package init(opens: Bool = true, pastedLine: (@Sendable () async -> String?)? = nil) {
      self.opens = opens
      self.pastedLine = pastedLine
    }
  }

  private let ways: RedirectMethods
  private let environment: Environment
  private let clock: any WorldClock
  private let say: @Sendable (String) -> Void
  private let patience: Duration
  private let state = Mutex(State())

  /// How long a sign-out page may take to come back; many never do.
  private static let signOutPatience = Duration.seconds(60)

  /// - Parameters:
  ///   - ways: how pages and their answers get there and back.
  ///   - environment: where `BROWSER` and the display are looked up.
  ///   - patience: how long a user may take to sign in.
  ///   - say: told what the user should know, a sentence at a time.
  package init(
    ways: RedirectMethods = RedirectMethods(), environment: Environment, clock: any WorldClock,
    patience: Duration = .seconds(300),
    say: @escaping @Sendable (String) -> Void
  ) {
    self.ways = ways
    self.environment = environment
    self.clock = clock
    self.patience = patience
    self.say = say
  }

  /// Why the machine did not let a visit happen, such as a port in use; nil where it did.
  package var failure: String? { state.withLock { $0.failure } }

  package func redirectURI(for registered: String) async -> String {
    // What cannot be listened on is told by the visit.
    guard let address = try? LoopbackAddress(registered), address.port == nil,
      let listener = try? await LoopbackListener.open(address)
    else { return registered }
    state.withLock { $0.held = listener }
    return listener.address.redirectURI
  }

  package func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    guard let scheme = visit.url.firstRange(of: "://").map({ visit.url[..<$0.lowerBound].lowercased() }),
      scheme == "https" || scheme == "http",
      visit.url.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F })
    else {
      return BrowserOutcome(.failed(.badResponse("the address of the page is none that a browser opens")))
    }
    guard let redirectURI = visit.redirectURI else {
      await open(visit)
      return BrowserOutcome(.finished)
    }
    var listener: LoopbackListener?
    do throws(Refusal) {
      listener = try await self.listener(for: redirectURI)
    } catch {
      // What is pasted needs no port.
      guard ways.pastedLine != nil else { return BrowserOutcome(.unavailable(reason: error.reason)) }
    }
    let ending = await wait(for: visit, redirectURI: redirectURI, at: listener)
    await listener?.close()
    return BrowserOutcome(ending)
  }

  private struct Refusal: Error {
    var reason: String
  }

  private func listener(for redirectURI: String) async throws(Refusal) -> LoopbackListener {
    let held = state.withLock { state -> LoopbackListener? in
      guard state.held?.address.redirectURI == redirectURI else { return nil }
      defer { state.held = nil }
      return state.held
    }
    if let held { return held }
    let address: LoopbackAddress
    do throws(LoopbackAddress.Unreachable) {
      address = try LoopbackAddress(redirectURI)
    } catch {
      throw Refusal(reason: error.explanation)
    }
    do throws(LoopbackListener.CannotListen) {
      return try await LoopbackListener.open(address)
    } catch {
      state.withLock { $0.failure = error.explanation }
      throw Refusal(reason: error.explanation)
    }
  }

  /// Opens the page and waits for its answer, the end of patience, or the end of the task, whichever is first.
  private func wait(
    for visit: BrowserVisit, redirectURI: String, at listener: LoopbackListener?
  ) async -> BrowserOutcome.Result {
    let isSignOut = visit.purpose == .signOut
    let patience = isSignOut ? min(self.patience, Self.signOutPatience) : self.patience
    let say = self.say
    let answer = RedirectExpectation(visit)
    if let listener {
      listener.expect(
        LoopbackExpectation(address: listener.address, answer: answer, turnedAway: { say("browser: \($0)") }))
    }
    return await withTaskGroup(of: BrowserOutcome.Result?.self) { group in
      if let listener {
        group.addTask {
          if let url = await listener.redirect() { return .redirected(url: url) }
          return .failed(.cancelled)
        }
      }
      group.addTask {
        guard await self.lasts(patience) else { return nil }
        let limit = "within \(patience.components.seconds) seconds"
        return isSignOut
          ? .closed(reason: "the sign-out page did not come back \(limit)")
          : .failed(.timedOut("nobody came back from the sign-in page \(limit)"))
      }
      group.addTask {
        await self.open(visit)
        guard !Task.isCancelled else { return nil }
        say(self.awaiting(redirectURI, at: listener, patience))
        return await self.pasted(PastedRedirect(redirectURI: redirectURI, answer: answer), isOnlyWay: listener == nil)
      }
      var ending: BrowserOutcome.Result?
      while ending == nil, let next = await group.next() { ending = next }
      group.cancelAll()
      return Task.isCancelled ? .failed(.cancelled) : ending ?? .failed(.cancelled)
    }
  }

  /// When what is left of the patience is told again, in seconds.
  private static let reminders: [Int64] = [240, 180, 120, 60, 30, 10]

  /// Waits until the patience is over, and tells now and then what is left of it.
  /// - Returns: whether it came to its end; false where somebody ended the waiting.
  private func lasts(_ patience: Duration) async -> Bool {
    var left = patience
    for seconds in Self.reminders where .seconds(seconds) < left {
      guard (try? await clock.sleep(for: left - .seconds(seconds))) != nil else { return false }
      left = .seconds(seconds)
      say("browser: still waiting, \(seconds) seconds left")
    }
    return (try? await clock.sleep(for: left)) != nil
  }

  private func awaiting(_ redirectURI: String, at listener: LoopbackListener?, _ patience: Duration) -> String {
    let place =
      listener == nil ? "for the address that the page leads to" : "at \(redirectURI) for the page to come back"
    let paste =
      ways.pastedLine == nil
      ? ""
      : listener == nil
        ? "; paste it here: it begins with \(redirectURI.prefix { $0 != "?" })"
        : "; where it cannot, paste the address that it leads to here"
    return "browser: waiting \(place)\(paste), at most \(patience.components.seconds) seconds; Ctrl-C ends it"
  }

  /// Reads pasted lines until one is the answer.
  /// - Returns: nil where none is or nothing is pasted, and the answer may still come otherwise.
  private func pasted(_ redirect: PastedRedirect, isOnlyWay: Bool) async -> BrowserOutcome.Result? {
    guard let pastedLine = ways.pastedLine else { return nil }
    while !Task.isCancelled, let line = await pastedLine() {
      switch redirect.judge(line) {
      case .nothing: continue
      case .refused(let reason): say("browser: \(reason)")
      case .answer(let url): return .redirected(url: url)
      }
    }
    guard isOnlyWay, !Task.isCancelled else { return nil }
    return .closed(reason: "the input ended before the address of a redirect was pasted")
  }

  /// Tries one command after the other; where none opens the page, its address is shown.
  private func open(_ visit: BrowserVisit) async {
    guard ways.opens else {
      return say("browser: open \(visit.purpose.page) in any browser:\n\(Self.withoutToken(visit.url))")
    }
    var reasons: [String] = []
    for command in BrowserCommands.find(for: visit.url, in: environment) {
      guard !Task.isCancelled else { return }
      let name = command.first ?? ""
      do throws(ChildProcess.LaunchError) {
        let process = try ChildProcess(command)
        let verdict = await verdict(of: process)
        guard !Task.isCancelled else { return }
        switch verdict {
        case nil, .exited(0): return say("browser: \(visit.purpose.page) was opened with \(name)")
        case .exited(let code): reasons.append("\(name) ended with \(code)")
        case .killed(let signal): reasons.append("\(name) was ended by signal \(signal)")
        }
      } catch {
        reasons.append("\(name): \(error.reason)")
      }
    }
    guard !Task.isCancelled else { return }
    if reasons.isEmpty {
      reasons.append("there is no display, neither DISPLAY nor WAYLAND_DISPLAY is set; a deviceCode step needs none")
    }
    let paste = ways.pastedLine == nil ? "a browser on this machine" : "any browser"
    say(
      "browser: \(visit.purpose.page) could not be opened (\(reasons.joined(separator: "; "))). Open this address in "
        + "\(paste):\n\(Self.withoutToken(visit.url))")
  }

  /// The address for people's eyes and logs: a sign-out's hint is an ID token, and only spares a question.
  private static func withoutToken(_ url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return url }
    let query = url[url.index(after: mark)...].split(separator: "&").filter { !$0.hasPrefix("id_token_hint=") }
    return String(url[...mark]) + query.joined(separator: "&")
  }

  /// How a command ended; nil where it still runs after a while, as a browser does that it is itself.
  private func verdict(of process: ChildProcess) async -> ChildProcess.Ending? {
    let ended = Verdict()
    Task { ended.give(await process.ending()) }
    let clock = self.clock
    let patience = Task {
      try? await clock.sleep(for: .seconds(5))
      ended.give(nil)
    }
    defer { patience.cancel() }
    return await withTaskCancellationHandler {
      await ended.value()
    } onCancel: {
      ended.give(nil)
    }
  }
}

/// The first of several endings.
private final class Verdict: Sendable {
  private let (stream, source) = AsyncStream.makeStream(
    of: ChildProcess.Ending?.self, bufferingPolicy: .bufferingOldest(1))

  func give(_ ending: ChildProcess.Ending?) {
    source.yield(ending)
    source.finish()
  }

  func value() async -> ChildProcess.Ending? {
    for await ending in stream { return ending }
    return nil
  }
}

extension BrowserVisit.Purpose {
  fileprivate var page: String {
    switch self {
    case .signIn: "the sign-in page"
    case .signOut: "the sign-out page"
    case .deviceCode: "the page for the device's code"
    }
  }
}
