import ArgumentParser
import Documents
import Effects

struct DoctorCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Looks whether this machine has what signing in needs, and tells how to get it.",
    discussion: """
      The embedded platform needs none of it but a place for what is kept. With --platform live the identity platform is \
      asked once, too, for its public metadata: so the network, the proxy, TLS and the clock are tried as a sign-in would.

      Ends with 3 where something stands in the way.

      Examples:
        authflow doctor
        authflow doctor --platform live --authority https://login.microsoftonline.us/common
      """)

  @Option(help: "emulated, or live to ask the identity platform, too.")
  var platform: CachePlaceOptions.Platform = .emulated
  @Option(help: ArgumentHelp("With --platform live: whom to ask.", valueName: "url"))
  var authority = Self.standard
  @Option(help: "text or json.") var format: OutputFormat = .text

  static let standard = "https://login.microsoftonline.com/common"

  func perform(in session: Session) async throws(ExitStatus) {
    let examination = DoctorChecks(session: session, isLive: platform == .live)
    var findings = await examination.surroundings()
    if platform == .live { findings += await examination.platform(authority) }
    switch format {
    case .text: session.printLine(DoctorCheckResult.text(findings, style: session.style(for: .output)))
    case .json: session.printLine(JSON.array(findings.map(\.json)).text(pretty: true), as: .json)
    }
    if findings.contains(where: { $0.verdict == .problem }) { throw .environmentFailure }
  }
}
