import AppRegistration
import Documents
import IdentityPlatform
import OAuth
import OrderedCollections
import PublicClient
import RunTrace
import WorkflowModel

extension StepPerformer {
  func silent(
    _ step: Silent, _ performance: Performance, _ app: AppClient
  ) async throws(UnresolvedValue) -> StepReport {
    var parameters = SilentParameters(try token(step.token, performance, app))
    parameters.forceRefresh = try step.forceRefresh?.resolved(in: performance.scope) ?? false
    do throws(MSALError) {
      return report(try await app.application.acquireTokenSilent(parameters), app)
    } catch {
      return report(error)
    }
  }

  func interactive(
    _ step: Interactive, _ performance: Performance, _ app: AppClient
  ) async throws(UnresolvedValue) -> StepReport {
    let scope = performance.scope
    var parameters = InteractiveParameters(try token(step.token, performance, app, isInteractive: true))
    parameters.promptType = Self.prompts[try step.prompt?.resolved(in: scope) ?? .ifNecessary] ?? .promptIfNecessary
    parameters.loginHint = try step.loginHint?.resolved(in: scope)
    parameters.domainHint = try step.domainHint?.resolved(in: scope)
    parameters.extraScopesToConsent = try step.extraScopesToConsent?.resolved(in: scope) ?? []
    if let type = try step.webview?.resolved(in: scope) {
      parameters.webview.prefersEphemeralWebBrowserSession = type == .ephemeral
      parameters.webview.type = WebviewParameters.WebviewType(rawValue: type.rawValue) ?? .default
    }
    do throws(MSALError) {
      return report(try await app.application.acquireToken(parameters), app)
    } catch {
      return report(error)
    }
  }

  private static let prompts: [Interactive.Prompt: PromptType] = [
    .ifNecessary: .promptIfNecessary, .selectAccount: .selectAccount, .login: .login, .consent: .consent,
    .create: .create, .never: .never,
  ]

  func deviceCode(
    _ step: DeviceCode, _ performance: Performance, _ app: AppClient
  ) async throws(UnresolvedValue) -> StepReport {
    let trace = self.trace
    let parameters = DeviceCodeParameters(try token(step.token, performance, app)) { prompt in
      trace.decide(
        "deviceCode", "shown", why: prompt.message,
        ["userCode": TraceValue(prompt.userCode), "verificationUri": TraceValue(prompt.verificationURI)])
    }
    do throws(MSALError) {
      return report(try await app.application.acquireTokenByDeviceCode(parameters), app)
    } catch {
      return report(error)
    }
  }

  /// What all token requests share. An interactive request is about an account only where the step names one: who has
  /// just been told that nobody is known signs in as anybody.
  private func token(
    _ step: WorkflowModel.TokenParameters, _ performance: Performance, _ app: AppClient, isInteractive: Bool = false
  ) throws(UnresolvedValue) -> PublicClient.TokenParameters {
    let scope = performance.scope
    var parameters = PublicClient.TokenParameters(scopes: try step.scopes?.resolved(in: scope) ?? app.settings.scopes)
    if let name = try step.account?.resolved(in: scope) {
      parameters.account = account(named: name, app)
      guard parameters.account != nil else {
        throw UnresolvedValue(
          "no account \"\(name)\" is known to this app", help: "sign it in first, or check the name",
          at: step.account?.place)
      }
    } else if !isInteractive || performance.step.isFallback {
      parameters.account = app.account
    }
    if let text = try step.authority?.resolved(in: scope) {
      do {
        parameters.authority = try Authority(parsing: text)
      } catch {
        throw UnresolvedValue("\"\(text)\" is no authority: \(error.words)", at: step.authority?.place)
      }
    }
    let written = try step.claims?.resolved(in: scope)
    do throws(ClaimsRequestFailure) {
      var claims = try written.map { json throws(ClaimsRequestFailure) in try ClaimsRequest(json) } ?? ClaimsRequest()
      if let challenge = performance.challengeClaims { claims = claims.adding(try ClaimsRequest(challenge)) }
      if claims.hasClaims { parameters.claimsRequest = claims }
    } catch {
      throw UnresolvedValue("the claims cannot be sent: \(error.reason)", at: step.claims?.place)
    }
    for (name, value) in try step.extraQueryParameters?.resolved(in: scope) ?? [:] {
      parameters.extraQueryParameters.append(name, value)
    }
    parameters.correlationID = try step.correlationId?.resolved(in: scope)
    return parameters
  }

  /// An account by its identifier, or by its username.
  func account(named name: String, _ app: AppClient) -> Account? {
    if let account = app.account, account.identifier == name || account.username.lowercased() == name.lowercased() {
      return account
    }
    if let account = try? app.application.account(identifier: name) { return account }
    return (try? app.application.account(username: name)) ?? nil
  }

  private func report(_ result: TokenResult, _ app: AppClient) -> StepReport {
    app.remember(result)
    var facts: OrderedDictionary<String, JSON> = [
      "$": result.json, "tokenSource": .string(result.source.rawValue),
      "scopes": .array(result.scopes.map { .string($0) }), "idToken": result.idTokenClaims,
      "account": result.account.json, "screens": .array(result.screens.map { .string($0) }),
    ]
    if let sent = result.sent { facts["sent"] = sent.json }
    return StepReport("success", facts: facts)
  }

  func report(_ error: MSALError) -> StepReport {
    var facts: OrderedDictionary<String, JSON> = ["error": error.facts]
    if let sent = error.sent { facts["sent"] = sent.json }
    facts["screens"] = .array(error.screens.map { .string($0) })
    if let result = error.invalidResult {
      facts["$"] = result.json
      facts["scopes"] = .array(result.scopes.map { .string($0) })
      facts["account"] = result.account.json
    }
    if let claims = error.claims ?? error.underlying?.claims, let json = try? JSON(parsing: Array(claims.utf8)) {
      facts["challenge"] = json
    }
    return StepReport(error.outcomeName, facts: facts)
  }
}

extension MSALError {
  /// The language's `error`.
  var facts: JSON {
    var facts: JSON = ["msal": .string(internalSymbol ?? symbol), "description": .string(message)]
    if let oauthError { facts["oauth"] = .string(oauthError) }
    if let suberror { facts["suberror"] = .string(suberror) }
    if let serverCode { facts["code"] = .string(serverCode) }
    if let declinedScopes { facts["declinedScopes"] = .array(declinedScopes.map { .string($0) }) }
    facts["userInfo"] = userInfo
    return facts
  }
}
