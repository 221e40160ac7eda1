import AppRegistration
import Diagnostics

struct GraphEndpointHost: LoadingRule {
  let rule = SettingsRule.graphEndpointHost
  let words = "GraphEndpoint is not a Microsoft Graph host"
  let help = """
    The app sends its Graph access token to this host. A token that reaches another host can be used against Microsoft Graph by \
    that host. Use the Graph host of your cloud, or an address of this machine for a local server.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphEndpoint: 1️⃣https://graph.contoso.com
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphEndpoint: https://graph.microsoft.com
    """#
}
