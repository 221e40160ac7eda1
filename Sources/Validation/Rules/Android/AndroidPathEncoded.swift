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
        return say("android:path is percent-encoded: no URI ever fits it", meant, path, isHash ? file : nil)
      }
      guard !path.value.hasPrefix("/") else { return nil }
      // Whether a percent sign is meant as one is not known.
      return say(
        "android:path must begin with a slash", "/" + path.value, path, path.value.contains("%") ? nil : file)
    }
  }

  /// - Parameter file: where the change is to be made; nil where it is not certain.
  private func say(_ message: String, _ meant: String, _ path: Positioned<String>, _ file: ValidatedFile?) -> Diagnostic
  {
    finding(message, help: "write \(meant)", at: path.place, fix: file?.replacing(path, with: meant))
  }
}
