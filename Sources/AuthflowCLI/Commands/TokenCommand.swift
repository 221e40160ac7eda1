import ArgumentParser
import Documents
import Effects
import OAuth
import PublicClient
import Reports
import RunTrace

struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Print an access token for scripts, or decode a token",
    discussion: """
      Examples:
        authflow token --settings Workflows/AuthSettings.plist
        authflow token | authflow token decode -
      """,
    subcommands: [TokenPrintCommand.self, TokenDecodeCommand.self], defaultSubcommand: TokenPrintCommand.self)
}

struct TokenPrintCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "print", abstract: "Print an access token, from the cache or after sign-in",
    discussion: """
      Acquires a token silently from the token cache if possible. Otherwise, the user signs in; in CI, this requires \
      `--interactive`. Anyone who has the token can act as the user until the token expires.

      `--exec` replaces authflow with another program and passes the token in the `ACCESS_TOKEN` environment variable, \
      in the variable that `--env` specifies, or through the file descriptor that `--fd` specifies. The token then \
      does not appear on a command line or in the shell history.

      Examples:
        authflow token --settings Workflows/AuthSettings.plist
        authflow token --exec -- ./sync-calendar --days 7
      """)

  @OptionGroup var options: TokenOptions
  @Option(help: "Select the output format (JSON adds expiration, scopes, and account)")
  var format: OutputFormat = .text
  @Flag(help: "Run the program after `--` with the token") var exec = false
  @Option(
    help: ArgumentHelp("With `--exec`, use this variable (default: ACCESS_TOKEN)", valueName: "name"))
  var env: String?
  @Option(help: ArgumentHelp("With `--exec`, use this file descriptor, 3 or higher", valueName: "n"))
  var fd: Int32?
  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("Program to run with `--exec`, and its arguments", valueName: "command"))
  var command: [String] = []

  func perform(in session: Session) async throws(ExitStatus) {
    if let problem {
      throw session.report(.usageError, problem)
    }
    let outcome = try await TokenAcquisition(options: options, session: session).acquire()
    if let failure = outcome.failure { throw failure }
    guard let token = outcome.token, !token.accessToken.isEmpty else {
      throw session.report(.failed, "no access token in the response for these scopes")
    }
    if exec { return try run(with: token.accessToken.reveal(), in: session) }
    switch format {
    case .text: session.printLine(token.accessToken.reveal(), as: .data)
    case .json:
      let json: JSON = [
        "accessToken": .string(token.accessToken.reveal()), "account": .string(token.account.username),
        "expiresOn": .string(token.expiresOn.rfc3339()), "scopes": .array(token.scopes.map { .string($0) }),
        "source": .string(token.source.rawValue), "tokenType": .string(token.tokenType),
      ]
      session.printJSON(json)
    }
  }
}

extension TokenPrintCommand {
  /// The error in the `--exec` options, if any.
  private var problem: String? {
    if exec, command.isEmpty {
      return "`--exec` requires a program\n  help: write it after `--`, as in `--exec -- curl …`"
    }
    if !exec, !command.isEmpty { return "a program requires `--exec`" }
    if !exec, env != nil || fd != nil { return "`\(env != nil ? "--env" : "--fd")` requires `--exec`" }
    if env != nil, fd != nil { return "`--env` and `--fd` cannot be used together" }
    if let env, !env.isVariableName { return "invalid variable name `\(env)`" }
    if let fd, !(3...255).contains(fd) { return "`--fd` must be between 3 and 255" }
    return nil
  }

  /// Replaces this process with the program that `--exec` specifies.
  private func run(with token: String, in session: Session) throws(ExitStatus) {
    var call = ProgramCall(command)
    if let fd { call.descriptors[fd] = Array(token.utf8) } else { call.variables[env ?? "ACCESS_TOKEN"] = token }
    do throws(ProgramFailure) { try session.world.programs.exec(call) } catch {
      throw session.report(.environmentFailure, "cannot start \(command[0]): \(error.reason)")
    }
  }
}

struct TokenDecodeCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode", abstract: "Show the claims of a token, and whether it is still valid",
    discussion: """
      The command does not send requests, and it neither shows nor validates the signature. The token can be preceded \
      by the word `Bearer`. Use standard input for live tokens, because other users of the computer can see command \
      lines.

      Examples:
        authflow token | authflow token decode -
        authflow token --scopes Mail.Read | authflow token decode --format json
      """)

  @Argument(help: "Token, or `-` for standard input") var token = "-"
  @Option(help: "Select the output format") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    var text = token
    if token == "-" { text = String(decoding: try session.read("-"), as: UTF8.self) }
    let words = text.split(whereSeparator: \.isWhitespace)
    let hasScheme = words.count == 2 && words[0].lowercased() == "bearer"
    guard let encoded = hasScheme ? words.last : words.first, words.count == (hasScheme ? 2 : 1) else {
      throw session.report(.usageError, words.isEmpty ? "missing token" : "not a token: the text contains spaces")
    }
    let jwt: UnverifiedJWT
    do throws(JWTFailure) { jwt = try UnverifiedJWT(parsing: encoded) } catch {
      throw session.report(.usageError, "not a JWT: \(error.reason)", help: Self.help(for: encoded))
    }
    switch format {
    case .text:
      session.printLine(
        TokenText(style: session.style(for: .output), now: session.world.clock.now).text(of: jwt))
    case .json:
      session.printJSON(["header": jwt.header, "claims": jwt.claims])
    }
  }

  private static func help(for text: Substring) -> String {
    switch text.count(where: { $0 == "." }) {
    case 4: "use another token: only the audience of this token can decrypt it (JWE)"
    case 2: "check that the token is complete and unchanged"
    default: "use another token: refresh tokens, and access tokens for personal accounts, are opaque"
    }
  }
}
