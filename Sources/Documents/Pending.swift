import Diagnostics
enum XMLPropertyListReader { static func read(_ source: SourceText, limits: ReadingLimits) -> Reading { Reading(document: nil, diagnostics: []) } }
enum OpenStepReader { static func read(_ source: SourceText, limits: ReadingLimits) -> Reading { Reading(document: nil, diagnostics: []) } }
enum BinaryPropertyListReader { static func read(_ bytes: [UInt8], named name: String, limits: ReadingLimits) -> Reading { Reading(document: nil, diagnostics: []) } }
