import Documents
import Effects
import IdentityPlatform
import OrderedCollections

extension RunPage {
  var cache: Markup {
    let before = tracedRun.cache(before: tracedRun.steps.first?.startedSeq ?? 0)
    let after = tracedRun.cacheAtEnd
    return tag("div") {
      tag("p", .class("note")) {
        "MSAL's unified token cache. The key of an entry contains the account, cloud, section, client, tenant, and scopes. A silent request finds its token by this key."
      }
      tag("div", .class("two")) {
        tag("div") {
          tag("h3") { "Before the first step" }
          entries(before, comparedWith: after, "deleted later", "changed later")
        }
        tag("div") {
          tag("h3") { "At the end" }
          entries(after, comparedWith: before, "new", "changed")
        }
      }
      tag("h3") { "All writes" }
      tag("ol", .class("items"), Attribute(.dataPart, "cache")) {
        writes
      }
      if tracedRun.cacheWrites.isEmpty { tag("p", .class("dim")) { "No entries written" } }
    }
  }

  private var writes: Markup {
    var writes = Markup()
    var held: [TracedCacheKey: JSON] = [:]
    for (key, entry) in tracedRun.cacheAtStart.entries { held[key] = entry }
    for (position, write) in tracedRun.cacheWrites.enumerated() {
      writes += tag("li") { changes(position, before: held) }
      for change in write.changes { held[change.key] = change.kind == "deleted" ? nil : change.entry }
    }
    return writes
  }

  private func entries(
    _ cache: TracedCache, comparedWith other: TracedCache, _ missing: String, _ changed: String
  ) -> Markup {
    guard !cache.entries.isEmpty else { return tag("p", .class("dim")) { "Empty." } }
    return tag("ul", .class("items")) {
      for (key, entry) in cache.entries {
        let mark = other.entries[key] == nil ? missing : other.entries[key] != entry ? changed : ""
        tag("li") { record(key, entry, mark: mark) }
      }
    }
  }

  private func record(_ key: TracedCacheKey, _ entry: JSON, mark: String, previous: JSON? = nil) -> Markup {
    tag("details", .class("item entry"), Attribute(.dataKind, key.section)) {
      tag("summary") {
        tag("span", .class("name")) { key.section }
        if !mark.isEmpty { tag("span", .class("mark")) { mark } }
        tag("span", .class("means")) { Self.shortDescription(key, entry) }
      }
      tag("div", .class("inside")) {
        if let meaning = CacheField.section(key.section) { tag("p", .class("description")) { meaning } }
        tag("p", .class("url")) { key.key }
        FieldTable(
          caption: "Entry", kind: "field",
          rows: (entry.object ?? [:]).map { name, value in
            let old = previous.flatMap { $0[name] }
            let isChanged = previous != nil && old != value
            return FieldTable.Row(
              name: name, value: self.value(name, value, old: isChanged ? old : nil),
              meaning: CacheField.meaning(of: name), isChanged: isChanged)
          }
        ).markup
      }
    }
  }

  @MarkupBuilder private func value(_ name: String, _ value: JSON, old: JSON?) -> Markup {
    if let old {
      tag("del") { old.string ?? old.text() }
      " "
      tag("ins") { value.string ?? value.text() }
    } else {
      value.string ?? value.text()
    }
    if let seconds = value.integer ?? value.string.flatMap({ Int64($0) }), Self.times.contains(name),
      let moment = RelativeTimes.moment(seconds: seconds)
    {
      tag("span", .class("moment")) { moment }
    }
  }

  private static let times = [
    "cached_at", "expires_on", "extended_expires_on", "refresh_on", "last_modification_time",
  ]

  /// Returns the part of a key that distinguishes entries in the same section.
  static func shortDescription(_ key: TracedCacheKey, _ entry: JSON) -> String {
    for name in ["target", "username", "principal_username", "family_id", "realm", "client_id"] {
      if let value = entry[name]?.string, !value.isEmpty { return value }
    }
    return key.key
  }

  /// Returns the changes that a write made.
  /// - Parameter held: The entries before the write, or nil to omit details and links. Only the list of writes passes
  ///   these entries.
  func changes(_ position: Int, before held: [TracedCacheKey: JSON]? = nil) -> Markup {
    let write = tracedRun.cacheWrites[position]
    let heading = held != nil
    return tag("div", .class("item write"), heading ? .id(Self.write(position)) : .class(""), .at(write.seq)) {
      tag("p") {
        if heading {
          tag("span", .class("number")) { "\(position + 1)" }
          link(toStep: write.step)
          tag("span", .class("time")) { times.since(write.time) }
        } else {
          tag("a", .to(Self.write(position))) { "Write \(position + 1)" }
        }
        if !write.reason.isEmpty { " \(write.reason)" }
      }
      tag("ul", .class("diff")) {
        for change in write.changes {
          tag("li", .class(change.kind)) {
            if heading {
              record(
                change.key, change.entry, mark: change.kind,
                previous: change.kind == "changed" ? held?[change.key] : nil)
            } else {
              tag("b") { "\(Self.signs[change.kind] ?? "·") \(change.kind) \(change.key.section)" }
              " \(Self.shortDescription(change.key, change.entry))"
            }
          }
        }
      }
    }
  }

  private static let signs = ["added": "+", "changed": "~", "deleted": "−"]
}
