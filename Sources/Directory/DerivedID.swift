import Effects

/// Functions that derive GUIDs for directory entries without IDs. The same names always result in the same ID.
package enum DerivedID {
  /// - Parameter names: The names that identify the entry, such as the tenant and the username.
  package static func uuid(of names: String...) -> String {
    let text = names.map { $0.lowercased() }.joined(separator: "\u{1F}")
    var bytes: [UInt8] = []
    for seed in [UInt64(0xCBF2_9CE4_8422_2325), 0x9AE1_6A3B_2F90_404F] {
      var hash = fnv1a(text, seed: seed)
      for _ in 0..<8 {
        bytes.append(UInt8(truncatingIfNeeded: hash))
        hash >>= 8
      }
    }
    bytes[6] = bytes[6] & 0x0F | 0x80  // version 8: application-specific (RFC 9562 §5.8)
    bytes[8] = bytes[8] & 0x3F | 0x80
    return UUIDText.format(bytes)
  }

  /// Returns an FNV-1a hash. MurmurHash3's finalizer ensures that similar names result in very different IDs.
  private static func fnv1a(_ text: String, seed: UInt64) -> UInt64 {
    var hash = seed
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ (hash >> 33)
  }
}

extension EmulatedDirectory {
  /// Returns the directory with derived values for all missing IDs and names.
  package func completed() -> EmulatedDirectory {
    var whole = self
    for t in whole.tenants.indices {
      var tenant = whole.tenants[t]
      if tenant.id.isEmpty { tenant.id = DerivedID.uuid(of: "tenant", tenant.name) }
      if tenant.domains.isEmpty, let domain = tenant.users.first.flatMap({ $0.username.split(separator: "@").last }) {
        tenant.domains = [String(domain)]
      }
      if tenant.name.isEmpty { tenant.name = tenant.domains.first ?? tenant.id }
      for u in tenant.users.indices where tenant.users[u].id.isEmpty {
        let username = tenant.users[u].username
        let id = DerivedID.uuid(of: "user", tenant.id, username)
        // The upper half of a personal account's object ID is zero. The lower half is the account's PUID.
        tenant.users[u].id = tenant.effectiveKind == .personal ? "00000000-0000-0000-" + id.suffix(17) : id
      }
      for g in tenant.groups.indices where tenant.groups[g].id.isEmpty {
        tenant.groups[g].id = DerivedID.uuid(of: "group", tenant.id, tenant.groups[g].name)
      }
      for p in tenant.policies.indices where tenant.policies[p].id.isEmpty {
        tenant.policies[p].id = DerivedID.uuid(of: "policy", tenant.id, tenant.policies[p].name)
      }
      whole.tenants[t] = tenant
    }
    for r in whole.resources.indices where whole.resources[r].appId.isEmpty {
      whole.resources[r].appId = DerivedID.uuid(of: "resource", whole.resources[r].uris.first ?? "")
    }
    return whole
  }

  /// The first user in the directory, who is also the default simulated user.
  package var firstUser: User? {
    tenants.lazy.compactMap(\.users.first).first
  }

  /// Finds a user by username in all tenants, ignoring case.
  package func user(named username: String) -> (tenant: Tenant, user: User)? {
    let wanted = username.lowercased()
    for tenant in tenants {
      if let user = tenant.users.first(where: { $0.username.lowercased() == wanted }) { return (tenant, user) }
    }
    return nil
  }
}
