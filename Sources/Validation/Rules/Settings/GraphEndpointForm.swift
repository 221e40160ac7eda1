import AppRegistration

struct GraphEndpointForm: LoadingRule {
  let rule = SettingsRule.graphEndpointForm
  let words = "GraphEndpoint is not the address of a Graph"
  let help = """
    The bearer token goes to this host, so it must be https (http on this machine only). The version belongs to each call.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphEndpoint: 1️⃣http://graph.microsoft.com
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphEndpoint: https://graph.microsoft.us
    """#
}
