import Documents
import OAuth
import OrderedCollections
import PublicClient
import RunTrace
import WorkflowModel

extension StepPerformer {
  func loadAccount(
    _ step: LoadAccount, _ performance: StepInvocation, _ app: AppClient
  ) throws(UnresolvedValue) -> StepReport {
    let scope = performance.scope
    var parameters = AccountEnumerationParameters(
      identifier: try step.identifier?.resolved(in: scope),
      tenantProfileIdentifier: try step.tenantProfileIdentifier?.resolved(in: scope),
      username: try step.username?.resolved(in: scope))
    parameters.returnOnlySignedInAccounts = try step.returnOnlySignedInAccounts?.resolved(in: scope) ?? true
    if let identifier = parameters.identifier, !identifier.contains(where: { !$0.isWhitespace }) {
      throw UnresolvedValue("identifier is blank", at: step.identifier?.place)
    }
    do throws(MSALError) {
      let (account, previous) = try find(parameters, takesFirst: step.first == true, app)
      app.select(account)
      var facts: OrderedDictionary<String, JSON> = [:]
      var shows = account?.username ?? absence(of: parameters, app)
      if let account {
        facts["$"] = account.json
        facts["account"] = account.json
      }
      if let previous {
        facts["previousAccount"] = previous.json
        shows += "; previously \(previous.username)"
      }
      facts["shows"] = .string(shows)
      return StepReport(account == nil ? .notFound : .found, facts: facts)
    } catch {
      return report(error)
    }
  }

  /// Returns an explanation of why no account was found. Either no user is signed in, or only other users are signed
  /// in.
  private func absence(of wanted: AccountEnumerationParameters, _ app: AppClient) -> String {
    let others = ((try? app.application.accounts()) ?? []).map(\.username)
    guard !others.isEmpty else { return "no account is signed in" }
    let name = wanted.username ?? wanted.identifier ?? wanted.tenantProfileIdentifier
    return "\(name ?? "the account") is not signed in to this app; signed in: \(others.joined(separator: ", "))"
  }

  /// Finds the account by name, like `accountForIdentifier` and `accountForUsername`, or finds the current and previous
  /// accounts.
  private func find(
    _ parameters: AccountEnumerationParameters, takesFirst: Bool, _ app: AppClient
  ) throws(MSALError) -> (account: Account?, previous: Account?) {
    if !parameters.returnOnlySignedInAccounts || parameters.tenantProfileIdentifier != nil || takesFirst {
      return (try app.application.accounts(parameters).first, nil)
    }
    if let identifier = parameters.identifier {
      return (try app.application.account(identifier: identifier), nil)
    }
    if let username = parameters.username { return (try app.application.account(username: username), nil) }
    return try app.application.currentAccount()
  }

  func listAccounts(
    _ step: ListAccounts, _ performance: StepInvocation, _ app: AppClient
  ) throws(UnresolvedValue) -> StepReport {
    let scope = performance.scope
    var parameters = AccountEnumerationParameters(
      identifier: try step.identifier?.resolved(in: scope),
      tenantProfileIdentifier: try step.tenantProfileIdentifier?.resolved(in: scope),
      username: try step.username?.resolved(in: scope))
    parameters.returnOnlySignedInAccounts = try step.returnOnlySignedInAccounts?.resolved(in: scope) ?? true
    do throws(MSALError) {
      let accounts = try app.application.accounts(parameters)
      let shows =
        accounts.isEmpty ? absence(of: parameters, app) : accounts.map(\.username).joined(separator: ", ")
      return StepReport(
        accounts.isEmpty ? .notFound : .found,
        facts: ["$": .array(accounts.map(\.json)), "shows": .string(shows)])
    } catch {
      return report(error)
    }
  }

  func signOut(
    _ step: SignOut, _ performance: StepInvocation, _ app: AppClient
  ) async throws(UnresolvedValue) -> StepReport {
    let scope = performance.scope
    var parameters = try parameters(step, performance, app)
    let name = try step.account?.resolved(in: scope)
    let webview = parameters.signoutFromBrowser ? try webview(step.webview, performance, app) : nil
    var accounts: [Account]
    var facts: OrderedDictionary<String, JSON> = [:]
    do throws(MSALError) {
      if let name {
        accounts = [try account(named: name, app)].compactMap { $0 }
      } else if step.accounts == .all {
        accounts = try app.application.accounts()
      } else {
        let current = app.account
        accounts = try app.application.accounts().filter { current == nil || $0 == current }
        if current == nil, accounts.count > 1 { accounts = [] }
      }
      guard !accounts.isEmpty else {
        let wanted = AccountEnumerationParameters(identifier: nil, tenantProfileIdentifier: nil, username: name)
        return StepReport(.notFound, facts: ["shows": .string(absence(of: wanted, app))])
      }
      for account in accounts {
        parameters.account = account
        let (sent, screens) = try await app.application.signOut(parameters)
        app.removeAccount(account)
        if let sent { facts["sent"] = sent.json }
        if parameters.signoutFromBrowser { facts["screens"] = .array(screens.map { .string($0) }) }
      }
      if parameters.wipeCacheForAllAccounts { app.removeAllAccounts() }
    } catch {
      return report(error)
    }
    let names = accounts.map(\.username).joined(separator: ", ")
    facts["$"] = .array(accounts.map(\.json))
    facts["shows"] = .string("\(names) signed out of this app")
    if let webview { facts["webview"] = .string(webview.rawValue) }
    return StepReport(.success, facts: facts)
  }

  private func parameters(
    _ step: SignOut, _ performance: StepInvocation, _ app: AppClient
  ) throws(UnresolvedValue) -> SignOutParameters {
    let scope = performance.scope
    var parameters = SignOutParameters(account: nil)
    parameters.signoutFromBrowser = try step.signoutFromBrowser?.resolved(in: scope) ?? false
    parameters.wipeAccount = try step.wipeAccount?.resolved(in: scope) ?? false
    parameters.wipeCacheForAllAccounts = try step.wipeCacheForAllAccounts?.resolved(in: scope) ?? false
    for (name, value) in try step.extraQueryParameters?.resolved(in: scope) ?? [:] {
      parameters.extraQueryParameters.append(name, value)
    }
    parameters.authority = try authority(step.authority, performance, app)
    parameters.correlationID = try step.correlationId?.resolved(in: scope)
    let isEphemeral = try step.prefersEphemeralWebBrowserSession?.resolved(in: scope) ?? false
    parameters.webview = WebviewParameters(
      try webview(step.webview, performance, app), prefersEphemeralWebBrowserSession: isEphemeral)
    return parameters
  }

  func deviceInfo(_ app: AppClient) -> StepReport {
    do throws(MSALError) {
      let information = try app.application.deviceInformation()
      return StepReport(
        .success, facts: ["$": information.json, "shows": .string("\(information.deviceMode.rawValue) device mode")])
    } catch {
      return report(error)
    }
  }
}
