import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A terminal mode in which the program receives each key immediately, without an echo. Ctrl-C still sends a signal.
package enum TerminalKeys {
  /// The terminal settings from before the mode was turned on, or nil if the mode is off.
  private static let saved = Mutex<termios?>(nil)

  /// Turns the mode on.
  /// - Returns: Whether standard input is a terminal and this process is in the terminal's foreground.
  package static func begin() -> Bool {
    saved.withLock { saved in
      if saved != nil { return true }
      var settings = termios()
      // The system would stop a background process that changes the terminal.
      guard tcgetattr(STDIN_FILENO, &settings) == 0, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return false }
      saved = settings
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
      return tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
    }
  }

  /// Restores the terminal settings. Has no effect if the mode is off.
  package static func end() {
    saved.withLock { saved in
      guard var settings = saved else { return }
      saved = nil
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
  }
}
