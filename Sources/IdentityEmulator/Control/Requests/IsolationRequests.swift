import Documents
import HTTPTypes
import OrderedCollections

extension ControlRequest {
  static let isolations = ControlRequest(
    method: .get, path: "isolations", summary: "list isolations and the apps that belong to them"
  ) { call in call.isolations }

  static let bindIsolation = ControlRequest(
    method: .put, path: "isolations/{name}",
    summary: "assign the requests of apps to an isolation; `{\"clients\": [CLIENT_ID]}`", requiresBody: true
  ) { call throws(ControlError) in
    let body = try call.body()
    try call.members(["clients"], of: body)
    guard let clients = body["clients"]?.array?.compactMap(\.string) else {
      throw ControlError("`clients` must be a list of client IDs")
    }
    let name = call.values[0]
    call.platform.withState { state in
      state.isolatedClients = state.isolatedClients.filter { $0.value != name }
      for client in clients { state.isolatedClients[client.lowercased()] = name }
    }
    return call.isolations
  }
}

extension ControlCall {
  fileprivate var isolations: JSON {
    platform.withState { state in
      var names = OrderedSet(state.isolatedCounts.keys)
      names.append(contentsOf: state.isolatedClients.values)
      names.append(contentsOf: state.faults.compactMap(\.isolation))
      return [
        "version": 1,
        "isolations": .array(
          names.map { name in
            let clients = state.isolatedClients.filter { $0.value == name }.keys
            return [
              "name": .string(name), "clients": .array(clients.map { .string($0) }),
              "requests": .integer(Int64(state.isolatedCounts[name]?.all ?? 0)),
            ]
          }),
      ]
    }
  }
}
