import Documents
import Effects
import OAuth
import OrderedCollections

// The page on which a user code is typed, and the ends of the sign-in that follows it.

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
    guard isOpen else { return ErrorPage.answer(ErrorResponse(70019), to: exchange) }
    return DevicePages.done(
      "You have signed in to \(appName) on your device. You may now close this window.", exchange: exchange)
  }

  func declineDevice() -> ResponseMessage {
    platform.withState { state in
      guard let key = state.devices.first(where: { $0.value.userCode == flow.userCode })?.key else { return }
      if state.devices[key]?.outcome == .pending { state.devices[key]?.outcome = .declined }
    }
    return DevicePages.done("You have cancelled the sign-in. You may now close this window.", exchange: exchange)
  }
}

enum DevicePages {
  static func enterCode(
    _ exchange: EmulatorRequest, _ platform: Platform, path: String, prefilled: String?,
    complaint: ErrorResponse? = nil
  ) -> ResponseMessage {
    let binding = BrowserBinding(exchange, randomness: platform.randomness)
    let field = PageField(
      label: "Code", name: "user_code", autocomplete: "off", value: prefilled ?? "", limit: 20, isFirst: true,
      isWrong: complaint != nil, isUpperCase: true)
    let frame = PageFrame(
      screen: .deviceCode, title: "Enter code to allow access", code: complaint?.label, complaint: complaint?.message,
      action: exchange.base + path, hidden: [(BrowserBinding.field, binding.token)],
      content: """
        <p>Enter the code that your app or device shows. Do not enter codes from sources you do not trust.</p>
        \(field.html)<div class="row"><button class="main" type="submit">Next</button><button type="submit" name="cancel" value="true" formnovalidate>Cancel</button></div>
        """)
    var response = ResponseBuilder.page(frame.text, to: exchange)
    binding.set(on: exchange, in: &response)
    return response
  }

  static func done(_ words: String, exchange: EmulatorRequest) -> ResponseMessage {
    let frame = PageFrame(
      screen: .deviceCode, title: "Device sign-in", content: "<p role=\"status\">\(words)</p>\n", isDone: true)
    return ResponseBuilder.page(frame.text, to: exchange)
  }
}
