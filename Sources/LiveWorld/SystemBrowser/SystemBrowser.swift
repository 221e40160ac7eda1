import Effects
import Synchronization
import SystemWorld

/// The user's browser. This type opens the sign-in page and waits for the redirect on the loopback address (RFC 8252
/// §7.3).
///
/// Only one page is open at a time. Messages are printed to standard error. If this machine has no browser or the
/// redirect URI has a custom scheme, the user can open the page and paste the redirect. See ``RedirectMethods``.
package final class SystemBrowser: Browser {
  private struct State {
    /// The listener that reserves a port until the visit.
    var held: LoopbackListener?
    var failure: String?
  }

  /// The ways to open a page and receive the redirect.
  package struct RedirectMethods: Sendable {
    /// Whether to start a browser on this machine. If false, the page's URL is printed.
    package var opens: Bool
    /// A closure that returns the next pasted line, or nil at the end of the input. The property is nil if pasting is
    /// not possible.
    package var pastedLine: (@Sendable () async -> String?)?

    package init(opens: Bool = true, pastedLine: (@Sendable () async -> String?)? = nil) {
      self.opens = opens
      self.pastedLine = pastedLine
    }
  }

  private let redirectMethods: RedirectMethods
  private let environment: Environment
  private let clock: any WorldClock
  private let printStatus: @Sendable (String) -> Void
  private let timeout: Duration
  private let state = Mutex(State())

  /// The timeout for a sign-out page. Many of these pages never redirect.
  private static let signOutTimeout = Duration.seconds(60)

  /// - Parameters:
  ///   - redirectMethods: How pages are opened and redirects are received.
  ///   - environment: The environment, which contains `BROWSER` and the display variables.
  ///   - timeout: The timeout for a sign-in.
  ///   - printStatus: A closure that prints a message for the user.
  package init(
    redirectMethods: RedirectMethods = RedirectMethods(), environment: Environment, clock: any WorldClock,
    timeout: Duration = .seconds(300),
    printStatus: @escaping @Sendable (String) -> Void
  ) {
    self.redirectMethods = redirectMethods
    self.environment = environment
    self.clock = clock
    self.timeout = timeout
    self.printStatus = printStatus
  }

  /// The reason why a visit was not possible on this machine, such as a port that is in use, or nil.
  package var failure: String? { state.withLock { $0.failure } }

  package func redirectURI(for registered: String) async -> String {
    // If the port cannot be used, the visit reports the error.
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
      return BrowserOutcome(.failed(.badResponse("a browser cannot open the page's URL")))
    }
    guard let redirectURI = visit.redirectURI else {
      await open(visit)
      return BrowserOutcome(.finished)
    }
    var listener: LoopbackListener?
    do throws(ListenerError) {
      listener = try await self.listener(for: redirectURI)
    } catch {
      // A pasted redirect does not require a port.
      guard redirectMethods.pastedLine != nil else { return BrowserOutcome(.unavailable(reason: error.reason)) }
    }
    let ending = await wait(for: visit, redirectURI: redirectURI, at: listener)
    await listener?.close()
    return BrowserOutcome(ending)
  }

  private struct ListenerError: Error {
    var reason: String
  }

  private func listener(for redirectURI: String) async throws(ListenerError) -> LoopbackListener {
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
      throw ListenerError(reason: error.explanation)
    }
    do throws(LoopbackListener.CannotListen) {
      return try await LoopbackListener.open(address)
    } catch {
      state.withLock { $0.failure = error.explanation }
      throw ListenerError(reason: error.explanation)
    }
  }

  /// Opens the page and waits until the redirect arrives, the timeout passes, or the task is canceled.
  private func wait(
    for visit: BrowserVisit, redirectURI: String, at listener: LoopbackListener?
  ) async -> BrowserOutcome.Result {
    let isSignOut = visit.purpose == .signOut
    let timeout = isSignOut ? min(self.timeout, Self.signOutTimeout) : self.timeout
    let printStatus = self.printStatus
    let answer = RedirectExpectation(visit)
    if let listener {
      listener.expect(
        LoopbackExpectation(address: listener.address, answer: answer, turnedAway: { printStatus("browser: \($0)") }))
    }
    return await withTaskGroup(of: BrowserOutcome.Result?.self) { group in
      if let listener {
        group.addTask {
          if let url = await listener.redirect() { return .redirected(url: url) }
          return .failed(.canceled)
        }
      }
      group.addTask {
        guard await self.lasts(timeout) else { return nil }
        let limit = "within \(timeout.components.seconds) seconds"
        return isSignOut
          ? .closed(reason: "the sign-out page did not redirect \(limit)")
          : .failed(.timedOut("the sign-in page did not redirect \(limit)"))
      }
      group.addTask {
        await self.open(visit)
        guard !Task.isCancelled else { return nil }
        printStatus(self.awaiting(redirectURI, at: listener, timeout))
        return await self.pasted(PastedRedirect(redirectURI: redirectURI, answer: answer), isOnlyWay: listener == nil)
      }
      var ending: BrowserOutcome.Result?
      while ending == nil, let next = await group.next() { ending = next }
      group.cancelAll()
      return Task.isCancelled ? .failed(.canceled) : ending ?? .failed(.canceled)
    }
  }

  /// The numbers of remaining seconds at which a reminder is printed.
  private static let reminders: [Int64] = [240, 180, 120, 60, 30, 10]

  /// Waits for the timeout and prints reminders.
  /// - Returns: Whether it timed out. False if the wait was canceled.
  private func lasts(_ timeout: Duration) async -> Bool {
    var left = timeout
    for seconds in Self.reminders where .seconds(seconds) < left {
      guard (try? await clock.sleep(for: left - .seconds(seconds))) != nil else { return false }
      left = .seconds(seconds)
      printStatus("browser: still waiting, \(seconds) seconds left")
    }
    return (try? await clock.sleep(for: left)) != nil
  }

  private func awaiting(_ redirectURI: String, at listener: LoopbackListener?, _ timeout: Duration) -> String {
    let place = listener == nil ? "" : " at \(redirectURI)"
    let paste =
      redirectMethods.pastedLine == nil
      ? ""
      : listener == nil
        ? "paste the URL that starts with \(redirectURI.prefix { $0 != "?" }) here, or "
        : "paste its URL here, or "
    let limit = "up to \(timeout.components.seconds) seconds"
    return "browser: waiting \(limit) for the redirect\(place); \(paste)press Ctrl-C to cancel"
  }

  /// Reads pasted lines until a line contains the redirect.
  /// - Returns: The outcome, or nil if the user pasted no redirect but the redirect can still arrive at the listener.
  private func pasted(_ redirect: PastedRedirect, isOnlyWay: Bool) async -> BrowserOutcome.Result? {
    guard let pastedLine = redirectMethods.pastedLine else { return nil }
    while !Task.isCancelled, let line = await pastedLine() {
      switch redirect.classify(line) {
      case .nothing: continue
      case .refused(let reason): printStatus("browser: \(reason)")
      case .answer(let url): return .redirected(url: url)
      }
    }
    guard isOnlyWay, !Task.isCancelled else { return nil }
    return .closed(reason: "the input ended before a redirect was pasted")
  }

  /// Opens a visit's page.
  private func open(_ visit: BrowserVisit) async { await show(visit.url, as: visit.purpose.page) }

  /// Tries each command in order. Prints the URL of the page if no command opens the page.
  /// - Parameter page: The name of the page, as in `the sign-in page`.
  package func show(_ url: String, as page: String) async {
    guard redirectMethods.opens else {
      return printStatus("browser: open \(page) in any browser:\n\(Self.withoutToken(url))")
    }
    var reasons: [String] = []
    for command in BrowserCommands.find(for: url, in: environment) {
      guard !Task.isCancelled else { return }
      let name = command.first ?? ""
      do throws(ChildProcess.LaunchError) {
        let process = try ChildProcess(command)
        let verdict = await verdict(of: process)
        guard !Task.isCancelled else { return }
        switch verdict {
        case nil, .exited(0): return printStatus("browser: \(page) opened with \(name)")
        case .exited(let code): reasons.append("\(name) exited with \(code)")
        case .killed(let signal): reasons.append("\(name) was terminated by signal \(signal)")
        }
      } catch {
        reasons.append("\(name): \(error.reason)")
      }
    }
    guard !Task.isCancelled else { return }
    if reasons.isEmpty {
      reasons.append(
        "there is no display: DISPLAY and WAYLAND_DISPLAY are not set; a deviceCode step does not require a display")
    }
    let paste = redirectMethods.pastedLine == nil ? "a browser on this machine" : "any browser"
    printStatus(
      "browser: \(page) did not open (\(reasons.joined(separator: "; "))). Open this URL in "
        + "\(paste):\n\(Self.withoutToken(url))")
  }

  /// Returns the URL to print. The hint in a sign-out URL is an ID token. It is removed, because its only purpose is to
  /// skip a prompt.
  private static func withoutToken(_ url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return url }
    let query = url[url.index(after: mark)...].split(separator: "&").filter { !$0.hasPrefix("id_token_hint=") }
    return String(url[...mark]) + query.joined(separator: "&")
  }

  /// Returns the exit status of a command, or nil if the command keeps running, as it does if it is the browser itself.
  private func verdict(of process: ChildProcess) async -> ChildProcess.Ending? {
    let ended = Verdict()
    Task { ended.give(await process.ending()) }
    let clock = self.clock
    let timeout = Task {
      try? await clock.sleep(for: .seconds(5))
      ended.give(nil)
    }
    defer { timeout.cancel() }
    return await withTaskCancellationHandler {
      await ended.value()
    } onCancel: {
      ended.give(nil)
    }
  }
}

/// A store that keeps only the first of several results.
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
    case .deviceCode: "the device code page"
    }
  }
}
