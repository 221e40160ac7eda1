import Scenarios
import TestSupport
import Testing

@Suite struct ScenarioRunTests {
}
