// Fuzz targets for the readers and for validation. They mutate bytes, guided by code coverage.

import Documents
import FuzzSupport

FuzzDriver.run([
  "json": { ReaderTargets.document(FuzzDriver.bytes($0, $1), .json, named: "a.json") },
  "yaml": { ReaderTargets.document(FuzzDriver.bytes($0, $1), .yaml, named: "a.yaml") },
  "xml-plist": { ReaderTargets.document(FuzzDriver.bytes($0, $1), .xmlPropertyList, named: "a.plist") },
  "binary-plist": { ReaderTargets.document(FuzzDriver.bytes($0, $1), .binaryPropertyList, named: "a.plist") },
  "openstep": { ReaderTargets.document(FuzzDriver.bytes($0, $1), .openStepPropertyList, named: "a.plist") },
  "xml": { ReaderTargets.xml(FuzzDriver.bytes($0, $1)) },
  "xcconfig": { ReaderTargets.xcconfig(FuzzDriver.bytes($0, $1)) },
  "validation": { ValidationTarget.run(FuzzDriver.bytes($0, $1)) },
])
