import Documents
import Effects
import HTTPTypes
import OAuth
import Synchronization

/// The cookies of a browser profile. They persist between visits and can be saved as JSON.
package final class CookieJar: Sendable {
  private struct State {
    var cookies: [Cookie] = []
    var next = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Loads saved cookies. Invalid entries are skipped.
  package init(json: JSON) {
    state.withLock { state in
      for entry in json.array ?? [] {
        guard let cookie = Cookie(entry, number: state.next) else { continue }
        state.cookies.append(cookie)
        state.next += 1
      }
    }
  }

  /// Returns all unexpired cookies in creation order. Cookies are secrets, so write them only to private files.
  package func json(at now: Instant) -> JSON {
    state.withLock { state in
      .array(state.cookies.filter { $0.expires.map { $0 > now } ?? true }.map(\.json))
    }
  }

  package func removeAll() {
    state.withLock { $0.cookies = [] }
  }

  /// Stores the cookies in the `Set-Cookie` fields of a response.
  func store(_ fields: HTTPFields, from url: URLReference, now: Instant) {
    let origin = CookieOrigin(url)
    state.withLock { state in
      for field in fields[values: .setCookie] {
        guard var cookie = Cookie(field, from: origin, now: now, number: state.next) else { continue }
        state.next += 1
        if let index = state.cookies.firstIndex(where: { $0.isSame(as: cookie) }) {
          // A page loaded without TLS must not overwrite secure cookies.
          if state.cookies[index].isSecure, !origin.isTrustworthy { continue }
          cookie.number = state.cookies[index].number
          state.cookies.remove(at: index)
        }
        if cookie.expires.map({ $0 > now }) ?? true { state.cookies.append(cookie) }
      }
    }
  }

  /// Returns the value of the `Cookie` field for a request, or nil if no cookies apply.
  func field(for url: URLReference, now: Instant) -> String? {
    let origin = CookieOrigin(url)
    let cookies = state.withLock { state in
      state.cookies.removeAll { $0.expires.map { $0 <= now } ?? false }
      return state.cookies.filter { $0.isFor(origin) }
    }
    guard !cookies.isEmpty else { return nil }
    // Cookies with longer paths come first. If the lengths are equal, older cookies come first (RFC 6265 §5.4).
    let sorted = cookies.sorted { left, right in
      left.path.utf8.count != right.path.utf8.count
        ? left.path.utf8.count > right.path.utf8.count : left.number < right.number
    }
    return sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }
}

extension CookieOrigin {
  init(_ url: URLReference) {
    host = url.host ?? ""
    path = url.path.isEmpty ? "/" : url.path
    isTrustworthy = url.isConfidential
  }
}
