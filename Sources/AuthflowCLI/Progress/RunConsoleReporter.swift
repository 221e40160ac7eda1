import Documents
import Effects
import OrderedCollections
import Reports
import RunTrace
import Synchronization

/// Writes the story of a run to the console as it happens, and below it what the run is at.
final class RunConsoleReporter: Sendable {
  private let session: Session
  private let story: Mutex<TerminalRunReport>
  private let progress: Progress
  private let region: LiveRegion?
  private let showsCodes: Bool

  /// What the live region shows.
  private final class Progress: Sendable {
    let state = Mutex(RunProgress())
  }

  /// - Parameters:
  ///   - clock: of the run, which the embedded platform may have put forward; nil where nobody could watch it wait, as in a
  ///     scenario.
  ///   - showsCodes: whether an address for another device is a real one, worth being scanned.
  init(detail: TerminalRunReport.Detail, clock: (any WorldClock)?, showsCodes: Bool, in session: Session) {
    self.session = session
    self.showsCodes = showsCodes
    story = Mutex(TerminalRunReport(style: session.style(for: .output), detail: detail))
    let progress = Progress()
    self.progress = progress
    region = clock.flatMap { clock in
      LiveRegion(in: session) { _, style in progress.state.withLock { $0.lines(at: clock.now, style: style) } }
    }
  }

  func tell(_ event: TraceEvent) {
    progress.state.withLock { $0.take(event) }
    let text = story.withLock { $0.tell(event) } + code(event)
    guard !text.isEmpty else { return }
    aside { session.world.console.write(text, to: .output) }
  }

  /// Lets something else be written than the story.
  func aside(_ write: () -> Void) {
    if let region { region.aside(write) } else { write() }
  }

  /// Shows what the run is at for as long as it goes on, where somebody watches.
  func watching<Result: Sendable>(_ work: () async -> Result) async -> Result {
    await region.watching(work)
  }

  /// The address for another device as that can read it from the screen.
  private func code(_ event: TraceEvent) -> String {
    guard showsCodes, region != nil, session.world.console.isTerminal(.output), event.isDeviceCode,
      let facts = event.members["facts"],
      let address = facts["verificationUriComplete"]?.string ?? facts["verificationUri"]?.string,
      let code = QRCode(address)
    else { return "" }
    return QRCodeText.render(code, style: session.style(for: .output), indent: 4) ?? ""
  }
}
