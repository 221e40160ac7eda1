import Directory
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

extension IdentityPlatformEmulator {
  /// Registers the tenant and user flow of an app's authority, and the APIs that define the scopes. This function has
  /// an effect only if the directory does not set `registersOnTheFly` and the options do not enable
  /// `registersByDefault` or `isStrict`.
  /// - Parameters:
  ///   - tenant: The tenant ID or domain of the authority, or nil for endpoints such as `common`.
  ///   - userFlow: The B2C user flow of the authority.
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
    var declared = tenant(named: name) ?? addTenant(named: name, kind: kind)
    guard let userFlow, !declared.userFlows.contains(where: { $0.lowercased() == userFlow.lowercased() }) else {
      return
    }
    declared.userFlows.append(userFlow)
    graph.tenants[declared.id] = declared
  }
}
