import ArgumentParser
import Effects
import LiveWorld

/// Who fills in the pages of a run, and how they get to a real user.
struct BrowserOptions: ParsableArguments {
  enum Choice: String, ExpressibleByArgument, CaseIterable {
    case simulated, system, none
  }

  @Option(
    help: ArgumentHelp(
      "simulated: the workflow's user fills in the pages (the default); system: your own browser, with --platform live; none: no page can be shown.",
      valueName: "browser"))
  private var browser: Choice?
  @Flag(help: "Show the address of a page and open no browser, as where this machine has none; means --browser system.")
  private var printURL = false
  @Flag(
    help: ArgumentHelp(
      "Take the address that the page leads to from standard input, where it cannot come back by itself; means --browser system."
    ))
  private var paste = false

  var choice: Choice { browser ?? (printURL || paste ? .system : .simulated) }

  /// Whether a scenario, whose world is its own, leaves any of this to be said.
  var isSaid: Bool { browser != nil || printURL || paste }

  /// Why a browser of the machine cannot show the embedded platform's pages.
  static let embedded = "the pages of the embedded platform are in this process only"

  /// Which option it is that brings a user's own browser in, where it is not `--browser`.
  private var implying: String? { printURL ? "--print-url" : paste ? "--paste" : nil }

  /// What is wrong with the choice for a platform.
  /// - Parameter reason: why this platform has no pages that a browser could open; nil where it has.
  func problem(_ reason: String?) -> String? {
    if choice != .system, let implying { return "\(implying) does not go with --browser \(choice.rawValue)" }
    guard choice == .system, let reason else { return nil }
    return "\(implying ?? "--browser system") needs --platform live: \(reason)"
  }

  func ways(in session: Session) -> SystemBrowser.RedirectMethods {
    let console = session.world.console
    guard paste else { return SystemBrowser.RedirectMethods(opens: !printURL) }
    return SystemBrowser.RedirectMethods(opens: !printURL, pastedLine: { await console.readLine() })
  }
}
