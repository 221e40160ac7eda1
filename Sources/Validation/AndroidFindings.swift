import AppRegistration
import Diagnostics
import Documents

/// The text in the place of a signature hash: in the redirect URI of a configuration, or in `android:path` of a
/// manifest.
struct SignatureHashUse {
  /// The text in the file.
  var rawText: Substring
  /// The text without percent-encoding.
  var text: String
  /// The value that contains the text.
  var value: Positioned<String>
  /// Whether the value is a URI, in which the hash is percent-encoded; a path of a manifest is not.
  var isInURI: Bool
  /// The severity of a wrong hash: an error if MSAL uses a broker, because it then compares the hash with the app's
  /// own.
  var severity: Diagnostic.Severity

  var place: FileSpan { value.place(of: rawText) }

  /// The placeholder in the text; nil for a hash or a custom path.
  var placeholder: Substring? {
    guard !SignatureHash.isWellFormed(text) else { return nil }
    if let placeholder = TemplatePlaceholder.find(in: text) { return placeholder }
    return SignatureHash.isItsName(text) ? text[...] : nil
  }

  var isDummy: Bool { placeholder == nil && SignatureHash.isDummy(text) }

  /// Whether the text is percent-encoded twice: `%252F`.
  var isDoublyEscaped: Bool { isInURI && rawText.contains("%25") && PercentText.decode(text) != text }

  /// Whether the text contains `/`, `+`, or `=`, which a URI must encode as `%2F`, `%2B`, or `%3D`.
  var isUnescaped: Bool {
    guard isInURI, rawText.contains(where: { $0 == "/" || $0 == "+" || $0 == "=" }) else { return false }
    return SignatureHash.isWellFormed(text) || SignatureHash.isDummy(text) && !text.contains("/")
  }

  /// The fix that replaces the text, or nil if its place is not certain.
  func replacing(with replacement: String, in file: ValidatedFile, _ description: String) -> Diagnostic.Fix? {
    file.replacing(rawText, of: value, with: replacement, description)
  }
}

extension ValidatedFile {
  /// The signature hashes in the file, except those that a build replaces.
  var signatureHashes: [SignatureHashUse] {
    var uses: [SignatureHashUse] = []
    if let config = androidConfig, let redirect = config.redirect, let hash = redirect.hash,
      !redirect.source.isReference
    {
      let hash = hash.prefix(Self.longestHash)
      uses.append(
        SignatureHashUse(
          rawText: hash, text: PercentText.decode(hash), value: redirect.source, isInURI: true,
          severity: config.usesBroker ? .error : .warning))
    }
    for path in redirectPaths where path.value.count > 1 {
      let rawText = (path.value.hasPrefix("/") ? path.value.dropFirst() : path.value[...]).prefix(Self.longestHash)
      uses.append(
        SignatureHashUse(
          rawText: rawText, text: PercentText.decode(rawText), value: path, isInURI: false, severity: .warning))
    }
    return uses
  }

  /// The number of characters that are examined. A hash has 28 characters, and each may be percent-encoded twice.
  private static let longestHash = 500

  /// `android:path` of each filter for MSAL's redirect URIs.
  var redirectPaths: [Positioned<String>] {
    redirectFilters.flatMap { $0.filter.data.compactMap(\.path) }.filter { !$0.isResolvedAtBuildTime }
  }

  /// Intent filters for MSAL's redirect URIs, each with its activity.
  var redirectFilters: [(activity: AndroidManifest.Activity, filter: AndroidManifest.Filter)] {
    (androidManifest?.activities ?? []).flatMap { activity in
      activity.filters.filter { filter in
        filter.data.contains { $0.scheme?.value.lowercased() == "msauth" }
          || activity.isMSALActivity && filter.data.contains { $0.scheme != nil }
      }.map { (activity, $0) }
    }
  }
}

extension AndroidConfig {
  /// The first `mostEntries` entries of `authorities`.
  var entries: [AuthorityEntry] { authorities?.value.prefix(Self.mostEntries).map(\.value) ?? [] }

  /// More authorities than real apps have.
  static let mostEntries = 200
}
