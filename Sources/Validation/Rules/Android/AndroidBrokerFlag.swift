import AppRegistration
import Diagnostics
import Documents

struct AndroidBrokerFlag: Rule {
  let id = "android-broker-flag"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.androidConfig, config.usesBroker, let redirect = config.redirect,
      !redirect.written.isReference, !redirect.written.isBlank, redirect.scheme != nil, redirect.host != nil,
      !redirect.isWeb, !redirect.isAppleForm, !redirect.isBrokerForm,
      !redirect.written.value.contains(where: \.isWhitespace),
      TemplatePlaceholder.find(in: redirect.written.value) == nil
    else { return [] }
    let flag = config.brokerRedirectRegistered
    let cause =
      flag == nil ? "broker_redirect_uri_registered is true by default" : "broker_redirect_uri_registered is true"
    return [
      finding(
        "\(cause), but no broker answers to this redirect URI: MSAL signs in without one",
        // Brokers sign in to organizations only.
        severity: config.entries.isEmpty || config.entries.contains { $0.type?.value == "AAD" } ? .warning : .note,
        help: "register msauth://<package>/<signature hash> and write it here, or say false",
        at: flag?.place ?? redirect.written.place,
        related: flag == nil ? [] : [.init("the redirect URI is here", at: redirect.written.place)],
        fix: fix(flag, in: file))
    ]
  }

  /// Saying false is what MSAL does already.
  private func fix(_ flag: Positioned<Bool>?, in file: ValidatedFile) -> Diagnostic.Fix? {
    guard let flag, let node = file.node(at: flag.place), node.bool == true else { return nil }
    return TextEdits.replaceValue(node, with: false).map { .init(description: "write false", edits: $0) }
  }
}
