import Documents
import OrderedCollections

/// An app's metadata in a cloud, including the family that the app shares refresh tokens with.
package struct AppMetadataRecord: CacheRecord {
  package var fields: OrderedDictionary<String, JSON>

  package static let knownFields: Set<String> = ["client_id", "environment", "family_id"]

  package init(fields: OrderedDictionary<String, JSON>) {
    self.fields = fields
  }

  /// - Parameter familyID: The family, or an empty string if the app does not belong to one.
  package init(clientID: String, environment: String, familyID: String) {
    fields = [:]
    set("client_id", clientID)
    set("environment", environment)
    set("family_id", familyID)
  }

  package var clientID: String { textOrEmpty("client_id") }
  package var environment: String { textOrEmpty("environment") }
  package var familyID: String { textOrEmpty("family_id") }

  package var key: String { CacheKey.appMetadata(environment: environment, clientID: clientID) }
}
