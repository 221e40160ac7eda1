import Documents

/// A sort key in `$orderby`.
struct ODataOrder: Hashable, Sendable {
  var path: [String]
  var isDescending: Bool

  static func list(_ text: String) throws(GraphErrorResponse) -> [ODataOrder] {
    var orders: [ODataOrder] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: " ").map(String.init)
      let direction = words.count > 1 ? words[1].lowercased() : "asc"
      guard let path = words.first, words.count <= 2, direction == "asc" || direction == "desc" else {
        throw .malformed("Syntax error in the $orderby expression '\(text)'.")
      }
      orders.append(ODataOrder(path: path.split(separator: "/").map(String.init), isDescending: direction == "desc"))
    }
    return orders
  }

  /// Returns the items in sorted order. Equal items keep their relative order.
  static func sorted(_ items: [JSON], by orders: [ODataOrder]) -> [JSON] {
    guard !orders.isEmpty else { return items }
    let keyed = items.enumerated().map { item in
      (index: item.offset, keys: orders.map { ODataValue.at($0.path, in: item.element) }, item: item.element)
    }
    return keyed.sorted { left, right in
      for (order, pair) in zip(orders, zip(left.keys, right.keys)) {
        let comparison = ODataValue.order(pair.0, pair.1)
        if comparison != 0 { return order.isDescending ? comparison > 0 : comparison < 0 }
      }
      return left.index < right.index
    }.map(\.item)
  }
}
