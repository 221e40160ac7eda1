import Effects
import HTTPTypes
import OAuth
import RunTrace

/// A browser that a simulated user controls.
///
/// The browser loads pages over any transport. The user can therefore sign in to the emulator and to any provider whose
/// pages work without JavaScript.
package struct SimulatedBrowser: Browser {
  private let user: SimulatedUser
  private let http: any HTTPTransport
  private let clock: any WorldClock
  private let cookies: CookieJar
  private let keep: PageSaver?
  private let trace: TraceRecorder?
  private let person: (any PagePerson)?

  /// Saves a redacted page that shows why the user could not continue.
  /// - Returns: The location, phrased for use in a sentence, or nil if the page was not saved.
  package typealias PageSaver = @Sendable (_ sketch: String) -> String?

  /// The maximum number of pages in a visit. A typical sign-in has about six.
  static let mostPages = 40
  static let mostRedirects = 30
  static let largestPage = 4 << 20

  /// - Parameters:
  ///   - cookies: The cookies of the profile. All windows except private windows share them.
  ///   - keep: A closure that saves a page that the user could not complete.
  ///   - trace: A closure that records each page as the user left it.
  ///   - person: A real user who completes the pages, or nil.
  package init(
    _ user: SimulatedUser, http: any HTTPTransport, clock: any WorldClock, cookies: CookieJar, keep: PageSaver? = nil,
    trace: TraceRecorder? = nil, person: (any PagePerson)? = nil
  ) {
    self.user = user
    self.http = http
    self.clock = clock
    self.cookies = cookies
    self.keep = keep
    self.trace = trace
    self.person = person
  }

  package func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    let jar = visit.ephemeral ? CookieJar() : cookies
    var simulatedVisit = SimulatedVisit(visit, user: user, keep: keep, trace: trace, person: person)
    do {
      return try await simulatedVisit.run(http: http, clock: clock, cookies: jar)
    } catch let failure as TransportFailure {
      return simulatedVisit.outcome(.failed(failure))
    } catch {
      return simulatedVisit.outcome(.failed(.canceled))
    }
  }
}

/// A visit, from the opening of the window until the result is known.
private struct SimulatedVisit {
  private let visit: BrowserVisit
  private let user: SimulatedUser
  private var responder: PageResponder
  private var screens: [String] = []
  private var pageError: String?
  /// The previous submissions and followed links. The user does not repeat them.
  private var attempts: Set<String> = []
  private var hasTakenTime = false
  private let keep: SimulatedBrowser.PageSaver?
  private let trace: TraceRecorder?
  private let person: (any PagePerson)?
  private var lastStyle: String?

  init(
    _ visit: BrowserVisit, user: SimulatedUser, keep: SimulatedBrowser.PageSaver?, trace: TraceRecorder?,
    person: (any PagePerson)?
  ) {
    self.person = person
    self.visit = visit
    self.user = user
    self.keep = keep
    self.trace = trace
    responder = PageResponder(user, visit: visit)
  }

  func outcome(_ ending: BrowserOutcome.Result) -> BrowserOutcome {
    BrowserOutcome(ending, screens: screens, pageError: pageError)
  }

  mutating func run(
    http: any HTTPTransport, clock: any WorldClock, cookies: CookieJar
  ) async throws -> BrowserOutcome {
    var next = Navigation(to: URLReference(visit.url))
    for _ in 0..<SimulatedBrowser.mostPages {
      let (arrival, ending) = try await load(next, http: http, clock: clock, cookies: cookies)
      if let ending { return outcome(ending) }
      guard let arrival else { return outcome(.closed(reason: "the visit has no page")) }
      switch try await read(arrival, clock: clock) {
      case .end(let ending): return outcome(ending)
      case .go(let navigation): next = navigation
      }
    }
    return outcome(.closed(reason: "more than \(SimulatedBrowser.mostPages) pages without a result"))
  }

  // MARK: Loading

  private struct Arrival {
    var url: URLReference
    var response: ResponseMessage
  }

