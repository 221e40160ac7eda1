import Documents
import Effects
import OAuth
import OrderedCollections

// The page for entering a user code and the final pages of a device sign-in (RFC 8628 §3.3).

extension SignIn {
  func approveDevice(_ userCode: String, _ grant: SignInGrant) -> ResponseMessage {
    let sealed = "1." + OpaqueTokenCipher.seal(grant.json, for: .deviceGrant, randomness: platform.randomness)
    let isOpen = platform.withState { state -> Bool in
      guard let (key, device) = state.devices.first(where: { $0.value.userCode == userCode }),
        device.outcome == .pending, device.expires > exchange.now
      else { return false }
      state.devices[key]?.outcome = .approved(grant: sealed)
      return true
    }
    guard isOpen else { return ErrorPage.response(for: ErrorResponse(70019), to: exchange) }
    return DevicePages.done(
      "You signed in to \(appName) on your device. You can close this window.", exchange: exchange)
  }

  func declineDevice() -> ResponseMessage {
    platform.withState { state in
      guard let key = state.devices.first(where: { $0.value.userCode == flow.userCode })?.key else { return }
      if state.devices[key]?.outcome == .pending { state.devices[key]?.outcome = .declined }
    }
    return DevicePages.done("You canceled the sign-in. You can close this window.", exchange: exchange)
  }
}

/// The pages of a device sign-in.
enum DevicePages {
  static func enterCode(
    _ exchange: EmulatorRequest, _ platform: Platform, path: String, prefilled: String?,
    problem: ErrorResponse? = nil
  ) -> ResponseMessage {
    let binding = BrowserBinding(exchange, randomness: platform.randomness)
    let field = PageField(
      label: "Code", name: "user_code", autocomplete: "off", value: prefilled ?? "", limit: 20, hasFocus: true,
      isInvalid: problem != nil, isUpperCase: true)
    let frame = PageFrame(
      screen: .deviceCode, title: "Enter code to allow access", code: problem?.label, problem: problem?.message,
      action: exchange.base + path, hidden: [(BrowserBinding.field, binding.token)],
      content: """
        <p>Enter the code shown by your app or device. Don’t enter codes from sources you don’t trust.</p>
        \(field.html)<div class="row"><button class="main" type="submit">Next</button><button type="submit" name="cancel" value="true" formnovalidate>Cancel</button></div>
        """)
    var response = ResponseBuilder.page(frame.text, to: exchange)
    binding.set(on: exchange, in: &response)
    return response
  }

  static func done(_ message: String, exchange: EmulatorRequest) -> ResponseMessage {
    let frame = PageFrame(
      screen: .deviceCode, title: "Device sign-in", content: "<p role=\"status\">\(message)</p>\n", isDone: true)
    return ResponseBuilder.page(frame.text, to: exchange)
  }
}
