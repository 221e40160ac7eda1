import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A program started beside this one.
package struct ChildProcess: Sendable {
  /// How the program ended.
  package enum Ending: Hashable, Sendable {
    case exited(CInt)
    case killed(CInt)
  }

  package let id: pid_t
  /// Whether whatever it starts can be ended with it.
  private let leadsGroup: Bool

  package struct LaunchError: Error, Hashable {
    package var reason: String
  }

  /// What a program has to do with this one.
  package enum Lifetime: Sendable {
    /// Nothing: it is in a session of its own, so that Ctrl-C here does not end a user's browser; it reads nothing, and
    /// what it says goes to standard error.
    case none
    /// It is asked something: it may talk to the user at this terminal, and prints to that descriptor.
    case asked(printingTo: CInt)
  }

  /// Starts a program, asks it, and listens.
  /// - Returns: the program, and what it prints, up to its end.
  static func asking(_ arguments: [String]) throws(LaunchError) -> (process: ChildProcess, printed: FileDescriptor) {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw LaunchError(reason: String(cString: strerror(errno))) }
    let printed = FileDescriptor(ends[0], named: arguments.first ?? "")
    let other = FileDescriptor(ends[1], named: arguments.first ?? "")
    defer { other.abandon() }
    return (try ChildProcess(arguments, .asked(printingTo: other.number)), printed)
  }

  /// Starts a program found by its name in `PATH`.
  package init(_ arguments: [String], _ bond: Lifetime = .none) throws(LaunchError) {
    guard let program = arguments.first else { throw LaunchError(reason: "there is no command") }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch bond {
    case .none:
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    case .asked(let number): posix_spawn_file_actions_adddup2(&actions, number, STDOUT_FILENO)
    }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Self.resetSignals(&attributes)
    // Nothing else that is open here goes along: a port that the child held would stay in use.
    #if canImport(Darwin)
      posix_spawn_file_actions_addinherit_np(&actions, STDERR_FILENO)
      if case .asked = bond { posix_spawn_file_actions_addinherit_np(&actions, STDIN_FILENO) }
      let ownSession = POSIX_SPAWN_SETSID
      var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      for number in OpenDescriptors.all where number > STDERR_FILENO { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
      // POSIX_SPAWN_SETSID; the header shows it only to programs that ask for GNU's extensions.
      let ownSession: CInt = 0x80
      var flags = CInt(POSIX_SPAWN_SETSIGDEF) | CInt(POSIX_SPAWN_SETSIGMASK)
    #endif
    switch bond {
    case .none:
      flags |= ownSession
      leadsGroup = true
    case .asked:
      // Where there is a terminal, only the group that stands in front may talk to the user, and Ctrl-C reaches all of it.
      leadsGroup = !Self.hasTerminal
      if leadsGroup { flags |= CInt(POSIX_SPAWN_SETPGROUP) }
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var vector: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    vector.append(nil)
    defer { for word in vector { free(word) } }
    var id: pid_t = 0
    #if canImport(Darwin)
      let variables = _NSGetEnviron().pointee
    #else
      let variables = environ
    #endif
    let failure = posix_spawnp(&id, program, &actions, &attributes, vector, variables)
    guard failure == 0 else { throw LaunchError(reason: String(cString: strerror(failure))) }
    self.id = id
  }

  #if canImport(Darwin)
    private typealias Attributes = posix_spawnattr_t?
  #else
    private typealias Attributes = posix_spawnattr_t
  #endif

  /// This process ignores some signals, and would pass that on.
  private static func resetSignals(_ attributes: inout Attributes) {
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
  }

  private static var hasTerminal: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    if terminal >= 0 { close(terminal) }
    return terminal >= 0
  }

  /// Asks the program, and what it started where that can be told, to end.
  package func stop() {
    kill(leadsGroup ? -id : id, SIGTERM)
  }

  /// Waits for the program's end, without holding up this task's thread; whoever is cancelled goes on waiting.
  package func ending() async -> Ending {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var status: CInt = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        continuation.resume(returning: signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal))
      }
    }
  }
}
