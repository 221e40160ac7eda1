import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct AndroidSampleAuthority: Rule {
  let id = "android-sample-authority"
  let severity = Diagnostic.Severity.warning

  private static let samples = ["fabrikamb2c", "msidlabb2c", "msidlabciam", "contosob2c", "fabrikam", "contoso"]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.androidConfig, let own = config.defaultAuthority else { return [] }
    if let sample = own.url.flatMap({ Self.sample($0.value) }) {
      return isForeignApp(config, in: sample) ? authorities(config, sample) : []
    }
    guard own.url.map({ !$0.isReference && TemplatePlaceholder.find(in: $0.value) == nil }) ?? true else { return [] }
    return config.entries.compactMap { entry in
      guard let url = entry.url, let sample = Self.sample(url.value) else { return nil }
      return finding(
        "`\(sample)` is the tenant of a Microsoft sample",
        help: "use your tenant's authority, or remove the entry", at: url.place(of: url.value[...]),
        related: own.url.map { [.init("the default authority is here", at: $0.place)] } ?? [])
    }
  }

  /// Returns whether the app is not one of Microsoft's samples. Only those samples are registered in the sample
  /// tenants.
  private func isForeignApp(_ config: AndroidConfig, in sample: String) -> Bool {
    guard ["fabrikamb2c", "msidlabb2c"].contains(sample), let clientID = config.clientID?.value,
      GUIDText.isWellFormed(clientID), let host = config.redirect?.host
    else { return false }
    let isSamples = ["com.azuresamples", "com.microsoft", "com.azure", "com.example"].contains { host.hasPrefix($0) }
    return !isSamples && clientID.lowercased() != "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6"
  }

  private func authorities(_ config: AndroidConfig, _ sample: String) -> [Diagnostic] {
    config.entries.compactMap(\.url).filter { Self.sample($0.value) == sample }.map { url in
      finding(
        "`\(sample)` is the tenant of a Microsoft sample, where this app is not registered",
        help: "use your tenant's authority", at: url.place(of: url.value[...]))
    }
  }

  /// Returns the sample tenant in a URL's host or path.
  private static func sample(_ url: String) -> String? {
    guard let parts = URLReference(valid: url), let host = parts.host else { return nil }
    let label = host.prefix { $0 != "." }
    let tenants = parts.segments.map { $0.lowercased() }
    return samples.first { name in
      label == name || tenants.contains { $0 == "\(name).onmicrosoft.com" || $0 == "\(name).com" }
    }
  }
}
