import AppRegistration
import Diagnostics
import Documents

/// Returns a loader for in-memory files, by path.
func loading(_ files: [String: String]) -> DocumentLoader {
  { path, options in
    guard let text = files[path] else {
      return ReadResult(
        document: nil,
        diagnostics: [Diagnostic(.error, rule: "unreadable-file", "\(path) not found", at: .file(path))])
    }
    return DocumentReader.read(Array(text.utf8), named: path, options: options)
  }
}

/// Loads settings from JSON.
func load(_ json: String, files: [String: String] = [:], defines: [String: String] = [:]) -> LoadedSettings {
  SettingsLoader(definitions: Definitions(defines), load: loading(files.merging(["s.json": json]) { $1 })).load(
    "s.json")
}

/// Returns a settings file with a valid `AppId` and additional members.
func settings(_ members: String...) -> String {
  "{\(([#""AppId": "6731de76-14a6-49ae-97bc-6eba6914391e""#] + members).joined(separator: ", "))}"
}
