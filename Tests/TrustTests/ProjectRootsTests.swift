import Effects
import SimulatedWorld
import SystemWorld
import TestSupport
import Testing
import Trust

@Suite("Files that a project may refer to") struct ProjectRootsTests {
  private static func roots(
    _ files: [String], of inputs: [String], in folder: String = "/home/dev/app", grants: Grants = Grants()
  ) -> ProjectRoots {
    let memory = MemoryFileSystem(
      Dictionary(uniqueKeysWithValues: files.map { ($0, [UInt8]("x".utf8)) }), workingDirectory: folder)
    let environment = Environment(variables: ["HOME": "/home/dev"], workingDirectory: folder, grants: grants)
    return ProjectRoots(of: inputs, files: memory, environment: environment)
  }

  @Test(
    "allows the repository of the file, from any folder in it",
    arguments: [
      ("settings/S.yaml", true), ("../app/S.yaml", true), ("/home/dev/app/S.yaml", true), ("missing.yaml", true),
      ("../.netrc", false), ("/home/dev/.netrc", false), ("/etc/passwd", false), ("../../../etc/passwd", false),
      ("/home/dev/apple/S.yaml", false), ("../nowhere.yaml", false),
    ]) func allowsTheRepository(path: String, isAllowed: Bool)
  {
    let roots = Self.roots(
      [
        ".git/HEAD", "S.yaml", "settings/S.yaml", "flows/w.yaml", "/home/dev/.netrc", "/etc/passwd",
        "/home/dev/apple/S.yaml",
      ], of: ["flows/w.yaml"])
    let violation = roots.violation(reading: path)
    #expect((violation == nil) == isAllowed, "\(violation?.message ?? "")")
    if let violation { #expect(violation.rule == .reads && violation.help.contains("--root")) }
  }

  @Test("does not use the home folder as a project, even if it is a repository") func excludesHome() {
    let files = ["/home/dev/.git/HEAD", "/home/dev/.netrc", "/home/dev/app/w.yaml", "/home/dev/app/S.yaml"]
    for folder in ["/home/dev", "/home/dev/app", "/"] {
      let roots = Self.roots(files, of: ["/home/dev/app/w.yaml"], in: folder)
      #expect(roots.violation(reading: "/home/dev/app/S.yaml") == nil)
      #expect(roots.violation(reading: "/home/dev/.netrc") != nil)
    }
  }

  @Test(
    "allows a file in the home folder to refer only to visible files next to it",
    arguments: [
      ("/home/dev/S.yaml", true), ("/home/dev/.netrc", false), ("/home/dev/.docker/config.json", false),
      ("/home/dev/app/S.yaml", false), ("/etc/passwd", false),
    ]) func limitsHome(path: String, isAllowed: Bool)
  {
    let files = ["/home/dev/w.yaml", "/home/dev/S.yaml", "/home/dev/.netrc", "/home/dev/.docker/config.json"]
    let roots = Self.roots(files + ["/home/dev/app/S.yaml", "/etc/passwd"], of: ["w.yaml"], in: "/home/dev")
    #expect((roots.violation(reading: path) == nil) == isAllowed)
    #expect(roots.violation(reading: "/home/dev/w.yaml", isNamed: true) == nil)
    var grants = Grants()
    grants.roots = ["/home/dev"]
    let granted = Self.roots(files, of: ["w.yaml"], in: "/home/dev", grants: grants)
    #expect(granted.violation(reading: "/home/dev/.docker/config.json") == nil)
  }

  @Test("outside a repository, allows the working directory and the folder of a file in another location")
  func withoutRepository() {
    let files = ["/home/dev/app/flows/w.yaml", "/home/dev/app/S.yaml", "/tmp/x/w.yaml", "/tmp/x/S.yaml", "/tmp/y.yaml"]
    let inside = Self.roots(files, of: ["flows/w.yaml"])
    #expect(inside.violation(reading: "S.yaml") == nil && inside.violation(reading: "/tmp/y.yaml") != nil)
    let elsewhere = Self.roots(files, of: ["/tmp/x/w.yaml"])
    #expect(elsewhere.violation(reading: "/tmp/x/S.yaml") == nil)
    #expect(elsewhere.violation(reading: "/tmp/y.yaml") != nil && elsewhere.violation(reading: "S.yaml") != nil)
  }

  @Test("allows additional folders that the user specifies") func allowsGrantedRoots() {
    var grants = Grants()
    grants.roots = ["/srv/shared"]
    let roots = Self.roots(
      [".git/HEAD", "w.yaml", "/srv/shared/S.yaml", "/srv/S.yaml"], of: ["w.yaml"], grants: grants)
    #expect(roots.violation(reading: "/srv/shared/S.yaml") == nil && roots.violation(reading: "/srv/S.yaml") != nil)
  }

  @Test(
    "rejects credential files of tools, even inside the project",
    arguments: [".git/config", ".git", "sub/.git/config", ".env", ".env.local", "sub/.env"])
  func refusesCredentials(path: String) {
    let roots = Self.roots(
      [".git/config", ".env", ".env.local", "sub/.env", "sub/.git/config", "w.yaml"], of: ["w.yaml"])
    #expect(roots.violation(reading: path) != nil)
    #expect(roots.violation(reading: "sub/env") == nil)
  }

  @Test("resolves links before it checks the location") func followsLinks() throws {
    let folder = try TemporaryFolder()
    let files = LiveFileSystem()
    for name in ["project/.git", "outside"] { try files.makeDirectory(folder(name), privately: false) }
    for name in ["project/w.yaml", "outside/secret.yaml", "project/inside.yaml"] {
      try files.replace(folder(name), with: Array("x: 1".utf8), privately: false)
    }
    folder.link("project/file.yaml", to: "../outside/secret.yaml")
    folder.link("project/folder", to: "../outside")
    folder.link("project/good.yaml", to: "inside.yaml")
    let environment = Environment(variables: ["HOME": "/nowhere"], workingDirectory: folder("project"))
    let roots = ProjectRoots(of: ["w.yaml"], files: files, environment: environment)
    #expect(roots.violation(reading: "good.yaml") == nil)
    #expect(roots.violation(reading: "file.yaml") != nil)
    #expect(roots.violation(reading: "folder/secret.yaml") != nil)
    #expect(roots.violation(reading: "folder/new.yaml") != nil)
    // If the user specifies a link, its own folder is allowed, but not its target.
    #expect(
      ProjectRoots(of: ["file.yaml"], files: files, environment: environment).violation(reading: "file.yaml") != nil)
  }
}

