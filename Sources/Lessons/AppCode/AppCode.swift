/// What a kind of step is in the code of an app, language by language.
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
  }

  package enum Sample: Sendable, Hashable {
    /// Functions of an app, and what there is to say about them; empty where they speak for themselves.
    case code(String, note: String = "")
    /// This MSAL has nothing of the kind; why, and what to do instead.
    case missing(String)
  }

  /// The step's key, as it is written: `interactive-fallback` has a sample of its own.
  package var step: String
  package var swift: Sample
  package var objc: Sample
  package var csharp: Sample
  package var kotlin: Sample
  package var java: Sample
  /// The outcomes that the code tells apart, by their names in a workflow.
  package var handles: [String]

  package subscript(language: Language) -> Sample {
    switch language {
    case .swift: swift
    case .objc: objc
    case .csharp: csharp
    case .kotlin: kotlin
    case .java: java
    }
  }

  package static let all: [AppCode] = [
    .loadAccount, .listAccounts, .silent, .interactive, .interactiveFallback, .deviceCode, .callGraph, .signout,
    .deviceInfo,
  ]

  /// The code for a step's key; a call of any API is written like one of Graph.
  package static func named(_ key: String) -> AppCode? {
    let key = key == "callAPI" ? "callGraph" : key
    return all.first { $0.step == key }
  }
}
