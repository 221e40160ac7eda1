import Directory
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

extension IdentityPlatformEmulator {
  /// Registers what the settings of an app imply, if the directory leaves registration to its default and the options switch that
  /// default off: the tenant and the user flow of the authority, and the APIs of the scopes. What requests name beyond
  /// that is then unknown. A directory that says itself what is registered is not changed.
  /// - Parameters:
  ///   - tenant: the authority's tenant, as an id or a domain; nil for endpoints such as `common`.
  ///   - userFlow: the B2C user flow of the authority.
  package func declare(host: String, tenant: String?, userFlow: String?, scopes: [String]) {
    let directory = platform.directory
    guard directory.registersOnTheFly, !directory.saysWhatIsRegistered, !platform.options.registersByDefault,
      !platform.options.isStrict
    else { return }
    platform.withState { state in
      if let tenant { state.declare(tenant: tenant, userFlow: userFlow, kind: HostKind(host)) }
      var added: Set<String> = []
      for scope in scopes {
        guard let uri = ScopeName(scope).resource, GUIDText.isWellFormed(uri) || uri.contains(":") else { continue }
        if state.resource(named: uri) == nil {
          state.addResource(uri: uri)
          added.insert(uri.lowercased())
        }
        guard added.contains(uri.lowercased()), let (resource, name) = state.locate(scope), name != ".default",
          resource.scope(named: name) == nil
        else { continue }
        _ = state.addScope(name, to: resource)
      }
    }
  }
}

extension PlatformState {
  fileprivate mutating func declare(tenant name: String, userFlow: String?, kind: HostKind?) {
    guard GUIDText.isWellFormed(name) || name.contains(".") else { return }
    var known = tenant(named: name) ?? addTenant(named: name, kind: kind)
    guard let userFlow, !known.userFlows.contains(where: { $0.lowercased() == userFlow.lowercased() }) else { return }
    known.userFlows.append(userFlow)
    graph.tenants[known.id] = known
  }
}
