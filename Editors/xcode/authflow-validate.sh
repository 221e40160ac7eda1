#!/bin/sh
# A Run Script build phase for Xcode: checks the sign-in files of the project and shows the findings in the editor.
# Xcode shows lines of the form `/absolute/path:line:column: error: message`.
set -u

# Xcode does not use the PATH of your shell.
PATH="$PATH:/opt/homebrew/bin:/usr/local/bin:$HOME/.local/bin"
folder=${AUTHFLOW_FOLDER:-${SRCROOT:?run this script as a build phase of Xcode}}

if ! command -v authflow > /dev/null; then
  echo "warning: authflow is not installed: the sign-in files are not checked"
  exit 0
fi
exec authflow validate "$folder"
