import ArgumentParser
import Effects
import LiveWorld

/// The browser for a run: a simulated user, the system browser, or none.
struct BrowserOptions: ParsableArguments {
  enum Choice: String, ExpressibleByArgument, CaseIterable {
    case simulated, system, none
  }

  @Option(
    help: ArgumentHelp(
      "Select how sign-in pages are completed (default: simulated)",
      discussion:
        "`simulated` uses the workflow's user. `system` uses your browser and requires `--platform live`. `none` shows "
        + "no pages.",
      valueName: "browser"))
  private var browser: Choice?
  @Flag(help: "Print the sign-in URL instead of opening it (implies `--browser system`)")
  private var printURL = false
  @Flag(help: "Read the redirect URL from standard input (implies `--browser system`)")
  private var paste = false

  /// The selected browser.
  var choice: Choice { browser ?? (printURL || paste ? .system : .simulated) }

  /// Whether the command line contains at least one of these options.
  var isSpecified: Bool { browser != nil || printURL || paste }

  /// The reason the system browser cannot open pages of the built-in emulator.
  static let emulatorPagesReason = "the emulator's pages exist only inside this process"

  /// The option that implies `--browser system`, if any.
  private var implyingOption: String? { printURL ? "--print-url" : paste ? "--paste" : nil }

  /// Returns the error if the platform does not support the selected browser, or nil if it does.
  /// - Parameter reason: The reason the system browser cannot open pages of this platform, or nil if it can.
  func problem(systemBrowserUnavailable reason: String?) -> String? {
    if choice != .system, let implyingOption {
      return "`\(implyingOption)` and `--browser \(choice.rawValue)` cannot be used together"
    }
    guard choice == .system, let reason else { return nil }
    return "`\(implyingOption ?? "--browser system")` requires `--platform live`: \(reason)"
  }

  func redirectMethods(in session: Session) -> SystemBrowser.RedirectMethods {
    let console = session.world.console
    guard paste else { return SystemBrowser.RedirectMethods(opens: !printURL) }
    return SystemBrowser.RedirectMethods(opens: !printURL, pastedLine: { await console.readLine() })
  }
}
