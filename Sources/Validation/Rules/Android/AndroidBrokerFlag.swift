import AppRegistration
import Diagnostics
import Documents

struct AndroidBrokerFlag: Rule {
  let id = "android-broker-flag"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.androidConfig, config.usesBroker, let redirect = config.redirect,
      !redirect.source.isReference, !redirect.source.isBlank, redirect.scheme != nil, redirect.host != nil,
      !redirect.isWeb, !redirect.isAppleForm, !redirect.isBrokerForm,
      !redirect.source.value.contains(where: \.isWhitespace),
      TemplatePlaceholder.find(in: redirect.source.value) == nil
    else { return [] }
    let flag = config.brokerRedirectRegistered
    let cause =
      flag == nil
      ? "`broker_redirect_uri_registered` is `true` by default" : "`broker_redirect_uri_registered` is `true`"
    return [
      finding(
        "\(cause), but brokers do not support this redirect URI",
        // Brokers support only work and school accounts.
        severity: config.entries.isEmpty || config.entries.contains { $0.type?.value == "AAD" } ? .warning : .note,
        help: "register and use `msauth://<package>/<signature hash>`, or set the key to `false`",
        at: flag?.place ?? redirect.source.place,
        related: flag == nil ? [] : [.init("the redirect URI is here", at: redirect.source.place)],
        fix: fix(flag, in: file))
    ]
  }

  /// Returns a fix that sets the key to `false`. The fix is safe because MSAL already signs in without a broker.
  private func fix(_ flag: Positioned<Bool>?, in file: ValidatedFile) -> Diagnostic.Fix? {
    guard let flag, let node = file.node(at: flag.place), node.bool == true else { return nil }
    return TextEdits.replaceValue(node, with: false).map { .init(description: "set to `false`", edits: $0) }
  }
}
