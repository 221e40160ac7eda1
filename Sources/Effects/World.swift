/// Everything that authflow may ask of its surroundings, handed to whoever needs it.
///
/// Nothing in authflow reads a clock, rolls dice, opens a file or a socket except through the world it was given, and
/// nothing has a default that reads the real thing. `LiveWorld` and `SimulatedWorld` make one.
package struct World: Sendable {
  package var clock: any WorldClock
  package var randomness: any Randomness
  package var http: any HTTPTransport
  package var files: any FileSystem
  package var environment: Environment
  package var console: any Console
  package var programs: any ProgramLauncher

  package init(
    clock: any WorldClock, randomness: any Randomness, http: any HTTPTransport, files: any FileSystem,
    environment: Environment, console: any Console, programs: any ProgramLauncher
  ) {
    self.clock = clock
    self.randomness = randomness
    self.http = http
    self.files = files
    self.environment = environment
    self.console = console
    self.programs = programs
  }
}

/// Other programs, as far as authflow hands over to them or asks them.
package protocol ProgramLauncher: Sendable {
  /// Hands over: the program takes this one's place, with its standard streams, its environment and its process number, so
  /// that whoever started authflow gets the program's own exit status. It comes back in simulated worlds only.
  func become(_ program: ProgramCall) throws(ProgramFailure)

  /// Runs a program to its end, with this one's standard input, standard error and environment.
  /// - Parameter limit: the most bytes that it may print.
  /// - Returns: what it printed.
  /// - Throws: a reason that goes on from "the command": that it cannot be started, ended with another status than 0, printed
  ///   too much, or was given up because the task was cancelled.
  func output(of command: [String], limit: Int) async throws(ProgramFailure) -> [UInt8]
}

/// A program, and what it is handed.
package struct ProgramCall: Sendable, Hashable {
  /// The name, looked up in `PATH` where it has no slash, and the arguments.
  package var command: [String]
  /// What its environment has beside this program's.
  package var variables: [String: String]
  /// What it reads from descriptors beyond the standard ones, by their numbers; at most 64 KiB each, a pipe's room.
  package var descriptors: [Int32: [UInt8]]

  package init(_ command: [String], variables: [String: String] = [:], descriptors: [Int32: [UInt8]] = [:]) {
    self.command = command
    self.variables = variables
    self.descriptors = descriptors
  }
}

/// Why a program did not take over.
package struct ProgramFailure: Error, Hashable, Sendable {
  package var reason: String

  package init(reason: String) { self.reason = reason }
}

/// What time it is, and how to wait.
package protocol WorldClock: Sendable {
  var now: Instant { get }

  /// Waits until `duration` has passed on this clock.
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  func sleep(for duration: Duration) async throws
}

/// Where unpredictable bytes come from: the system's generator, or a seeded one that repeats.
package protocol Randomness: Sendable {
  func bytes(_ count: Int) -> [UInt8]
}

extension Randomness {
  /// A random (version 4) UUID in lower case, RFC 9562 §5.4.
  package func uuid() -> String {
    var bytes = bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return UUIDText.format(bytes)
  }

  /// A number from zero to one below `bound`, each as likely as any other.
  package func number(below bound: Int) -> Int {
    precondition(bound > 0, "a number below nothing was asked for")
    let limit = UInt64.max - UInt64.max % UInt64(bound)
    while true {
      let value = bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if value < limit { return Int(value % UInt64(bound)) }
    }
  }
}

/// The text form of sixteen bytes: `8-4-4-4-12` lower-case hexadecimal digits.
package enum UUIDText {
  package static func format(_ bytes: [UInt8]) -> String {
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value }
    return String(unsafeUninitializedCapacity: 36) { text in
      var end = 0
      for (index, byte) in bytes.prefix(16).enumerated() {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          text[end] = UInt8(ascii: "-")
          end += 1
        }
        text[end] = digit(byte >> 4)
        text[end + 1] = digit(byte & 15)
        end += 2
      }
      return end
    }
  }

  /// Whether the text has the form of a UUID, in either case.
  package static func isValid(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return false }
    for (index, byte) in bytes.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return false }
      } else {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          break
        default: return false
        }
      }
    }
    return true
  }
}

/// The variables and places of the process, read once.
package struct Environment: Sendable {
  package var variables: [String: String]
  /// The absolute path of the working directory.
  package var workingDirectory: String
  /// How many processors the process may use.
  package var processors: Int
  /// The part of all this that files of a project may use.
  package var grants: Grants

  package init(
    variables: [String: String], workingDirectory: String, processors: Int = 1, grants: Grants = Grants()
  ) {
    self.variables = variables
    self.workingDirectory = workingDirectory
    self.processors = processors
    self.grants = grants
  }

  /// The value of a variable; nil where it is unset or empty.
  package subscript(name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Where results and remarks are shown.
package protocol Console: Sendable {
  /// Writes to standard output (results) or standard error (progress, diagnostics).
  func write(_ bytes: [UInt8], to stream: ConsoleStream)
  /// Writes the same, and says what it is for, which decides how a guarded console makes it harmless.
  func write(_ bytes: [UInt8], to stream: ConsoleStream, as content: ConsoleContent)
  /// Whether a user watches that stream on a terminal.
  func isTerminal(_ stream: ConsoleStream) -> Bool
  /// The terminal's width in columns; nil where it has none.
  var width: Int? { get }
  /// One line from standard input without its end; nil at the end of the input.
  func readLine() async -> String?
  /// Why something that was written did not arrive, such as a full disk; nil while all did, or where nobody wanted it any
  /// more (a closed pipe).
  var loss: String? { get }
}

extension Console {
  package func write(_ bytes: [UInt8], to stream: ConsoleStream, as content: ConsoleContent) {
    write(bytes, to: stream)
  }

  package func write(_ text: String, to stream: ConsoleStream, as content: ConsoleContent = .text) {
    write(Array(text.utf8), to: stream, as: content)
  }

  package var loss: String? { nil }
}

package enum ConsoleStream: Sendable, Hashable {
  case output, error
}

/// The purpose of what a command writes to the console.
package enum ConsoleContent: Sendable {
  /// Text for readers: results in the text format, progress, diagnostics.
  case text
  /// JSON documents. Their strings can be escaped without a change of meaning.
  case json
  /// A result for other programs that must arrive unchanged: tokens, diffs, converted documents, diagrams.
  case data
  /// Workflow commands for GitHub Actions, one on each line.
  case commands
}
