import Documents
import OrderedCollections

extension RecordedFields {
  /// The fields as JSON. The value of a field is a string, or a list of strings if the field is repeated.
  var json: JSON {
    .object(
      reduce(into: [:]) { members, field in
        members[field.key] =
          field.value.count == 1 ? .string(field.value[0]) : .array(field.value.map { .string($0) })
      })
  }

  /// Decodes fields. Returns nil if the value is not a mapping whose values are strings or lists of strings.
  init?(_ json: JSON?) {
    guard let json else {
      self = [:]
      return
    }
    guard let members = json.object else { return nil }
    self = [:]
    for (name, value) in members {
      switch value {
      case .string(let text): self[name] = [text]
      case .array(let values):
        let texts = values.compactMap(\.string)
        guard texts.count == values.count else { return nil }
        self[name] = texts
      default: return nil
      }
    }
  }
}

extension RecordedBody {
  /// The key and the value that represent the body in JSON, or nil if the body is empty.
  var member: (name: String, value: JSON)? {
    switch self {
    case .none: nil
    case .form(let fields): ("form", fields.json)
    case .json(let json): ("json", json)
    case .text(let text): ("text", .string(text))
    case .base64(let text): ("base64", .string(text))
    }
  }

  /// Decodes the body of a recorded message. Returns nil if the body has the wrong type.
  init?(in message: JSON) {
    if let form = message["form"] {
      guard let fields = RecordedFields(form) else { return nil }
      self = .form(fields)
    } else if let json = message["json"] {
      self = .json(json)
    } else if let text = message["text"] {
      guard let text = text.string else { return nil }
      self = .text(text)
    } else if let base64 = message["base64"] {
      guard let base64 = base64.string else { return nil }
      self = .base64(base64)
    } else {
      self = .none
    }
  }
}
