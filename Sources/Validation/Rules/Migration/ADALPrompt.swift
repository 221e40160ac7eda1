import AppRegistration
import Diagnostics
import Documents

struct ADALPrompt: Rule {
  let id = "adal-prompt"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings, let root = file.node else { return [] }
    let isMendable = !ADALKeys.isHeldBack(file)
    // Each fix looks through the whole file, and of more than are told it would be made for nobody.
    var fixes = 0
    return root.entries.compactMap { key, value in
      guard let word = value.string, let successor = Self.successors[word.uppercased()] else { return nil }
      // The automatic one is what MSAL's own pattern does; the others say something that somebody has to carry over.
      let isFixed =
        isMendable && word.uppercased() == "AD_PROMPT_AUTO" && fixes < ProjectValidator.mostFindings
      let edits = isFixed ? TextEdits.removeEntry(key, from: root) : nil
      if isFixed { fixes += 1 }
      return finding(
        "\(word) is ADAL's; MSAL has no such setting", help: successor, at: value.place,
        fix: edits.map { Diagnostic.Fix(description: "remove it", edits: $0) })
    }
  }

  private static let successors = [
    "AD_PROMPT_AUTO": "remove it, and acquire silently before you acquire interactively",
    "AD_PROMPT_ALWAYS": "remove it, and give the interactive request promptType login",
    "AD_PROMPT_REFRESH_SESSION": "remove it, and acquire silently with forceRefresh",
    "AD_FORCE_PROMPT": "remove it, and give the interactive request promptType login",
    "PROMPTBEHAVIOR.AUTO": "remove it, and acquire silently before you acquire interactively",
    "PROMPTBEHAVIOR.ALWAYS": "remove it, and give the interactive request promptType login",
    "PROMPTBEHAVIOR.REFRESHSESSION": "remove it, and acquire silently with forceRefresh",
    "PROMPTBEHAVIOR.NEVER": "remove it, and acquire silently only",
  ]
}
