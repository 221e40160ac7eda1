/// What a step type is in the code of an app, language by language: the folder `Data/code`.
///
/// The code is authflow's own, written to the public interfaces of MSAL: for iOS and macOS the headers of
/// microsoft-authentication-library-for-objc, for .NET Microsoft.Identity.Client, for Android com.microsoft.identity.client.
package struct AppCode: Sendable {
  package enum Language: String, Sendable, Hashable, CaseIterable {
    case swift, objc, csharp, kotlin, java

    package var name: String {
      switch self {
      case .swift: "Swift"
      case .objc: "Objective-C"
      case .csharp: "C#"
      case .kotlin: "Kotlin"
      case .java: "Java"
      }
    }

    package var library: String {
      switch self {
      case .swift, .objc: "MSAL for iOS and macOS"
      case .csharp: "MSAL.NET"
      case .kotlin, .java: "MSAL for Android"
      }
    }

    /// The extension of its source files.
    var fileExtension: String {
      switch self {
      case .swift: "swift"
      case .objc: "m"
      case .csharp: "cs"
      case .kotlin: "kt"
      case .java: "java"
      }
    }
  }

  package enum Sample: Sendable, Hashable {
    /// Functions of an app, and what there is to say about them; empty where they speak for themselves.
    case code(String, note: String = "")
    /// This MSAL has nothing of the kind; why, and what to do instead.
    case missing(String)
  }

  /// The step's key, as it is written: `interactive-fallback` has a sample of its own.
  package var step: String
  /// The outcomes that the code tells apart, by their names in a workflow.
  package var handles: [String]

  /// The sample in a language: `silent/swift.swift`, with a note in `silent/swift.md`. A note without code says what is missing.
  package subscript(language: Language) -> Sample {
    let path = "code/\(step)/\(language.rawValue)"
    let note = EmbeddedData.text("\(path).md")?.split(separator: "\n").joined(separator: " ") ?? ""
    guard let code = EmbeddedData.text("\(path).\(language.fileExtension)") else { return .missing(note) }
    return .code(String(code.dropLast()), note: note)
  }

  /// All samples, in the order of `code/steps.tsv`.
  package static let all: [AppCode] = (EmbeddedData.text("code/steps.tsv") ?? "").split(separator: "\n").map { line in
    let columns = line.split(separator: "\t").map(String.init)
    return AppCode(step: columns[0], handles: columns.dropFirst().flatMap { $0.split(separator: " ").map(String.init) })
  }

  /// The code for a step's key; a call of any API is written like one of Graph.
  package static func named(_ key: String) -> AppCode? {
    let key = key == "callAPI" ? "callGraph" : key
    return all.first { $0.step == key }
  }
}
