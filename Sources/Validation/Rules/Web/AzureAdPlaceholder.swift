import AppRegistration
import Diagnostics
import Documents

struct AzureAdPlaceholder: Rule {
  let id = "azure-ad-placeholder"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let outsideSections = topLevelSecret(file) + file.downstreamScopeLists.flatMap { scopePlaceholders($0) }
    return outsideSections
      + file.azureAdSections.flatMap { section -> [Diagnostic] in
        let named: [Positioned<String>?] = [section.instance, section.authority, section.tenantID, section.domain]
        let values = named.compactMap { $0 } + section.policies.map(\.value) + section.audiences
        return placeholders(in: values) + (section.clientSecret.flatMap { secret($0.value, at: $0.place) } ?? [])
      }
  }

  private func placeholders(in values: [Positioned<String>]) -> [Diagnostic] {
    values.compactMap { value in
      guard !value.isReference, let placeholder = Self.placeholder(in: value) else { return nil }
      return finding(
        "value contains a placeholder: `\(placeholder)`",
        help: "replace it with your tenant's value, or provide it in user secrets",
        at: place(of: placeholder, in: value))
    }
  }

  private func scopePlaceholders(_ list: ScopeList) -> [Diagnostic] {
    list.scopes.compactMap { scope in
      guard !scope.isReference, let placeholder = TemplatePlaceholder.find(in: scope.value) else { return nil }
      return finding(
        "scope contains a placeholder: `\(placeholder)`", severity: .warning,
        help: "replace it with a scope of your API", at: place(of: placeholder, in: scope))
    }
  }

  /// Checks the client secret in files that, like those of the daemon app samples, contain `Instance`, `TenantId`,
  /// `ClientId`, and `ClientSecret` at the top level.
  private func topLevelSecret(_ file: ValidatedFile) -> [Diagnostic] {
    guard file.kind == .authSettings, let root = file.node, root["Instance"] != nil,
      let node = root["ClientSecret"], let text = node.string
    else { return [] }
    return secret(text, at: node.place) ?? []
  }

  /// Reports a placeholder for a secret. The finding is only a note if the placeholder says where the secret is stored.
  private func secret(_ text: String, at place: FileSpan) -> [Diagnostic]? {
    guard Definitions.containsReference(text) == false, let placeholder = TemplatePlaceholder.find(in: text) else {
      return nil
    }
    let folded = text.lowercased()
    let isElsewhere = ["secrets", "vault", "environment", "env", "pipeline", "deploy"].contains(where: folded.contains)
    return [
      finding(
        "placeholder in `ClientSecret`: `\(placeholder)`", severity: isElsewhere ? .note : .warning,
        help: "remove the key, and provide the secret in user secrets or an environment variable", at: place)
    ]
  }

  /// Returns the placeholder in a value. The domain that `dotnet new` writes by default also counts as a placeholder.
  private static func placeholder(in value: Positioned<String>) -> Substring? {
    if value.value == "qualified.domain.name" { return value.value[...] }
    guard let placeholder = TemplatePlaceholder.find(in: value.value) else { return nil }
    // The app itself replaces `{0}`.
    return placeholder.dropFirst().dropLast().allSatisfy(\.isNumber) ? nil : placeholder
  }
}
