import Directory
import Documents
import HTTPTypes

extension ControlRequest {
  static let apps = ControlRequest(method: .get, path: "apps", summary: "list registered apps") { call in call.apps }

  static let addApps = ControlRequest(
    method: .post, path: "apps",
    summary: "register apps in the directory format, or extend existing registrations", requiresBody: true
  ) { call throws(ControlError) in
    let apps = try call.records(try call.list(), RegisteredApp.fields, empty: RegisteredApp())
    call.platform.withState { state in
      for app in apps { state.register(app) }
    }
    return call.apps
  }
}

extension ControlCall {
  fileprivate var apps: JSON {
    platform.withState { state in
      func texts(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }
      return [
        "version": 1,
        "apps": .array(
          state.apps.map { key, app in
            [
              "appId": .string(app.appId), "name": app.name.map { .string($0) } ?? .null,
              "audience": .string(app.effectiveAudience.rawValue),
              "publicClient": texts(app.publicRedirectUris), "spa": texts(app.spaRedirectUris),
              "web": texts(app.webRedirectUris), "permissions": texts(app.permissions),
              "confidential": .bool(!app.isPublic), "disabled": .bool(app.disabled == true),
              "onTheFly": .bool(state.appsOnTheFly.contains(key)),
            ]
          }),
      ]
    }
  }
}
