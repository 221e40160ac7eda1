/// The external dependencies of authflow: clock, randomness, network, files, environment, console, and other programs.
///
/// All code receives a `World` and accesses the system only through it. None of its properties has a default value. The
/// modules `LiveWorld` and `SimulatedWorld` create instances.
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

/// An interface for starting other programs.
package protocol ProgramLauncher: Sendable {
  /// Replaces this process with the program, which inherits the standard streams, the environment, and the process ID.
  /// authflow's caller then receives the program's exit status. Returns only in a simulation.
  func exec(_ program: ProgramCall) throws(ProgramFailure)

  /// Runs a program until it exits, with the standard input, standard error, and environment of this process.
  /// - Parameter limit: The maximum size of the output in bytes.
  /// - Returns: The standard output.
  /// - Throws: A failure if the command cannot be started, exits with a nonzero status, prints too much, or is stopped
  ///   because the task was canceled. The reason completes a message that starts with "the command".
  func output(of command: [String], limit: Int) async throws(ProgramFailure) -> [UInt8]
}

/// A program with its arguments and input.
package struct ProgramCall: Sendable, Hashable {
  /// The program and its arguments. A name without a slash is looked up in `PATH`.
  package var command: [String]
  /// Environment variables in addition to those of this process.
  package var variables: [String: String]
  /// The content of additional file descriptors, by number. The maximum size of each is 64 KiB, the capacity of a pipe.
  package var descriptors: [Int32: [UInt8]]

  package init(_ command: [String], variables: [String: String] = [:], descriptors: [Int32: [UInt8]] = [:]) {
    self.command = command
    self.variables = variables
    self.descriptors = descriptors
  }
}

/// The reason why a program could not be started, or failed.
package struct ProgramFailure: Error, Hashable, Sendable {
  package var reason: String

  package init(reason: String) { self.reason = reason }
}

/// The current time, and a way to wait.
package protocol WorldClock: Sendable {
  var now: Instant { get }

  /// Waits until `duration` has passed on this clock.
  /// - Throws: `CancellationError` if the task is canceled while waiting.
  func sleep(for duration: Duration) async throws
}

/// A source of random bytes: the system's generator, or a seeded generator with repeatable output.
package protocol Randomness: Sendable {
  func bytes(_ count: Int) -> [UInt8]
}

extension Randomness {
  /// Returns a random (version 4) UUID in lowercase (RFC 9562 §5.4).
  package func uuid() -> String {
    var bytes = bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return UUIDText.format(bytes)
  }

  /// Returns a uniformly distributed number that is at least zero and less than `bound`.
  package func number(below bound: Int) -> Int {
    precondition(bound > 0, "bound must be positive")
    let limit = UInt64.max - UInt64.max % UInt64(bound)
    while true {
      let value = bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if value < limit { return Int(value % UInt64(bound)) }
    }
  }
}

/// The text format of UUIDs (RFC 9562 §4).
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

  /// Whether the text is a UUID, in either case.
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

/// Environment variables and other properties of the process, read once.
package struct Environment: Sendable {
  package var variables: [String: String]
  /// The absolute path of the working directory.
  package var workingDirectory: String
  /// The number of processors that the process may use.
  package var processors: Int
  /// The permissions that the user grants to a project's files.
  package var grants: Grants

  package init(
    variables: [String: String], workingDirectory: String, processors: Int = 1, grants: Grants = Grants()
  ) {
    self.variables = variables
    self.workingDirectory = workingDirectory
    self.processors = processors
    self.grants = grants
  }

  /// The value of a variable, or nil if it is unset or empty.
  package subscript(name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Standard output, standard error, and standard input.
package protocol Console: Sendable {
  /// Writes to standard output (results) or standard error (progress, diagnostics).
  func write(_ bytes: [UInt8], to stream: ConsoleStream)
  /// Writes bytes of the specified content kind, which determines how the console escapes untrusted text.
  func write(_ bytes: [UInt8], to stream: ConsoleStream, as content: ConsoleContent)
  /// Whether the stream is a terminal.
  func isTerminal(_ stream: ConsoleStream) -> Bool
  /// The width of the terminal in columns, or nil if there is none.
  var width: Int? { get }
  /// Returns one line from standard input without its line ending, or nil at the end of the input.
  func readLine() async -> String?
  /// Returns the next bytes from standard input, or nil at the end of the input or if the task is canceled.
  func readBytes() async -> [UInt8]?
  /// The reason why output was lost, such as a full disk. Nil if no output was lost, or if the reader closed the pipe.
  var outputError: String? { get }
}

extension Console {
  package func write(_ bytes: [UInt8], to stream: ConsoleStream, as content: ConsoleContent) {
    write(bytes, to: stream)
  }

  package func write(_ text: String, to stream: ConsoleStream, as content: ConsoleContent = .text) {
    write(Array(text.utf8), to: stream, as: content)
  }

  package var outputError: String? { nil }
}

package enum ConsoleStream: Sendable, Hashable {
  case output, error
}

/// The kind of content that a command writes to the console.
package enum ConsoleContent: Sendable {
  /// Text for users: results in the text format, progress, diagnostics.
  case text
  /// JSON documents. Escaping their strings does not change the meaning.
  case json
  /// A result that other programs must receive unchanged: tokens, diffs, converted documents, diagrams.
  case data
  /// Workflow commands for GitHub Actions, one per line.
  case commands
  /// Protocol messages for another program, such as an editor. They are written unchanged.
  case messages
}
