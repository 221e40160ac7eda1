;;; authflow.el --- Client for authflow's language server and debug adapter  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools

;;; Commentary:

;; Connects Emacs with `authflow lsp' through Eglot and, if dap-mode is installed, with `authflow dap'.
;;
;;   (require 'authflow)
;;
;; The package opens property lists, and files with the key `authflow' or `directory' in their first lines, in its own modes.
;; Therefore, other language servers for YAML, JSON, and XML do not manage these files.

;;; Code:

(require 'eglot)

(defgroup authflow nil "Sign-in workflows for the Microsoft identity platform." :group 'tools)

(defcustom authflow-program "authflow" "The name or absolute path of the program." :type 'string)

(defcustom authflow-start-server t "Whether opening a file starts the language server." :type 'boolean)

(defun authflow--yaml-parent ()
  "Return the first available mode for YAML."
  (cond ((fboundp 'yaml-mode) 'yaml-mode) ((fboundp 'yaml-ts-mode) 'yaml-ts-mode) (t 'conf-colon-mode)))

(defmacro authflow--define-mode (name parent title &rest body)
  "Define the mode NAME, derived from PARENT, with TITLE in the mode line.
BODY runs when the mode starts."
  `(define-derived-mode ,name ,parent ,title
     ,(format "Mode for %s files." title)
     ,@body
     (when authflow-start-server (eglot-ensure))))

(defun authflow--indent-by-two ()
  "Indent by two spaces.  Eglot passes `tab-width' to the formatter."
  (setq-local tab-width 2 indent-tabs-mode nil))

(eval
 `(authflow--define-mode authflow-yaml-mode ,(authflow--yaml-parent) "authflow YAML" (authflow--indent-by-two)))
(authflow--define-mode authflow-json-mode js-mode "authflow JSON" (authflow--indent-by-two))
(authflow--define-mode authflow-plist-mode nxml-mode "authflow property list")

(defun authflow--file-begins-with (extensions pattern)
  "Return whether the file has one of EXTENSIONS and its first lines match PATTERN."
  (and buffer-file-name
       (member (file-name-extension buffer-file-name) extensions)
       (save-excursion
         (goto-char (point-min))
         (re-search-forward pattern (min (point-max) 8192) t))))

(defun authflow-yaml-p ()
  "Return whether the buffer contains a YAML file of authflow."
  (or (and buffer-file-name (equal (file-name-nondirectory buffer-file-name) ".authflow.yaml"))
      (authflow--file-begins-with '("yaml" "yml") "^\\(authflow\\|directory\\): *1\\b")))

(defun authflow-json-p ()
  "Return whether the buffer contains a JSON file of authflow."
  (authflow--file-begins-with '("json" "jsonc") "\"\\(authflow\\|directory\\)\" *: *1\\b"))

(defun authflow-plist-p ()
  "Return whether the buffer contains a property list."
  (authflow--file-begins-with '("plist" "entitlements") "<plist"))

(dolist (entry '((authflow-yaml-p . authflow-yaml-mode) (authflow-json-p . authflow-json-mode)
                 (authflow-plist-p . authflow-plist-mode)))
  (add-to-list 'magic-mode-alist entry))

(defun authflow--contact (&rest _)
  "Return the command that starts the language server."
  (list authflow-program "lsp"))

(add-to-list 'eglot-server-programs
             '(((authflow-yaml-mode :language-id "yaml") (authflow-json-mode :language-id "json")
                (authflow-plist-mode :language-id "xml"))
               . authflow--contact))

;;; Scenarios

(declare-function jsonrpc-request "jsonrpc")

(defun authflow--lenses ()
  "Return the code lenses of the buffer."
  (append (jsonrpc-request (eglot--current-server-or-lose) :textDocument/codeLens
                           (list :textDocument (eglot--TextDocumentIdentifier)))
          nil))

(defun authflow--lens (title)
  "Return the command of the last code lens TITLE at or before point."
  (let (found)
    (dolist (lens (authflow--lenses) found)
      (let ((command (plist-get lens :command))
            (line (plist-get (plist-get (plist-get lens :range) :start) :line)))
        (when (and command (string-match-p (regexp-quote title) (plist-get command :title))
                   (<= line (1- (line-number-at-pos nil t))))
          (setq found command))))))

(defun authflow--execute (title)
  "Execute the code lens TITLE at or before point and return the result."
  (let ((command (or (authflow--lens title) (user-error "No scenario here"))))
    (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                     (list :command (plist-get command :command) :arguments (or (plist-get command :arguments) [])))))

(defun authflow-run-scenario ()
  "Run the scenario at point and show whether it passes."
  (interactive)
  (let ((result (authflow--execute "Run")))
    (message "authflow: %s" (plist-get result :status))
    result))

;;; Debugging

(declare-function dap-register-debug-provider "dap-mode")
(declare-function dap-register-debug-template "dap-mode")

(defun authflow--debug-configuration (configuration)
  "Add the command and the file of the buffer to the launch CONFIGURATION."
  (unless (plist-get configuration :dap-server-path)
    (setq configuration (plist-put configuration :dap-server-path (list authflow-program "dap"))))
  (unless (plist-get configuration :program) (plist-put configuration :program buffer-file-name))
  configuration)

(with-eval-after-load 'dap-mode
  (dap-register-debug-provider "authflow" #'authflow--debug-configuration)
  (dap-register-debug-template
   "authflow: debug scenario"
   (list :type "authflow" :request "launch" :name "authflow: debug scenario" :program nil :scenario nil :stopOnEntry t)))

(provide 'authflow)
;;; authflow.el ends here
