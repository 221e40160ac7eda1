import IdentityPlatform

/// Looks up error codes in the error glossary.
enum AADSTSGlossary {
  static func entry(_ code: Int) -> (error: String?, suberror: String?)? {
    AADSTS.numbered(code).map { ($0.error, $0.suberror) }
  }
}
