import ArgumentParser
import Documents
import Effects
import OAuth
import PublicClient
import Reports
import RunTrace

struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Prints an access token for scripts, or takes one apart.",
    subcommands: [TokenPrintCommand.self, TokenDecodeCommand.self], defaultSubcommand: TokenPrintCommand.self)
}

struct TokenPrintCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "print", abstract: "Prints an access token for scripts: silently, else with the user.",
    discussion: """
      The current account of the kept token cache gets it without any page; where that is not enough the user signs in, \
      which in CI happens with --interactive only. Whoever has the token can act as that account until it expires.

      --exec hands it to a program that takes authflow's place: in the variable ACCESS_TOKEN, or the one that --env names, or \
      with --fd in a file descriptor that it reads. So it stands in no command line and in no history.

      Examples:
        curl -H "Authorization: Bearer $(authflow token)" https://graph.microsoft.com/v1.0/me
        authflow token --exec -- ./sync-calendar --days 7
      """)

  @OptionGroup var options: TokenOptions
  @Option(help: "text for the token alone, or json with its expiry, scopes and account.") var format: OutputFormat =
    .text
  @Flag(help: "Hand the token to the program behind --, which takes this one's place.") var exec = false
  @Option(
    help: ArgumentHelp("With --exec: the variable that holds the token; ACCESS_TOKEN otherwise.", valueName: "name"))
  var env: String?
  @Option(help: ArgumentHelp("With --exec: the descriptor that the token is read from, 3 or more.", valueName: "n"))
  var fd: Int32?
  @Argument(parsing: .postTerminator, help: ArgumentHelp("With --exec: the program.", valueName: "command"))
  var command: [String] = []

  func perform(in session: Session) async throws(ExitStatus) {
    if let problem {
      session.printStatus("error: \(problem)")
      throw .usageError
    }
    let outcome = try await TokenAcquisition(options: options, session: session).acquire()
    if let failure = outcome.failure { throw failure }
    guard let token = outcome.token, !token.accessToken.isEmpty else {
      session.printStatus("error: the platform gave no access token for these scopes")
      throw .failed
    }
    if exec { return try handOver(token.accessToken.reveal(), in: session) }
    switch format {
    case .text: session.printLine(token.accessToken.reveal(), as: .data)
    case .json:
      let json: JSON = [
        "accessToken": .string(token.accessToken.reveal()), "account": .string(token.account.username),
        "expiresOn": .string(token.expiresOn.rfc3339()), "scopes": .array(token.scopes.map { .string($0) }),
        "source": .string(token.source.rawValue), "tokenType": .string(token.tokenType),
      ]
      session.printLine(json.text(pretty: true), as: .json)
    }
  }
}

extension TokenPrintCommand {
  /// What is wrong with how a program is named.
  private var problem: String? {
    let isName = env.map { $0.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil }
    if exec, command.isEmpty { return "--exec needs a program\n  help: write it behind --, as in --exec -- curl …" }
    if !exec, !command.isEmpty { return "a program is named without --exec" }
    if !exec, env != nil || fd != nil { return "--env and --fd go with --exec" }
    if env != nil, fd != nil { return "--env and --fd exclude each other" }
    if isName == false { return "\"\(env ?? "")\" is no name of a variable" }
    if let fd, !(3...255).contains(fd) { return "--fd is a number from 3 to 255; 0, 1 and 2 are the program's own" }
    return nil
  }

  private func handOver(_ token: String, in session: Session) throws(ExitStatus) {
    var call = ProgramCall(command)
    if let fd { call.descriptors[fd] = Array(token.utf8) } else { call.variables[env ?? "ACCESS_TOKEN"] = token }
    do throws(ProgramFailure) { try session.world.programs.become(call) } catch {
      session.printStatus("error: \(command[0]) cannot be started: \(error.reason)")
      throw .environmentFailure
    }
  }
}

struct TokenDecodeCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode", abstract: "Shows what a token says, claim by claim, and whether it is still valid.",
    discussion: """
      Nothing is sent anywhere, and the signature is neither shown nor checked. The token may stand behind the word Bearer. \
      Other users of the machine see what stands on a command line: - reads standard input.

      Example: authflow token | authflow token decode -
      """)

  @Argument(help: "The token, or - for standard input.") var token = "-"
  @Option(help: "text or json.") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    var text = token
    if token == "-" { text = String(decoding: try session.read("-"), as: UTF8.self) }
    let words = text.split(whereSeparator: \.isWhitespace)
    let isMarked = words.count == 2 && words[0].lowercased() == "bearer"
    guard let bare = isMarked ? words.last : words.first, words.count == (isMarked ? 2 : 1) else {
      session.printStatus("error: \(words.isEmpty ? "there is no token" : "this is more than one word, and no token")")
      throw .usageError
    }
    let read: UnverifiedJWT
    do throws(JWTFailure) { read = try UnverifiedJWT(parsing: bare) } catch {
      session.printStatus("error: this is no JWT: \(error.reason)\n  help: \(Self.advice(bare))")
      throw .usageError
    }
    switch format {
    case .text:
      session.printLine(
        TokenText(style: session.style(for: .output), now: session.world.clock.now).tell(read))
    case .json:
      session.printLine((["header": read.header, "claims": read.claims] as JSON).text(pretty: true), as: .json)
    }
  }

  private static func advice(_ text: Substring) -> String {
    switch text.count(where: { $0 == "." }) {
    case 4: "five parts are an encrypted token (JWE), which only whom it is for can read"
    case 2: "it may have been cut, or changed, on its way here"
    default: "refresh tokens, and access tokens of personal accounts, are opaque: only who issued them can read them"
    }
  }
}
