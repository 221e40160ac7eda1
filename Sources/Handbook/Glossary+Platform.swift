import IdentityEmulator
import IdentityPlatform
import PublicClient

extension GlossaryEntry {
  /// The entry, with instructions for causing the error on the emulator if the emulator supports the error.
  var provokable: GlossaryEntry {
    guard topic == .signInError, let row = number.flatMap(ErrorTable.emulatedRow) else { return self }
    var entry = self
    entry.facts.append(Fact("on the emulator", row.provokedBy))
    return entry
  }
}

extension Glossary {
  /// The codes from MSAL's internal common library, which appear in MSAL's logs. Each entry also contains the MSAL code
  /// that the app receives.
  static let identityCoreEntries: [GlossaryEntry] = IdentityCoreError.allCases.filter { $0.rawValue < -51_000 }.map {
    error in
    let (code, internalCode) = error.msal
    let number = internalCode ?? code.rawValue
    let same = ErrorGlossary.entries.first {
      $0.number == number && ($0.topic == .msalError || $0.topic == .msalInternalError)
    }
    let name = "\(error)"
    return GlossaryEntry(
      .identityCoreError, "MSIDError\(name.prefix(1).uppercased())\(name.dropFirst())", number: error.rawValue,
      same?.verdict ?? .readCode, meaning: same?.meaning ?? "an error in MSAL's internal common library",
      cause: same?.cause,
      facts: [.init("seen in", "logs of MSAL for Apple platforms, domain MSIDErrorDomain or MSIDOAuthErrorDomain")],
      reaction: internalCode == nil
        ? "the app receives \(code.symbol) (\(code.rawValue)) instead."
        : "the app receives -50000 with \(same?.name ?? "") (\(number)) in MSALInternalErrorCodeKey instead.",
      advice: same?.advice ?? "Look up the corresponding MSAL error.", related: [same?.name].compactMap { $0 },
      shownAs: same?.shownAs ?? [])
  }
}
