import Effects
import SystemWorld
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite("Process")
struct LiveProcessTests {
  @Test("the clock returns the current time, and its time offset only increases")
  func clock() {
    let clock = LiveClock(offset: .seconds(3600))
    let present = Instant(secondsSince1970: Int64(time(nil)))
    let ahead = clock.now - present
    #expect(ahead > .seconds(3590) && ahead < .seconds(3610))
    clock.advance(by: .seconds(60))
    clock.advance(by: .seconds(-60))
    #expect(clock.offset == .seconds(3660))
  }

  @Test("a canceled task does not sleep")
  func sleep() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await LiveClock().sleep(for: .seconds(3600))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("randomness does not repeat")
  func randomness() {
    let randomness = SystemRandomness()
    #expect(randomness.bytes(32).count == 32)
    #expect(randomness.bytes(0) == [])
    #expect(randomness.bytes(32) != randomness.bytes(32))
    #expect(randomness.uuid() != randomness.uuid())
  }

  @Test("reads the variables and the working directory of the process")
  func environment() throws {
    let environment = Environment.ofProcess()
    let path = try #require(getenv("PATH"))
    #expect(environment["PATH"] == String(cString: path))
    #expect(environment["AUTHFLOW_NO_SUCH_VARIABLE"] == nil)
    #expect(LiveFileSystem().kind(of: environment.workingDirectory) == .directory)
  }

  @Test("returns the output of a program")
  func output() async throws {
    let programs = SystemPrograms()
    #expect(
      try await programs.output(of: ["/bin/sh", "-c", "printf 'a b'; printf c >&2"], limit: 3) == Array("a b".utf8))
    #expect(try await programs.output(of: ["true"], limit: 0) == [])
    for (command, reason) in [
      ("exit 3", "exited with 3"), ("kill -9 $$", "was terminated by signal 9"),
      ("echo more", "printed more than 4 bytes"),
      ("yes", "printed more than 4 bytes"),
    ] {
      await #expect(throws: ProgramFailure(reason: reason)) {
        try await programs.output(of: ["/bin/sh", "-c", command], limit: 4)
      }
    }
    await #expect {
      _ = try await programs.output(of: ["/no/such/program"], limit: 4)
    } throws: { error in
      (error as? ProgramFailure)?.reason.hasPrefix("cannot be started: ") == true
    }
  }

  @Test("cancels a program that does not exit", arguments: ["", " | cat"])
  func timeout(behind: String) async throws {
    let folder = try TemporaryFolder()
    let task = Task {
      try await SystemPrograms().output(
        of: ["/bin/sh", "-c", "echo > '\(folder.path)/begun'; sleep 60\(behind)"], limit: 4)
    }
    while LiveFileSystem().kind(of: folder.path + "/begun") == nil { await Task.yield() }
    task.cancel()
    await #expect(throws: ProgramFailure(reason: "was interrupted")) { try await task.value }
  }

  @Test("reports the reason if there is no browser")
  func browser() async {
    let outcome = await NoBrowser(reason: "none here").visit(
      BrowserVisit(url: "https://x", redirectURI: nil, purpose: .signIn))
    #expect(outcome == BrowserOutcome(.unavailable(reason: "none here")))
  }

  @Test("an interrupt cancels the work, which can still clean up")
  func interrupt() async throws {
    let outcome = try await InterruptHandler.canceling(timeout: 3_600) {
      kill(getpid(), SIGINT)
      while !Task.isCancelled { await Task.yield() }
      return "finished cleanly"
    }
    #expect(outcome == "finished cleanly")
    #expect(try await InterruptHandler.canceling { 7 } == 7)
  }

  @Test("reads lines up to the end of the input, regardless of the previous `errno`")
  func lines() async throws {
    var ends: [CInt] = [0, 0]
    #expect(pipe(&ends) == 0)
    let console = TerminalConsole(input: ends[0])
    let text = Array("one\n\ntwo \r\n\u{E9}\nlast".utf8)
    #expect(write(ends[1], text, text.count) == text.count)
    close(ends[1])
    errno = EINTR
    var lines: [String] = []
    while let line = await console.readLine() { lines.append(line) }
    #expect(lines == ["one", "", "two ", "\u{E9}", "last"])
    #expect(await console.readLine() == nil)
    close(ends[0])
    #expect(await console.readLine() == nil, "an unreadable input has ended")
  }

  @Test("discards output to a closed pipe without ending the process")
  func closedPipe() throws {
    var ends: [CInt] = [0, 0]
    #expect(pipe(&ends) == 0)
    let console = TerminalConsole(error: ends[1])
    console.write("first", to: .error)
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = read(ends[0], &buffer, 16)
    close(ends[0])
    console.write("lost", to: .error)
    console.write("lost again", to: .error)
    let isTerminal = console.isTerminal(.error)
    close(ends[1])
    #expect(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self) == "first")
    #expect(!isTerminal)
  }
}
