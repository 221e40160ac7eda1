import Diagnostics
import Directory
import Documents
import Foundation
import OrderedCollections
import Scenarios
import Synchronization
import WorkflowModel
import WorkflowRunner

/// Creates the initial inputs for project targets from the shipped workflows and all files that they refer to. The
/// first decoder accepts all of these inputs.
struct SeedMaker {
  /// The `-max_len` in .ci/check-fuzz. libFuzzer would truncate larger inputs.
  private static let limit = 1 << 16
  /// Each workflow with unbounded responses takes several seconds.
  private static let slow = ["endless", "oversized"]

  private var seeds: [String: [JSON]] = [:]

  /// Writes the inputs for each target to a folder with the target's name.
  /// - Parameter most: The maximum number of inputs for each target. They are distributed evenly over the available
  /// inputs.
  static func write(to folder: String, most: Int) throws {
    var maker = SeedMaker()
    for path in try workflows() { maker.addSeeds(of: path) }
    maker.addDirectories(in: .object(["directory": read("Tests/Fixtures/projects/tailwind-site/directory.yaml")]))
    for (target, seeds) in maker.seeds {
      let small = seeds.map { $0.utf8(sortedKeys: false) }.filter { $0.count <= limit }
      let place = "\(folder)/\(target)"
      try? FileManager.default.removeItem(atPath: place)
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let count = min(most, small.count)
      for index in 0..<count {
        let seed = small[index * small.count / count]
        try Data(seed).write(to: URL(filePath: "\(place)/seed-\(index)"))
      }
    }
  }

  private static func workflows() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: "Workflows").sorted().map { "Workflows/\($0)" }.filter { path in
      guard ["yaml", "json", "plist"].contains(URL(filePath: path).pathExtension),
        !slow.contains(where: { path.contains($0) }), let document = reading(path).document
      else { return false }
      return WorkflowDecoder.isWorkflow(document) && !WorkflowDecoder.isScenariosFile(document)
    }
  }

  private static func reading(_ path: String, _ options: ReadingOptions = ReadingOptions()) -> ReadResult {
    let bytes = (try? Data(contentsOf: URL(filePath: path))).map { [UInt8]($0) }
    return DocumentReader.read(bytes ?? [], named: path, options: options)
  }

  private static func read(_ path: String) -> JSON { reading(path).document?.root.json ?? .null }

  private mutating func addSeeds(of path: String) {
    let files = Mutex<JSON.Members>([:])
    let (loaded, _) = LoadedWorkflow.read(path) { name, options in
      let reading = Self.reading(name, options)
      if let document = reading.document { files.withLock { $0[name] = document.root.json } }
      return reading
    }
    guard let loaded else { return }
    let (cases, _) = loaded.cases()
    var project = files.withLock { $0 }
    guard var workflow = project[path] else { return }
    for document in project.values { addDirectories(in: document) }
    var scenarios = workflow["scenarios"]
    if let name = scenarios?.string {
      scenarios = project.removeValue(forKey: FilePath.join(FilePath.folder(of: path), name))?["scenarios"]
    }
    workflow["scenarios"] = nil
    project[path] = workflow
    add(.object(project), for: "run")
    addRecording(of: project, entry: path)
    guard !cases.isEmpty else { return }
    for (name, scenario) in scenarios?.object ?? [:] {
      workflow["scenarios"] = .object([name: scenario])
      project[path] = workflow
      add(.object(project), for: "test")
    }
  }

  private mutating func add(_ seed: JSON, for target: String) { seeds[target, default: []].append(seed) }

  /// Adds a copy of the project that replays a recording of its run.
  private mutating func addRecording(of project: JSON.Members, entry: String) {
    guard let input = InputProject(.object(project)), let loaded = LoadedWorkflow.read(input) else { return }
    let stage = ProjectRun.stage(loaded.situation, of: input, seed: "recording")
    let lines = ProjectRun.recording(of: loaded.workflow, on: stage)
    var project = project
    var workflow = project[entry] ?? .null
    workflow["platform"] = ["replay": "recording.jsonl"]
    project[entry] = workflow
    project[FilePath.join(FilePath.folder(of: entry), "recording.jsonl")] = .array(lines)
    add(.object(project), for: "recording")
  }

  // MARK: Directories

  private mutating func addDirectories(in json: JSON) {
    for element in json.array ?? [] { addDirectories(in: element) }
    for (name, value) in json.object ?? [:] {
      addDirectories(in: value)
      guard name == "directory", value.object != nil else { continue }
      let (directory, diagnostics) = EmulatedDirectory.read(Document.of(value, name: "directory.yaml").root)
      guard directory != nil, !diagnostics.contains(where: { $0.severity == .error }) else { continue }
      add(["directory.yaml": value, "requests.json": Self.requests], for: "directory")
    }
  }

  private static let requests: JSON = {
    let login = "https://login.microsoftonline.com/common/oauth2/v2.0"
    let app = "client_id=6731de76-14a6-49ae-97bc-6eba6914391e&scope=User.Read+offline_access"
    func post(_ url: String, _ body: String) -> JSON {
      [
        "method": "POST", "url": .string(url), "body": .string(body),
        "headers": ["Content-Type": "application/x-www-form-urlencoded"],
      ]
    }
    return [
      post("\(login)/token", "grant_type=refresh_token&refresh_token=x&\(app)"),
      post("\(login)/token", "grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=x&\(app)"),
      post("\(login)/devicecode", app),
      [
        "method": "GET",
        "url": "\(login)/authorize?\(app)&response_type=code&redirect_uri=msauth.com.contoso.app://auth",
      ],
      [
        "method": "GET", "url": "https://graph.microsoft.com/v1.0/users?$filter=startswith(displayName,'a')&$top=2",
        "headers": ["Authorization": "Bearer x"],
      ],
      [
        "method": "POST", "url": "https://graph.microsoft.com/_authflow/events",
        "headers": ["Content-Type": "application/json"], "body": ["passwordChanged": "megan@contoso.com"],
      ],
    ]
  }()
}
