import IdentityPlatform

/// What the glossary of errors has for a code.
enum AADSTSGlossary {
  static func entry(_ code: Int) -> (error: String?, suberror: String?)? {
    AADSTS.numbered(code).map { ($0.error, $0.suberror) }
  }
}