  /// Follows redirects until it reaches a page or the result.
  private func load(
    _ navigation: Navigation, http: any HTTPTransport, clock: any WorldClock, cookies: CookieJar
  ) async throws -> (Arrival?, BrowserOutcome.Result?) {
    var next = navigation
    var source = navigation.referrer
    for _ in 0...SimulatedBrowser.mostRedirects {
      if let redirectURI = visit.redirectURI, next.url.reaches(redirectURI) {
        return (nil, ending(at: next.url.appending(next.entries)))
      }
      if visit.isEmbedded, Self.isForDevice(next.url) { return (nil, .redirected(url: next.url.text)) }
      if let reason = SecretRule.downgrade(from: source, to: next.url) { return (nil, .closed(reason: reason)) }
      let field = cookies.field(for: next.url, now: clock.now)
      guard next.url.origin != nil, let request = next.request(cookies: field) else {
        return (
          nil,
          .closed(
            reason: "the page redirects to \(next.url.withoutQuery), which is neither the redirect URI nor a web page")
        )
      }
      let response = try await http.send(request)
      cookies.store(response.head.headerFields, from: next.url, now: clock.now)
      guard let following = next.following(response.head) else {
        if response.body.count > SimulatedBrowser.largestPage {
          throw TransportFailure.badResponse("the page at \(next.url.withoutQuery) is larger than 4 MiB")
        }
        return (Arrival(url: next.url, response: response), nil)
      }
      source = next.url
      next = following
    }
    throw TransportFailure.badResponse(
      "\(next.url.withoutQuery): more than \(SimulatedBrowser.mostRedirects) redirects in a row")
  }

  /// Returns the result of a visit that reached the redirect URI. The app validates the result and converts errors to
  /// MSAL errors.
  private func ending(at url: URLReference) -> BrowserOutcome.Result {
    let verdict = RedirectExpectation(visit).evaluate(query: url.query ?? "", fragment: url.fragment ?? "")
    guard case .repeated(let name) = verdict else { return .redirected(url: url.text) }
    return .failed(.badResponse(RedirectExpectation.explanation(ofRepeated: name)))
  }

  /// Whether an embedded web view treats the URL as a message to the device.
  private static func isForDevice(_ url: URLReference) -> Bool {
    ["msauth", "browser"].contains(url.scheme?.lowercased())
  }

  // MARK: Reading

  private enum Step {
    case end(BrowserOutcome.Result)
    case go(Navigation)
  }

  private mutating func read(_ arrival: Arrival, clock: any WorldClock) async throws -> Step {
    let status = arrival.response.head.status.code
    let type = (arrival.response.head.headerFields[.contentType] ?? "text/html").lowercased()
    let isHTML = type.hasPrefix("text/html") || type.hasPrefix("application/xhtml+xml")
    if !isHTML || arrival.response.body.isEmpty {
      pageError = ErrorCode.find(in: String(decoding: arrival.response.body, as: UTF8.self))
      if status < 400, visit.redirectURI == nil { return .end(.finished) }
      return .end(.closed(reason: "\(arrival.url.withoutQuery) returned \(status) without a page"))
    }
    guard let root = HTMLElement(parsing: arrival.response.body, encoding: Self.charset(type)) else {
      return .end(.closed(reason: "the page at \(arrival.url.withoutQuery) is empty"))
    }
    let page = HTMLPage(root, url: arrival.url)
    if let step = byItself(page) { return step }
    let isError = status >= 400 || page.code != nil && FormChoice.best(of: page) == nil
    let screen = ScreenKind.of(page, for: visit.purpose) ?? (isError ? .error : nil)
    if let screen { screens.append(screen.rawValue) }
    pageError = page.code
    if let ending = fulfilled(page, screen) {
      if screen != nil { record(PagePicture(root, page, screen, nil, source: arrival.response.body)) }
      return .end(ending)
    }
    if let refresh = page.refresh, screen == nil {
      try await clock.sleep(for: .seconds(min(refresh.seconds, 60)))
      return .go(Navigation(to: refresh.url, from: page.url))
    }
    return try await act(on: page, screen, clock: clock) { action in
      PagePicture(root, page, screen, action, source: arrival.response.body)
    } sketch: { [user] in
      RedactedPage(root, at: page.url, without: user.secrets)
    } interactive: {
      let style = PagePicture(root, page, screen, nil, source: arrival.response.body).style
      return InteractivePage(root, page, screen, style: style)
    }
  }

  /// Submits a form that a script would submit in a real browser, such as the form for `response_mode=form_post`.
  private func byItself(_ page: HTMLPage) -> Step? {
    guard page.forms.count == 1, let form = page.forms.first, form.fields.isEmpty, !form.controls.isEmpty,
      form.buttons.count <= 1, page.metas["authflow-screen"] == nil
    else { return nil }
    let navigation = Navigation(form, form.entries(typed: [:], ticked: [:], button: nil), button: nil, on: page)
    let isHome = visit.redirectURI.map { navigation.url.reaches($0) } ?? false
    return page.submitsItself || isHome ? .go(navigation) : nil
  }

