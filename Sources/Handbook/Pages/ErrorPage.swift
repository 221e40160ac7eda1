import IdentityPlatform

/// The reference of errors and codes, made of the tables that `explain` reads.
package enum ErrorPage {
  /// Each topic of errors with its heading, from the codes that people meet first.
  private static let topics: [(GlossaryEntry.Topic, String)] = [
    (.msalError, "Errors of MSAL"), (.msalInternalError, "Internal codes of MSAL"),
    (.signInError, "Errors of the sign-in service"), (.customerError, "Errors of Azure AD B2C"),
    (.oauthError, "OAuth errors"), (.suberror, "Suberrors"), (.libraryError, "Errors of other libraries"),
    (.identityCoreError, "Codes below MSAL"), (.userInfoKey, "Keys of an MSAL error's userInfo"),
  ]

  package static var markdown: String {
    var parts = [
      "# Errors and codes",
      """
      Every error that authflow knows by name or number, with what it means and what an app should do. This page is made of \
      the tables that `authflow explain CODE` reads; that also tells how an error comes about, what MSAL does with it, and \
      the workflow that shows it.
      """,
    ]
    for (topic, heading) in topics {
      let entries = Glossary.whole.entries.filter { $0.topic == topic }
      guard !entries.isEmpty else { continue }
      parts.append("## \(heading)")
      parts.append(
        Markdown.table(
          ["name", "number", "meaning", "what to do"],
          entries.map { entry in
            [
              "`\(entry.name)`", entry.number.map(String.init) ?? "", Markdown.escaped(entry.meaning),
              Markdown.escaped(entry.advice),
            ]
          }))
    }
    return parts.joined(separator: "\n\n") + "\n"
  }
}
