import IdentityPlatform

/// The reference page for error codes, generated from the tables that `explain` uses.
package enum ErrorPage {
  /// The topics and their headings. The topics with the most common codes come first.
  private static let topics: [(GlossaryEntry.Topic, String)] = [
    (.msalError, "MSAL errors"), (.msalInternalError, "Internal MSAL error codes"),
    (.signInError, "Sign-in errors"), (.customerError, "Azure AD B2C errors"),
    (.oauthError, "OAuth errors"), (.suberror, "Suberrors"), (.libraryError, "Errors from other libraries"),
    (.identityCoreError, "IdentityCore error codes"), (.userInfoKey, "Keys in the userInfo of MSAL errors"),
  ]

  package static var markdown: String {
    var parts = [
      "# Error codes",
      """
      All errors that authflow can explain, with their meaning and the recommended handling. `authflow explain CODE` also \
      shows the cause of an error, how MSAL handles it, and a workflow that causes it.
      """,
    ]
    for (topic, heading) in topics {
      let entries = Glossary.whole.entries.filter { $0.topic == topic }
      guard !entries.isEmpty else { continue }
      parts.append("## \(heading)")
      parts.append(
        Markdown.table(
          ["Name", "Number", "Meaning", "Handling"],
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
