import AppRegistration
import Diagnostics

struct AuthorityUnknownHost: LoadingRule {
  let rule = SettingsRule.authorityUnknownHost
  let severity = Diagnostic.Severity.warning
  let words = "the authority's host is in no cloud, and the app does not vouch for it"
  let help = """
    MSAL asks Microsoft's discovery service about the authority's host, and fails if the service does not know it (-42010). List \
    hosts of your own and B2C authorities in KnownAuthorities: each entry covers exactly its URL. ValidateAuthority: false covers \
    all authorities.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: 1️⃣https://login.contoso.com/common
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Authority: https://login.contoso.com/common
    KnownAuthorities: [https://login.contoso.com/common]
    """#
}
