/// Code samples for a step type in the languages that MSAL supports, from the `Data/code` folder.
///
/// The authors of authflow wrote this code against MSAL's public interfaces: the headers of
/// microsoft-authentication-library-for-objc on iOS and macOS, Microsoft.Identity.Client on .NET, and
/// com.microsoft.identity.client on Android.
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

    /// The file extension.
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
    /// Source code with a note. The note can be empty.
    case code(String, note: String = "")
    /// MSAL for this language does not support the feature. The text explains why and describes an alternative.
    case missing(String)
  }

  /// The key of the step, such as `interactive-fallback`.
  package var step: String
  /// The outcomes that the code handles.
  package var handles: [String]

  /// Returns the sample in a language. For example, the code is in `silent/swift.swift` and the note is in
  /// `silent/swift.md`. A note without code explains why there is no code.
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

  /// Returns the code for a step key. All API calls use the same sample, which calls Microsoft Graph.
  package static func named(_ key: String) -> AppCode? {
    let key = key == "callAPI" ? "callGraph" : key
    return all.first { $0.step == key }
  }
}
