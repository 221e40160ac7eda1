import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A child process.
package struct ChildProcess: Sendable {
  /// How the process terminated.
  package enum Ending: Hashable, Sendable {
    case exited(CInt)
    case killed(CInt)
  }

  package let id: pid_t
  /// Whether the process leads a process group, so that `stop()` also terminates its child processes.
  private let leadsGroup: Bool

  package struct LaunchError: Error, Hashable {
    package var reason: String
  }

  /// The relationship between the child process and this process.
  package enum Lifetime: Sendable {
    /// The child process runs in a separate session, so that Ctrl-C in this terminal does not close the user's browser.
    /// The child process has no input and writes to standard error.
    case none
    /// The child process can use this terminal and writes its standard output to the given descriptor.
    case attached(printingTo: CInt)
  }

  /// Starts an attached process whose output can be read.
  /// - Returns: The process and a descriptor for reading its standard output.
  static func attached(_ arguments: [String]) throws(LaunchError) -> (process: ChildProcess, printed: FileDescriptor) {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw LaunchError(reason: String(cString: strerror(errno))) }
    let printed = FileDescriptor(ends[0], named: arguments.first ?? "")
    let other = FileDescriptor(ends[1], named: arguments.first ?? "")
    defer { other.abandon() }
    return (try ChildProcess(arguments, .attached(printingTo: other.number)), printed)
  }

  /// Starts a program found in `PATH`.
  package init(_ arguments: [String], _ lifetime: Lifetime = .none) throws(LaunchError) {
    guard let program = arguments.first else { throw LaunchError(reason: "the command is empty") }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch lifetime {
    case .none:
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    case .attached(let number): posix_spawn_file_actions_adddup2(&actions, number, STDOUT_FILENO)
    }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Self.resetSignals(&attributes)
    // The child process inherits no other descriptors. If it inherited a listener, the port would stay in use.
    #if canImport(Darwin)
      posix_spawn_file_actions_addinherit_np(&actions, STDERR_FILENO)
      if case .attached = lifetime { posix_spawn_file_actions_addinherit_np(&actions, STDIN_FILENO) }
      let ownSession = POSIX_SPAWN_SETSID
      var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      for number in OpenDescriptors.all where number > STDERR_FILENO { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
      // The value of POSIX_SPAWN_SETSID, which the header declares only with GNU extensions.
      let ownSession: CInt = 0x80
      var flags = CInt(POSIX_SPAWN_SETSIGDEF) | CInt(POSIX_SPAWN_SETSIGMASK)
    #endif
    switch lifetime {
    case .none:
      flags |= ownSession
      leadsGroup = true
    case .attached:
      // In a terminal, only the foreground process group can read input, and Ctrl-C sends a signal to the whole group.
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

  /// Restores the default signal handlers and signal mask. Otherwise, the child process would ignore the signals that
  /// this process ignores.
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

  /// Sends SIGTERM to the process or, if it leads a process group, to the group.
  package func stop() {
    kill(leadsGroup ? -id : id, SIGTERM)
  }

  /// Waits until the process exits, without blocking the thread. Cancellation does not end the wait.
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
