import Diagnostics
import Documents
import Foundation
import Synchronization
import TestSupport
import Testing
import Validation

/// Tests that the time to validate a folder is proportional to the number of files in it. The tests do not measure
/// time. They check counts and the source code.
@Suite("Linear time") struct LinearTimeTests {
  @Test("no rule iterates over all files in an app") func rulesUseSummaries() throws {
    let loop =
      /(?:app|app\(of: file\))\s*\.(?:files|settings|infoPlists|xcodeConfigurations|manifests)\s*\.(?:filter|contains|map|compactMap|flatMap|allSatisfy|lazy|first\(|first \{)/
    let folder = ProjectFiles.directory.appending(path: "Sources/Validation")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".swift") && ($0.hasPrefix("Rules/") || $0.hasPrefix("App+"))
    }
    #expect(paths.count > 50)
    for path in paths {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      #expect(text.firstMatch(of: loop) == nil, "\(path): use App.summary or App.targets")
    }
  }

  @Test("finds a harmful fix with only a few additional validations") func findsHarmfulFixesByBisection() {
    let files = (0..<64).map { number in
      NamedFile(name: "\(number).json", bytes: Array((number == 41 ? #"["x", 1]"# : #"["x"]"#).utf8))
    }
    let passes = Mutex(0)
    let validate = FixSessionTests.validator { document in
      // The fix breaks only one of the files.
      FixSessionTests.replacing("x", by: document.root.count == 1 ? "\"ok\"" : "\"", .error)(document)
    }
    let outcome = FixSession { files in
      passes.withLock { $0 += 1 }
      return validate(files)
    }.run(files)
    #expect(outcome.files.count == 63)
    #expect(outcome.skippedFixes.count == 1)
    #expect(passes.withLock { $0 } < 20)
  }
}
