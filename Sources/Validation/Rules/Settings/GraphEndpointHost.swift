import AppRegistration
import Diagnostics

struct GraphEndpointHost: LoadingRule {
  let rule = SettingsRule.graphEndpointHost
}
