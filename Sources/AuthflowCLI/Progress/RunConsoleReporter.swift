import Documents
import Effects
import OrderedCollections
import Reports
import RunTrace
import Synchronization

/// Prints the report of a run while it is in progress, with a live region that shows the current activity.
final class RunConsoleReporter: Sendable {
  private let session: Session
  private let terminal: Mutex<TerminalRunReport>
  private let progress: Progress
  private let region: LiveRegion?
  private let showsQRCodes: Bool

  /// The content of the live region.
  private final class Progress: Sendable {
    let state = Mutex(RunProgress())
  }

  /// - Parameters:
  ///   - clock: The clock of the run, or nil to omit the live region. Scenarios omit it, because they wait only on a
  ///     virtual clock.
  ///   - showsQRCodes: Whether to print QR codes for device code URLs. Other devices cannot open the
  ///     emulator's URLs.
  init(detail: TerminalRunReport.Detail, clock: (any WorldClock)?, showsQRCodes: Bool, in session: Session) {
    self.session = session
    self.showsQRCodes = showsQRCodes
    terminal = Mutex(TerminalRunReport(style: session.style(for: .output), detail: detail))
    let progress = Progress()
    self.progress = progress
    region = clock.flatMap { clock in
      LiveRegion(in: session) { _, style in progress.state.withLock { $0.lines(at: clock.now, style: style) } }
    }
  }

  func report(_ event: TraceEvent) {
    progress.state.withLock { $0.take(event) }
    let text = terminal.withLock { $0.text(of: event) } + qrCode(event)
    guard !text.isEmpty else { return }
    func write() { session.world.console.write(text, to: .output) }
    if let region { region.writeAbove(write) } else { write() }
  }

  /// Performs `work` and shows the live region on an interactive terminal.
  func showingProgress<Result: Sendable>(_ work: () async -> Result) async -> Result {
    await region.showingProgress(work)
  }

  /// Returns the QR code of a device code URL, or an empty string for other events.
  private func qrCode(_ event: TraceEvent) -> String {
    guard showsQRCodes, region != nil, session.world.console.isTerminal(.output), event.isDeviceCode,
      let facts = event.members["facts"],
      let url = facts["verificationUriComplete"]?.string ?? facts["verificationUri"]?.string,
      let code = QRCode(url)
    else { return "" }
    return QRCodeText.render(code, style: session.style(for: .output), indent: 4) ?? ""
  }
}
