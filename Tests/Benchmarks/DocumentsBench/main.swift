// Compares the document readers with the event loops of the C libraries and with Foundation. Each reader reads a 10 MB
// document in every format. The result is the processor time of the best of three runs.
//
//     DocumentsBench              all ratios
//     DocumentsBench write DIR    writes the documents to a folder
//     DocumentsBench read FILE    reads one file five times and prints the time and the peak memory
import CLibXML2
import CLibYAML
import Diagnostics
import Documents
import Foundation

/// Returns the processor time of the best run. Wall-clock time would depend on other programs.
func seconds(_ runs: Int = 3, _ body: () -> Void) -> Double {
  (0..<runs).map { _ in
    let start = clock()
    body()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
  }.min() ?? 0
}

/// Returns about `size` bytes of JSON with records like those in a settings export.
func sample(_ size: Int) -> String {
  var text = "{\n  \"records\": [\n"
  var index = 0
  while text.utf8.count < size {
    if index > 0 { text += ",\n" }
    text += """
          {
            "id": "\(index)-7d2f-4c1e-9a55",
            "displayName": "Adele Vance \(index) é",
            "mail": "adele\(index)@contoso.example",
            "enabled": \(index % 3 == 0),
            "count": \(index * 37),
            "ratio": \(Double(index) + 0.25),
            "scopes": ["User.Read", "Calendars.Read", "offline_access"],
            "address": {"city": "Zürich", "zip": "\(8000 + index % 100)", "note": "line one, \\"quoted\\" & <more>"}
          }
      """
    index += 1
  }
  return text + "\n  ]\n}\n"
}

func status(_ field: String) -> Int {
  let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = text.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
  return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
}

func yamlEvents(_ bytes: [UInt8]) {
  var parser = yaml_parser_t()
  yaml_parser_initialize(&parser)
  yaml_parser_set_input_string(&parser, bytes, bytes.count)
  var event = yaml_event_t()
  var isDone = false
  while !isDone, yaml_parser_parse(&parser, &event) == 1 {
    isDone = event.type == YAML_STREAM_END_EVENT
    yaml_event_delete(&event)
  }
  yaml_parser_delete(&parser)
}

func xmlEvents(_ bytes: [UInt8]) {
  var sax = xmlSAXHandler()
  sax.initialized = XML_SAX2_MAGIC
  sax.startElementNs = { _, _, _, _, _, _, _, _, _ in }
  sax.endElementNs = { _, _, _, _ in }
  sax.characters = { _, _, _ in }
  bytes.withUnsafeBufferPointer { buffer in
    buffer.withMemoryRebound(to: CChar.self) { text in
      _ = xmlSAXUserParseMemory(&sax, nil, text.baseAddress, Int32(text.count))
    }
  }
}

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "read" {
  let path = CommandLine.arguments[2]
  var file = [UInt8](try Data(contentsOf: URL(filePath: path)))
  let before = status("VmHWM")
  var nodes = 0
  let time = seconds(5) { nodes = DocumentReader.read(file, named: path).document?.root.count ?? 0 }
  let peak = status("VmHWM")
  print(
    "\(path): \(Int(time * 1000)) ms, peak \(peak / 1024) MB (\(before / 1024) MB before), "
      + String(format: "%.1f times the file", Double(peak) * 1024 / Double(file.count)), nodes)
  file = []
  exit(0)
}

let size = 10_000_000
let document = DocumentReader.read(Array(sample(size).utf8), named: "sample.json").document
guard let document else { exit(1) }

func bytes(_ syntax: DocumentSyntax) -> [UInt8] {
  (try? DocumentWriter.write(document, as: syntax)) ?? []
}

func read(_ bytes: [UInt8], _ name: String) {
  let reading = DocumentReader.read(bytes, named: name)
  precondition(reading.diagnostics.isEmpty && (reading.document?.root["records"]?.count ?? 0) > 0)
}

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "write" {
  for syntax in DocumentSyntax.allCases where syntax != .openStepPropertyList {
    try Data(bytes(syntax)).write(
      to: URL(filePath: CommandLine.arguments[2]).appending(path: "sample.\(syntax.rawValue)"))
  }
  exit(0)
}

let json = bytes(.json)
let yaml = bytes(.yaml)
let xml = bytes(.xmlPropertyList)
let binary = bytes(.binaryPropertyList)

func report(_ name: String, _ count: Int, ours: Double, _ other: String, theirs: Double, limit: Double) {
  func ms(_ value: Double) -> String { String(format: "%.0f ms", value * 1000) }
  print(
    "\(name) (\(count / 1000) KB): ours \(ms(ours)), \(other) \(ms(theirs)), ratio \(String(format: "%.2f", ours / theirs)) (at most \(limit))"
  )
}

report(
  "YAML", yaml.count, ours: seconds { read(yaml, "a.yaml") }, "libyaml events", theirs: seconds { yamlEvents(yaml) },
  limit: 1.5)
report(
  "XML property list", xml.count, ours: seconds { read(xml, "a.plist") }, "libxml2 SAX2",
  theirs: seconds { xmlEvents(xml) },
  limit: 3)
report(
  "XML property list", xml.count, ours: seconds { read(xml, "a.plist") }, "Foundation",
  theirs: seconds(1) { _ = try? PropertyListSerialization.propertyList(from: Data(xml), format: nil) }, limit: 1)
report(
  "binary property list", binary.count, ours: seconds { read(binary, "a.plist") }, "Foundation",
  theirs: seconds(1) { _ = try? PropertyListSerialization.propertyList(from: Data(binary), format: nil) }, limit: 1)
report(
  "JSON", json.count, ours: seconds { read(json, "a.json") }, "Foundation",
  theirs: seconds(1) { _ = try? JSONSerialization.jsonObject(with: Data(json)) }, limit: 1)
