import AppRegistration
import Diagnostics
import Documents

/// What stands in the place of a signature hash: in the redirect URI of a configuration, or in `android:path` of a manifest.
struct SignatureHashUse {
  /// As it is written.
  var written: Substring
  /// Without its percent-encoding.
  var text: String
  /// The value that it is a part of.
  var whole: Positioned<String>
  /// Whether the value is a URI, in which the hash is percent-encoded; a path of a manifest is not.
  var isInURI: Bool
  /// How serious a wrong hash is: where MSAL asks a broker, it compares the hash with the app's own and refuses another.
  var severity: Diagnostic.Severity

  var place: FileSpan { whole.place(of: written) }

  /// What its author left to be filled in; nil where a hash, or a word of somebody's own, stands there.
  var placeholder: Substring? {
    guard !SignatureHash.isWellFormed(text) else { return nil }
    if let found = TemplatePlaceholder.find(in: text) { return found }
    return SignatureHash.isItsName(text) ? text[...] : nil
  }

  var isDummy: Bool { placeholder == nil && SignatureHash.isDummy(text) }

  /// Whether the encoding itself was encoded again: `%252F`.
  var isDoublyEscaped: Bool { isInURI && written.contains("%25") && PercentText.decode(text) != text }

  /// Whether it holds a `/`, `+` or `=` that a URI must write as `%2F`, `%2B` or `%3D`.
  var isUnescaped: Bool {
    guard isInURI, written.contains(where: { $0 == "/" || $0 == "+" || $0 == "=" }) else { return false }
    return SignatureHash.isWellFormed(text) || SignatureHash.isDummy(text) && !text.contains("/")
  }

  /// The edit that puts another text in its place; nil where the place is not certain.
  func replacing(with replacement: String, in file: ValidatedFile, _ description: String) -> Diagnostic.Fix? {
    file.replacing(written, of: whole, with: replacement, description)
  }
}

extension ValidatedFile {
  /// Every signature hash that the file names; what a build fills in is left out.
  var signatureHashes: [SignatureHashUse] {
    var uses: [SignatureHashUse] = []
    if let config = androidConfig, let redirect = config.redirect, let hash = redirect.hash,
      !redirect.written.isReference
    {
      let hash = hash.prefix(Self.longestHash)
      uses.append(
        SignatureHashUse(
          written: hash, text: PercentText.decode(hash), whole: redirect.written, isInURI: true,
          severity: config.usesBroker ? .error : .warning))
    }
    for path in redirectPaths where path.value.count > 1 {
      let written = (path.value.hasPrefix("/") ? path.value.dropFirst() : path.value[...]).prefix(Self.longestHash)
      uses.append(
        SignatureHashUse(
          written: written, text: PercentText.decode(written), whole: path, isInURI: false, severity: .warning))
    }
    return uses
  }

  /// In characters. What is longer is none, and is told by its beginning; a hash is of 28, each of which may be escaped twice.
  private static let longestHash = 500

  /// Every `android:path` of a filter that opens MSAL's redirect URIs.
  var redirectPaths: [Positioned<String>] {
    redirectFilters.flatMap { $0.filter.data.compactMap(\.path) }.filter { !$0.isFilledIn }
  }

  /// The filters that open MSAL's redirect URIs, each with its activity.
  var redirectFilters: [(activity: AndroidManifest.Activity, filter: AndroidManifest.Filter)] {
    (androidManifest?.activities ?? []).flatMap { activity in
      activity.filters.filter { filter in
        filter.data.contains { $0.scheme?.value.lowercased() == "msauth" }
          || activity.isMSALs && filter.data.contains { $0.scheme != nil }
      }.map { (activity, $0) }
    }
  }
}

extension AndroidConfig {
  /// The entries of `authorities`, as many as are judged.
  var entries: [AuthorityEntry] { authorities?.value.prefix(Self.mostEntries).map(\.value) ?? [] }

  /// More authorities than any app has.
  static let mostEntries = 200
}
