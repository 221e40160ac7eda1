import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform
import Validation

extension Glossary {
  /// The entries for settings keys and validation rules.
  static let registrationEntries: [GlossaryEntry] = settingsKeys + rules

  private static let settingsKeys: [GlossaryEntry] = AppSettings.fields.fields.map { field in
    var facts: [GlossaryEntry.Fact] = []
    if !field.aliases.isEmpty { facts.append(.init("other spellings", field.aliases.joined(separator: ", "))) }
    if let standard = field.defaultValue { facts.append(.init("default", standard.string ?? standard.text())) }
    if field.isRequired { facts.append(.init("required", "yes")) }
    return GlossaryEntry(
      .settingsKey, field.key, spellings: field.aliases, .informational, meaning: field.description, facts: facts,
      advice:
        "Write it in the settings file. `authflow settings FILE --explain` shows its resolved value and source.")
  }

  private static let rules: [GlossaryEntry] =
    RuleSet.all.rules.map { rule in
      GlossaryEntry(
        .rule, rule.id, .informational, meaning: rule.summary, facts: [.init("severity", rule.severity.rawValue)],
        advice: rule.explanation.replacing("\n", with: " "))
    }
    + ReadingRule.all.map { rule in
      GlossaryEntry(
        .rule, rule.id, .informational, meaning: rule.summary, facts: [.init("severity", rule.severity.rawValue)],
        advice: "The finding contains the current value and the fix.")
    }
}
