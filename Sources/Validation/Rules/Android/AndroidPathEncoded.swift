import AppRegistration
import Diagnostics
import Documents

struct AndroidPathEncoded: Rule {
  let id = "android-path-encoded"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.redirectPaths.compactMap { path in
      guard !path.isBlank, TemplatePlaceholder.find(in: path.value) == nil else { return nil }
      let decoded = PercentText.decode(path.value)
      let meant = decoded.hasPrefix("/") ? decoded : "/" + decoded
      let hash = meant.dropFirst()
      let isHash = SignatureHash.isWellFormed(hash)
      if decoded != path.value, isHash || PercentText.encodeBase64(decoded) == path.value.replacing("/", with: "%2F") {
        return report("percent-encoded `android:path` never matches a URI", meant, path, isHash ? file : nil)
      }
      guard !path.value.hasPrefix("/") else { return nil }
      // A percent sign can be literal or part of an encoding, so a finding about a path with a percent sign has no fix.
      return report(
        "`android:path` does not start with a slash", "/" + path.value, path, path.value.contains("%") ? nil : file)
    }
  }

  /// - Parameter file: The file to fix, or nil if the correct path is uncertain.
  private func report(
    _ message: String, _ meant: String, _ path: Positioned<String>, _ file: ValidatedFile?
  ) -> Diagnostic {
    finding(message, help: "replace it with `\(meant)`", at: path.place, fix: file?.replacing(path, with: meant))
  }
}
