import Effects
import SimulatedWorld
import TestSupport
import Testing

@Suite("Files and blobs in memory")
struct MemoryStorageTests {
  private struct Refused: Error {}

  @Test("reads a file by any spelling of its path")
  func readBack() throws {
    let files = MemoryFileSystem(texts: ["/home/a.txt": "one"], workingDirectory: "/home")
    for path in ["/home/a.txt", "a.txt", "./a.txt", "/home/../home//a.txt", "/../home/a.txt"] {
      #expect(try files.read(path, limit: 3) == Array("one".utf8))
    }
    try files.replace("a.txt", with: Array("two".utf8), privately: true)
    #expect(files.text("/home/a.txt") == "two")
    #expect(files.isPrivate("a.txt"))
    #expect(try files.list("/") == ["home"])
    #expect(try files.list(".") == ["a.txt"])
  }

  @Test("distinguishes failures")
  func failures() throws {
    let files = MemoryFileSystem(texts: ["/d/f": "12345"])
    #expect(throws: FileFailure.notFound("/x")) { try files.read("/x", limit: 9) }
    #expect(throws: FileFailure.isDirectory("/d")) { try files.read("/d", limit: 9) }
    #expect(throws: FileFailure.tooLarge("/d/f", limit: 4)) { try files.read("/d/f", limit: 4) }
    #expect(throws: FileFailure.notFound("/no/f")) { try files.replace("/no/f", with: [], privately: false) }
    #expect(throws: FileFailure.isDirectory("/d")) { try files.replace("/d", with: [], privately: false) }
    #expect(throws: FileFailure.notFound("/x")) { try files.remove("/x") }
    #expect(throws: FileFailure.self) { try files.list("/d/f") }
    #expect(throws: FileFailure.self) { try files.makeDirectory("/d/f/g", privately: false) }
    files.fail("/d/f", with: .notPermitted("/d/f"))
    #expect(throws: FileFailure.notPermitted("/d/f")) { try files.read("/d/f", limit: 9) }
    files.fail("/d/f", with: nil)
    #expect(try files.read("/d/f", limit: 9).count == 5)
  }

  @Test("a failed write to a full disk preserves the old content")
  func full() throws {
    let files = MemoryFileSystem(texts: ["/f": "old"])
    files.setCapacity(4)
    #expect(throws: FileFailure.noSpace("/f")) { try files.replace("/f", with: [1, 2, 3, 4, 5], privately: false) }
    #expect(files.text("/f") == "old")
    try files.replace("/f", with: [1, 2, 3, 4], privately: false)
    #expect(throws: FileFailure.noSpace("/g")) { try files.replace("/g", with: [1], privately: false) }
  }

  @Test("an appender truncates the file and returns after each line is written")
  func appending() throws {
    let files = MemoryFileSystem(texts: ["/log": "old"])
    let appender = try files.appender(to: "/log")
    #expect(files.text("/log")?.isEmpty == true)
    try appender.append(Array("a\n".utf8))
    #expect(files.text("/log") == "a\n")
    try appender.append(Array("b\n".utf8))
    #expect(files.text("/log") == "a\nb\n")
    appender.close()
    #expect(throws: FileFailure.self) { try appender.append([1]) }
  }

  @Test("creates directories with their parents and removes files")
  func directories() throws {
    let files = MemoryFileSystem()
    try files.makeDirectory("/a/b/c", privately: true)
    #expect(files.kind(of: "/a/b") == .directory)
    #expect(files.isPrivate("/a/b/c"))
    try files.replace("/a/b/c/f", with: [1], privately: false)
    #expect(files.kind(of: "/a/b/c/f") == .file)
    try files.remove("/a/b/c/f")
    #expect(files.kind(of: "/a/b/c/f") == nil)
    #expect(files.paths.isEmpty)
  }

  @Test("rejects pipes as input and as private files, and removes a link but not its target")
  func specialFiles() throws {
    let files = MemoryFileSystem(texts: ["/d/target": "x"])
    files.makeSpecial("/d/pipe")
    let failure = FileFailure.notRegular("/d/pipe", kind: "named pipe")
    #expect(throws: failure) { try files.read("/d/pipe", limit: 9) }
    #expect(throws: failure) { try files.replace("/d/pipe", with: [1], privately: true) }
    try files.replace("/d/pipe", with: [1], privately: false)
    files.link("/d/link", to: "/d/target")
    for name in ["/d/link", "/d/pipe"] { try files.removeEntry(name) }
    #expect(files.paths == ["/d/target"])
    #expect(files.access(ofDirectory: "/d") == DirectoryAccess(owner: .user))
    #expect(files.access(ofDirectory: "/d/target") == nil)
    files.setAccess(DirectoryAccess(owner: .other), ofDirectory: "/d")
    #expect(files.access(ofDirectory: "/d/")?.owner == .other)
    let overlay = OverlayFileSystem(over: files, workingDirectory: "/")
    #expect(overlay.access(ofDirectory: "/d")?.owner == .other)
  }

  @Test("a lock returns its body's value or throws its body's error")
  func locking() throws {
    let files = MemoryFileSystem()
    #expect(try files.locked("/l") { 5 } == 5)
    #expect(throws: Refused.self) { try files.locked("/l") { throw Refused() } }
    #expect(try files.locked("/l") { try files.locked("/m") { "in both" } } == "in both")
  }

  @Test("a memory blob meets the requirements for blob stores")
  func blob() async throws {
    let violations = try await BlobStoreConformance.violations {
      let store = MemoryBlobStore()
      return (store, store)
    }
    #expect(violations == [])
    #expect(try MemoryBlobStore([1]).load() == [1])
  }

  @Test("a console collects output by stream and reads prepared input")
  func console() async {
    let console = BufferedConsole(input: ["yes"], terminals: [.error], width: 80)
    console.write("out", to: .output)
    console.write("err", to: .error)
    console.write("more", to: .output)
    #expect(console.output == "outmore")
    #expect(console.error == "err")
    #expect(console.writings.map(\.stream) == [.output, .error, .output])
    #expect(console.isTerminal(.error) && !console.isTerminal(.output))
    #expect(await console.readLine() == "yes")
    #expect(await console.readLine() == nil)
  }
}
