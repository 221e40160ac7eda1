import AppRegistration
import Diagnostics
import Documents

struct ADALPrompt: Rule {
  let id = "adal-prompt"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings, let root = file.node else { return [] }
    let isFixable = !ADALKeys.needsManualMigration(file)
    // Creating a fix searches the entire file, so findings beyond the report's limit have no fix.
    var fixes = 0
    return root.entries.compactMap { key, value in
      guard let behavior = value.string, let successor = Self.successors[behavior.uppercased()] else { return nil }
      // By default, MSAL behaves like AD_PROMPT_AUTO. The other values require changes to the app's code.
      let isFixed =
        isFixable && behavior.uppercased() == "AD_PROMPT_AUTO" && fixes < ProjectValidator.mostFindings
      let edits = isFixed ? TextEdits.removeEntry(key, from: root) : nil
      if isFixed { fixes += 1 }
      return finding(
        "MSAL does not support the ADAL setting `\(behavior)`", help: successor, at: value.place,
        fix: edits.map { Diagnostic.Fix(description: "remove it", edits: $0) })
    }
  }

  private static let successors = [
    "AD_PROMPT_AUTO": "remove it, and acquire a token silently first, then interactively if needed",
    "AD_PROMPT_ALWAYS": "remove it, and set `promptType` to `login` in the interactive request",
    "AD_PROMPT_REFRESH_SESSION": "remove it, and acquire a token silently with `forceRefresh`",
    "AD_FORCE_PROMPT": "remove it, and set `promptType` to `login` in the interactive request",
    "PROMPTBEHAVIOR.AUTO": "remove it, and acquire a token silently first, then interactively if needed",
    "PROMPTBEHAVIOR.ALWAYS": "remove it, and set `promptType` to `login` in the interactive request",
    "PROMPTBEHAVIOR.REFRESHSESSION": "remove it, and acquire a token silently with `forceRefresh`",
    "PROMPTBEHAVIOR.NEVER": "remove it, and acquire tokens only silently",
  ]
}
