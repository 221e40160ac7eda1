import Dispatch
import Effects

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Runs other programs, with `execvp` (POSIX.1-2017) or as a child process.
package struct SystemPrograms: ProgramLauncher {
  package init() {}

  package func exec(_ program: ProgramCall) throws(ProgramFailure) {
    guard let name = program.command.first, !name.isEmpty else { throw ProgramFailure(reason: "the command is empty") }
    guard !program.command.contains(where: { $0.utf8.contains(0) }) else {
      throw ProgramFailure(reason: "an argument contains a null byte")
    }
    // The program inherits no other descriptors.
    for number in OpenDescriptors.all where number > STDERR_FILENO { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    for (number, bytes) in program.descriptors { try Self.offer(bytes, at: number) }
    for (name, value) in program.variables { setenv(name, value, 1) }
    // Signal handlers and the signal mask are reset. Otherwise, the program would inherit ignored and blocked signals.
    for number in 1..<CInt(NSIG) where number != SIGKILL && number != SIGSTOP { _ = signal(number, SIG_DFL) }
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    var vector: [UnsafeMutablePointer<CChar>?] = program.command.map { strdup($0) }
    vector.append(nil)
    execvp(name, vector)
    let reason = String(cString: strerror(errno))
    for word in vector { free(word) }
    throw ProgramFailure(reason: reason)
  }

  package func output(of command: [String], limit: Int) async throws(ProgramFailure) -> [UInt8] {
    let process: ChildProcess
    let printed: FileDescriptor
    let cancellation: WaitCancellation
    do throws(ChildProcess.LaunchError) {
      cancellation = try WaitCancellation()
      (process, printed) = try ChildProcess.attached(command)
    } catch {
      throw ProgramFailure(reason: "cannot be started: \(error.reason)")
    }
    let result = await withTaskCancellationHandler {
      let bytes = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(returning: Self.read(printed, limit: limit, while: cancellation))
        }
      }
      // A program whose output exceeds the limit is stopped.
      if bytes == nil { process.stop() }
      return (bytes, await process.ending())
    } onCancel: {
      cancellation.end()
      process.stop()
    }
    if Task.isCancelled { throw ProgramFailure(reason: "was interrupted") }
    switch result {
    case (nil, _): throw ProgramFailure(reason: "printed more than \(limit) bytes")
    case (let bytes?, .exited(0)): return bytes
    case (_, .exited(let code)): throw ProgramFailure(reason: "exited with \(code)")
    case (_, .killed(let number)): throw ProgramFailure(reason: "was terminated by signal \(number)")
    }
  }

  /// Stops waiting for output, because the program's child processes can keep its output open forever.
  private final class WaitCancellation: Sendable {
    let awaited: FileDescriptor
    private let held: FileDescriptor

    init() throws(ChildProcess.LaunchError) {
      var ends: [CInt] = [0, 0]
      guard pipe(&ends) == 0 else { throw ChildProcess.LaunchError(reason: String(cString: strerror(errno))) }
      awaited = FileDescriptor(ends[0], named: "timeout")
      held = FileDescriptor(ends[1], named: "timeout")
    }

    func end() { held.abandon() }
  }

  /// Reads until the end of the file or the cancellation, or returns nil if the input exceeds the limit.
  private static func read(_ file: FileDescriptor, limit: Int, while cancellation: WaitCancellation) -> [UInt8]? {
    var bytes: [UInt8] = []
    var awaited = [
      pollfd(fd: file.number, events: Int16(POLLIN), revents: 0),
      // Without `POLLIN`, XNU does not report that the other end of the pipe is closed.
      pollfd(fd: cancellation.awaited.number, events: Int16(POLLIN), revents: 0),
    ]
    while case .success = uninterrupted({ poll(&awaited, 2, -1) }), awaited[1].revents == 0 {
      guard let piece = try? file.read(4096), !piece.isEmpty else { break }
      bytes += piece
      if bytes.count > limit { return nil }
    }
    return bytes
  }

  /// Makes the bytes readable from a descriptor by writing them to a pipe.
  private static func offer(_ bytes: [UInt8], at number: Int32) throws(ProgramFailure) {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw ProgramFailure(reason: String(cString: strerror(errno))) }
    // Writing must not block if the pipe is full.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let written = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    close(ends[1])
    guard written == bytes.count else { throw ProgramFailure(reason: "the data does not fit into a pipe") }
    guard ends[0] == number || dup2(ends[0], number) == number else {
      throw ProgramFailure(reason: "descriptor \(number): \(String(cString: strerror(errno)))")
    }
    if ends[0] != number { close(ends[0]) }
  }
}

/// The open descriptors of this process.
enum OpenDescriptors {
  static var all: [CInt] {
    #if os(Linux)
      let folder = "/proc/self/fd"
    #else
      let folder = "/dev/fd"
    #endif
    return ((try? LiveFileSystem().list(folder)) ?? (0..<1024).map { "\($0)" }).compactMap { CInt($0) }
  }
}
