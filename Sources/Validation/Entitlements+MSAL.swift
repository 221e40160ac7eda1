import AppRegistration
import Documents
import IdentityPlatform

extension ValidatedFile {
  /// Whether the entitlements contain a keychain group for MSAL or a group that was probably intended for MSAL.
  var containsMSALGroup: Bool {
    keychainGroups.contains { group in
      let name = group.name.lowercased()
      return Self.sharedGroups.contains(name) || name.contains("msal") || name.hasPrefix("com.microsoft.")
    }
  }

  /// Whether the entitlements contain a keychain group for another identity provider's library.
  var containsOtherProviderGroup: Bool {
    keychainGroups.contains { group in
      let name = group.name.lowercased()
      return ["okta", "auth0", "onelogin", "pingidentity", "keycloak", "appauth"].contains(where: name.contains)
    }
  }

  var isSandboxedWithNetwork: Bool {
    entitlements?.isSandboxed?.value == true && entitlements?.mayReachNetwork?.value == true
  }

  private static let sharedGroups = Set(ApplePlatform.allCases.map { $0.defaultKeychainGroup.lowercased() })
}

/// The part of an Info.plist or entitlements file name that identifies the target.
enum TargetNameStem {
  /// Returns the name in lowercase, without the extension or words that only distinguish files for the same
  /// target. For example, the stem of `Mail-Info.plist`, `MailDebug.entitlements`, and `Mail.Release.entitlements` is
  /// `mail`.
  static func of(_ name: String) -> String {
    let base = name.split(separator: ".").dropLast().joined(separator: ".")
    return words(of: base.isEmpty ? name : base).filter { !configurations.contains($0) }.joined()
  }

  /// Splits a name into words. Capital letters also start a word, so `DebugProfile` has two words.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var current = ""
    var wasLower = false
    for character in text {
      if !character.isLetter && !character.isNumber || character.isUppercase && wasLower {
        if !current.isEmpty { words.append(current) }
        current = ""
      }
      if character.isLetter || character.isNumber { current += character.lowercased() }
      wasLower = character.isLowercase
    }
    return current.isEmpty ? words : words + [current]
  }

  private static let configurations: Set<String> = [
    "info", "entitlements", "debug", "release", "profile", "production", "prod", "staging", "development", "dev",
    "distribution", "appstore", "adhoc", "beta", "alpha", "uat", "local", "enterprise",
  ]
}
