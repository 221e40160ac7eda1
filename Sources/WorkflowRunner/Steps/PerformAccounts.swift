import Documents
import OAuth
import OrderedCollections
import PublicClient
import RunTrace
import WorkflowModel

extension StepPerformer {
  func loadAccount(
    _ step: LoadAccount, _ performance: Performance, _ app: AppClient
  ) throws(UnresolvedValue) -> StepReport {
    let scope = performance.scope
    do throws(MSALError) {
      var account: Account?
      if let identifier = resolved(step.identifier, scope) {
        account = try app.application.account(identifier: identifier)
      } else if let username = resolved(step.username, scope) {
        account = try app.application.account(username: username)
      } else if step.first == true {
        account = try app.application.accounts().first
      } else {
        account = try app.application.currentAccount().account
      }
      app.select(account)
      guard let account else { return StepReport("notFound", facts: ["shows": "nobody is signed in to this app"]) }
      return StepReport(
        "found", facts: ["$": account.json, "account": account.json, "shows": .string(account.username)])
    } catch {
      return report(error)
    }
  }

  func listAccounts(
    _ step: ListAccounts, _ performance: Performance, _ app: AppClient
  ) throws(UnresolvedValue) -> StepReport {
    let scope = performance.scope
    var parameters = AccountEnumerationParameters(
      identifier: try step.identifier?.resolved(in: scope),
      tenantProfileIdentifier: try step.tenantProfileIdentifier?.resolved(in: scope),
      username: try step.username?.resolved(in: scope))
    parameters.returnOnlySignedInAccounts = step.returnOnlySignedInAccounts ?? true
    do throws(MSALError) {
      let accounts = try app.application.accounts(parameters)
      let shows =
        accounts.isEmpty ? "nobody is signed in to this app" : accounts.map(\.username).joined(separator: ", ")
      return StepReport(
        accounts.isEmpty ? "notFound" : "found",
        facts: ["$": .array(accounts.map(\.json)), "shows": .string(shows)])
    } catch {
      return report(error)
    }
  }

  func signOut(
    _ step: SignOut, _ performance: Performance, _ app: AppClient
  ) async throws(UnresolvedValue) -> StepReport {
    let scope = performance.scope
    var parameters = SignOutParameters(account: nil)
    parameters.signoutFromBrowser = try step.signoutFromBrowser?.resolved(in: scope) ?? false
    parameters.wipeAccount = try step.wipeAccount?.resolved(in: scope) ?? false
    parameters.wipeCacheForAllAccounts = try step.wipeCacheForAllAccounts?.resolved(in: scope) ?? false
    for (name, value) in try step.extraQueryParameters?.resolved(in: scope)?.object ?? [:] {
      parameters.extraQueryParameters.append(name, value.string ?? value.text())
    }
    var accounts: [Account]
    do throws(MSALError) {
      if let name = step.account?.resolvedOrNil(in: scope) {
        accounts = [account(named: name, app)].compactMap { $0 }
      } else if step.accounts == .all {
        accounts = try app.application.accounts()
      } else {
        let current = app.account
        accounts = try app.application.accounts().filter { current == nil || $0 == current }
        if current == nil, accounts.count > 1 { accounts = [] }
      }
      guard !accounts.isEmpty else {
        return StepReport("notFound", facts: ["shows": "nobody is signed in to this app"])
      }
      for account in accounts {
        parameters.account = account
        try await app.application.signOut(parameters)
        app.forget(account)
      }
      if parameters.wipeCacheForAllAccounts { app.forgetEverything() }
    } catch {
      return report(error)
    }
    let names = accounts.map(\.username).joined(separator: ", ")
    return StepReport(
      "success", facts: ["$": .array(accounts.map(\.json)), "shows": .string("\(names) signed out of this app")])
  }

  func deviceInfo(_ app: AppClient) -> StepReport {
    do throws(MSALError) {
      let information = try app.application.deviceInformation()
      return StepReport(
        "success", facts: ["$": information.json, "shows": .string("\(information.deviceMode.rawValue) device mode")])
    } catch {
      return report(error)
    }
  }

  private func resolved(_ value: Resolvable<String>?, _ scope: ValueScope) -> String? {
    value?.resolvedOrNil(in: scope)
  }
}

extension Resolvable {
  /// The value, or nil where it cannot be filled in: then the key counts as left out.
  fileprivate func resolvedOrNil(in scope: ValueScope) -> Value? {
    (try? resolved(in: scope)) ?? nil
  }
}
