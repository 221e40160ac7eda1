/// The former rule IDs. If a suppression or setting uses a former ID, an error reports the current ID.
package enum RenamedRule {
  /// Current rule IDs by former ID.
  package static let current: [String: String] = [
    "android-hash-form": "android-hash-malformed",
    "android-hash-known": "android-hash-shared",
    "android-left-over-authority": "android-sample-authority",
    "android-redirect-form": "android-redirect-malformed",
    "android-redirect-unanswered": "android-redirect-unhandled",
    "android-tenant-form": "android-tenant-malformed",
    "authority-form": "authority-malformed",
    "azure-ad-authority-twice": "azure-ad-authority-duplicate",
    "bundle-id-form": "bundle-id-malformed",
    "credential-never-ends": "credential-no-expiry",
    "graph-endpoint-form": "graph-endpoint-malformed",
    "known-authority-form": "known-authority-malformed",
    "manifest-dialect-retired": "manifest-format-retired",
    "manifest-id-form": "manifest-id-malformed",
    "manifest-redirect-form": "manifest-redirect-malformed",
    "manifest-redirect-twice": "manifest-redirect-duplicate",
    "query-schemes-misspelt": "query-schemes-misspelled",
    "query-schemes-repeated": "query-schemes-duplicate",
    "redirect-uri-form": "redirect-uri-malformed",
    "repeated-identity": "duplicate-identity",
    "scope-form": "scope-malformed",
    "scope-repeated": "scope-duplicate",
    "scopes-of-several-resources": "scopes-multiple-resources",
    "tenant-form": "tenant-malformed",
    "two-kinds": "multiple-step-types",
    "url-scheme-form": "url-scheme-malformed",
    "url-types-misspelt": "url-types-misspelled",
    "happens-on-live": "simulate-on-live", "unknown-happening": "unknown-event",
  ]
}