  /// Returns the result if the page completes the visit.
  private func fulfilled(_ page: HTMLPage, _ screen: ScreenKind?) -> BrowserOutcome.Result? {
    if screen == .error { return nil }
    if page.metas["authflow-done"] != nil || screen == .signedOut {
      return visit.purpose == .signIn && visit.redirectURI != nil ? nil : .finished
    }
    // Other providers' pages do not contain this element, so the visit is complete if a page requires no input. After
    // sign-out, a page that offers sign-in also completes the visit.
    let requiresNoInput = screen == nil && FormChoice.best(of: page) == nil && page.refresh == nil
    switch visit.purpose {
    case .signIn: return nil
    case .signOut: return requiresNoInput || screen == .username || screen == .password ? .finished : nil
    case .deviceCode: return requiresNoInput && visit.redirectURI == nil ? .finished : nil
    }
  }

  private mutating func act(
    on page: HTMLPage, _ screen: ScreenKind?, clock: any WorldClock, picture: (PageAction) -> PagePicture,
    sketch: () -> RedactedPage, interactive: () -> InteractivePage
  ) async throws -> Step {
    let usesDelay = screen != .error && screen != .signedOut
    if usesDelay, !hasTakenTime, user.delay > .zero {
      hasTakenTime = true
      try await clock.sleep(for: user.delay)
    }
    let action = await personAction(on: page, interactive) ?? responder.answer(page, screen, at: clock.now)
    record(picture(action))
    switch action {
    case .close(let reason): return .end(.closed(reason: reason))
    case .giveUp(let reason):
      let place = keep.flatMap { $0(sketch().text) }
      return .end(.closed(reason: reason + (place.map { "; \($0)" } ?? "")))
    case .follow(let url):
      guard attempts.insert("link \(url.text)").inserted || person != nil else {
        return .end(.closed(reason: page.firstAlert ?? "the pages form a loop"))
      }
      return .go(Navigation(to: url, from: page.url))
    case .submit(let form, let entries, let button, let hasSecret):
      let navigation = Navigation(form, entries, button: button, on: page)
      if hasSecret, let reason = SecretRule.rejection(of: navigation, on: page.url) {
        return .end(.closed(reason: reason))
      }
      guard attempts.insert(Self.attempt(page, screen, form, entries)).inserted || person != nil else {
        return .end(.closed(reason: page.firstAlert ?? "the page returned unchanged after the same input"))
      }
      return .go(navigation)
    }
  }

  /// Returns the real user's action, or nil if the simulated user completes the page.
  private func personAction(on page: HTMLPage, _ interactive: () -> InteractivePage) async -> PageAction? {
    guard let person else { return nil }
    return await person.answer(interactive()).action(on: page)
  }

  /// Returns a key that identifies a submission by the screen and the user's input. Omits hidden fields, because their
  /// values differ each time.
  private static func attempt(_ page: HTMLPage, _ screen: ScreenKind?, _ form: HTMLForm, _ entries: Parameters)
    -> String
  {
    let hidden = Set(form.controls.filter { $0.kind == .hidden }.map(\.name))
    let shown = Parameters(entries.entries.filter { !hidden.contains($0.name) })
    let hasTyped = form.fields.contains { $0.kind == .text || $0.kind == .password }
    // Include the text of the page, so that the user can press the same button again on a page with different text.
    return "\(screen?.rawValue ?? page.url.path) \(FormCoding.serialize(shown)) \(hasTyped ? "" : page.text)"
  }

  private mutating func record(_ picture: PagePicture) {
    guard let trace, trace.isHeard else { return }
    trace.record(
      .interaction,
      picture.traceMembers(purpose: visit.purpose.rawValue, lastStyle: &lastStyle, without: user.secrets))
  }

  private static func charset(_ type: String) -> String? {
    // Split bytes, because splitting characters is many times slower. Some servers omit the semicolon.
    let words = type.utf8.split { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }
    guard let charset = words.first(where: { $0.starts(with: "charset=".utf8) }) else { return nil }
    let name = Substring(charset.dropFirst("charset=".utf8.count)).filter { $0 != "\"" && $0 != "'" }
    return name.isEmpty ? nil : name
  }
}
