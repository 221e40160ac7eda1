import AppRegistration
import Diagnostics
import Documents

struct AzureAdPlaceholder: Rule {
  let id = "azure-ad-placeholder"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let beside = flatSecret(file) + file.downstreamScopeLists.flatMap { scopesToFillIn($0) }
    return beside
      + file.azureAdSections.flatMap { section -> [Diagnostic] in
        let named: [Positioned<String>?] = [section.instance, section.authority, section.tenantID, section.domain]
        let values = named.compactMap { $0 } + section.policies.map(\.value) + section.audiences
        let ofTenant = told(values)
        return ofTenant + (section.clientSecret.flatMap { secret($0.value, at: $0.place) } ?? [])
      }
  }

  private func told(_ values: [Positioned<String>]) -> [Diagnostic] {
    values.compactMap { value in
      guard !value.isReference, let placeholder = Self.placeholder(in: value) else { return nil }
      return finding(
        "this is still a placeholder: \(placeholder)", help: "write your own tenant's, or leave it to user secrets",
        at: placeOf(placeholder, in: value))
    }
  }

  private func scopesToFillIn(_ list: ScopeList) -> [Diagnostic] {
    list.scopes.compactMap { scope in
      guard !scope.isReference, let placeholder = TemplatePlaceholder.find(in: scope.value) else { return nil }
      return finding(
        "the scope still holds a placeholder: \(placeholder)", severity: .warning,
        help: "write the API's own address and permission", at: placeOf(placeholder, in: scope))
    }
  }

  /// What daemons' samples write without a section: Instance, TenantId, ClientId and ClientSecret at the top of the file.
  private func flatSecret(_ file: ValidatedFile) -> [Diagnostic] {
    guard file.kind == .authSettings, let root = file.node, root["Instance"] != nil,
      let node = root["ClientSecret"], let text = node.string
    else { return [] }
    return secret(text, at: node.place) ?? []
  }

  /// A secret belongs elsewhere anyhow, and many a placeholder says so: that one is no mistake.
  private func secret(_ text: String, at place: FileSpan) -> [Diagnostic]? {
    guard Definitions.holdsReference(text) == false, let placeholder = TemplatePlaceholder.find(in: text) else {
      return nil
    }
    let folded = text.lowercased()
    let isElsewhere = ["secrets", "vault", "environment", "env", "pipeline", "deploy"].contains(where: folded.contains)
    return [
      finding(
        "ClientSecret is still a placeholder: \(placeholder)", severity: isElsewhere ? .note : .warning,
        help: "leave the key out, and give the secret in user secrets or the environment", at: place)
    ]
  }

  /// What `dotnet new` writes where no domain is given is a placeholder as well.
  private static func placeholder(in value: Positioned<String>) -> Substring? {
    if value.value == "qualified.domain.name" { return value.value[...] }
    guard let found = TemplatePlaceholder.find(in: value.value) else { return nil }
    // `{0}` is filled in by the app itself.
    return found.dropFirst().dropLast().allSatisfy(\.isNumber) ? nil : found
  }
}