@Suite("Files that a workflow may write") struct OutputFolderTests {
  private static func folder(_ files: [String] = [], grants: Grants = Grants()) -> OutputFolder {
    let memory = MemoryFileSystem(
      Dictionary(uniqueKeysWithValues: files.map { ($0, [UInt8]("x".utf8)) }), workingDirectory: "/home/dev/app")
    let simulation = Simulation(files: memory, workingDirectory: "/home/dev/app", grants: grants)
    return OutputFolder(in: simulation.world)
  }

  @Test("accepts relative names", arguments: ["me.json", "photos/me.jpg", "./me.json", "a b.json", "ü.json"])
  func acceptsNames(name: String) throws {
    #expect(OutputFolder.mayName(name))
    #expect(try Self.folder().path(for: name, isOwn: { _ in false }).hasPrefix("/home/dev/app/"))
  }

  @Test(
    "rejects names outside the folder and names of configuration files",
    arguments: [
      "", "/etc/passwd", "../x", "a/../../x", "..", ".", "a/..", ".bashrc", ".git/hooks/pre-commit", "a/.hidden/x",
      "a//b",
      "a/", "x\u{0}y", "x\ny", "a\\b", "./.env",
    ]) func rejectsNames(name: String)
  {
    #expect(!OutputFolder.mayName(name))
    #expect(throws: TrustViolation.self) { try Self.folder().path(for: name, isOwn: { _ in true }) }
  }

  @Test("replaces only its own files") func replacesOwnFiles() throws {
    let folder = Self.folder(["/home/dev/app/me.json"])
    #expect(try folder.path(for: "me.json", isOwn: { $0 == "/home/dev/app/me.json" }) == "/home/dev/app/me.json")
    let violation = #expect(throws: TrustViolation.self) { try folder.path(for: "me.json", isOwn: { _ in false }) }
    #expect(violation?.rule == .writes && violation?.help.contains("--overwrite") == true)
    var grants = Grants()
    grants.overwrites = true
    #expect(
      try Self.folder(["/home/dev/app/me.json"], grants: grants).path(for: "me.json", isOwn: { _ in false }) != "")
  }

  @Test("writes to the folder that the user chose") func usesTheChosenFolder() throws {
    var grants = Grants()
    grants.outputFolder = "/srv/out"
    #expect(
      try Self.folder(["/srv/out/x"], grants: grants).path(for: "me.json", isOwn: { _ in false }) == "/srv/out/me.json")
  }

  @Test("does not follow links") func refusesLinks() throws {
    let folder = try TemporaryFolder()
    let files = LiveFileSystem()
    for name in ["out", "elsewhere"] { try files.makeDirectory(folder(name), privately: false) }
    try files.replace(folder("elsewhere/rc"), with: [], privately: false)
    folder.link("out/file", to: "../elsewhere/rc")
    folder.link("out/broken", to: "../elsewhere/none")
    folder.link("out/folder", to: "../elsewhere")
    var simulation = Simulation(workingDirectory: folder("out")).world
    simulation.files = files
    for name in ["file", "broken", "folder/rc", "folder/new"] {
      #expect(throws: TrustViolation.self, "\(name)") {
        try OutputFolder(in: simulation).path(for: name, isOwn: { _ in true })
      }
    }
    #expect(try OutputFolder(in: simulation).path(for: "new", isOwn: { _ in false }).hasSuffix("/out/new"))
  }
}
