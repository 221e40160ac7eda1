import Directory
import Documents
import GraphEmulator
import HTTPTypes
import OrderedCollections

extension ControlRequest {
  static let policies = ControlRequest(
    method: .get, path: "policies", summary: "list the Conditional Access policies of all tenants"
  ) { call in call.policies }

  static let addPolicies = ControlRequest(
    method: .post, path: "policies", summary: "add policies to all tenants, replacing policies with the same name",
    requiresBody: true
  ) { call throws(ControlError) in
    try call.simulate(.array(try call.list().map { ["policyAdded": $0] }))
    return call.policies
  }

  static let removePolicy = ControlRequest(
    method: .delete, path: "policies/{name}", summary: "remove a policy"
  ) { call throws(ControlError) in
    try call.simulate([["policyRemoved": .string(call.values[0])]])
    return call.policies
  }
}

extension ControlCall {
  fileprivate var policies: JSON {
    platform.withState { state in
      func json(_ selection: AccessPolicy.Selection) -> JSON {
        switch selection {
        case .all: "all"
        case .listed(let names): .array(names.map { .string($0) })
        }
      }
      let all = state.graph.tenants.values.flatMap { tenant in tenant.policies.map { (tenant.name, $0) } }
      return [
        "version": 1,
        "policies": .array(
          all.map { tenant, policy in
            [
              "tenant": .string(tenant), "name": .string(policy.name), "id": .string(policy.id),
              "users": json(policy.users), "apps": json(policy.apps),
              "require": policy.require.map { .string($0.rawValue) } ?? .null,
              "signInFrequency": policy.signInFrequency.map { .string($0.shortText) } ?? .null,
              "challengeWith": .string((policy.challengeWith ?? .signIn).rawValue),
            ]
          }),
      ]
    }
  }
}
