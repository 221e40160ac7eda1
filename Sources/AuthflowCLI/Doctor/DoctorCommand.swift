import ArgumentParser
import Documents
import Effects

struct DoctorCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check that this machine has everything sign-in requires",
    discussion: """
      The emulator requires only a folder for saved state. With `--platform live`, the command also requests the \
      identity provider's public metadata to check the network, the proxy, TLS, and the system clock.

      The exit code is 3 if a problem prevents sign-in.

      Examples:
        authflow doctor
        authflow doctor --platform live
      """)

  @Option(help: "Check the requirements for this platform")
  var platform: CacheLocationOptions.Platform = .emulated
  @Option(help: ArgumentHelp("With `--platform live`, use this authority", valueName: "url"))
  var authority = Self.defaultAuthority
  @Option(help: "Select the output format") var format: OutputFormat = .text

  static let defaultAuthority = "https://login.microsoftonline.com/common"

  func perform(in session: Session) async throws(ExitStatus) {
    let checks = DoctorChecks(session: session, isLive: platform == .live)
    var results = await checks.environment()
    if platform == .live { results += await checks.platform(authority) }
    switch format {
    case .text: session.printLine(DoctorCheckResult.text(results, style: session.style(for: .output)))
    case .json: session.printJSON(JSON.array(results.map(\.json)))
    }
    if results.contains(where: { $0.status == .problem }) { throw .environmentFailure }
  }
}
