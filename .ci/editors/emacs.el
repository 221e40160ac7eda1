;;; emacs.el --- Tests authflow with Eglot and dap-mode  -*- lexical-binding: t; -*-

;; emacs -q --batch --eval '(package-activate-all)' -l .ci/editors/emacs.el
;; The environment sets AUTHFLOW, EDITORS (the folder Editors), and PROJECT (a copy of Workflows/).

(require 'cl-lib)
(require 'seq)
(setq user-emacs-directory (file-name-as-directory (make-temp-file "authflow-emacs" t))
      make-backup-files nil auto-save-default nil create-lockfiles nil
      eglot-events-buffer-size 0 eglot-sync-connect 10 eglot-confirm-server-initiated-edits nil
      completion-category-overrides '((eglot (styles basic))) flymake-no-changes-timeout nil xref-prompt-for-identifier nil enable-local-variables nil)
(add-to-list 'load-path (expand-file-name "emacs" (getenv "EDITORS")))
(require 'authflow)
(setq authflow-program (getenv "AUTHFLOW"))

(defvar project-folder (file-name-as-directory (getenv "PROJECT")))
(defvar failures 0)
;; The root of the project.
(setq project-find-functions (list (lambda (_) (cons 'transient project-folder))))

(defconst workflow-text "\
authflow: 1
name: Small
settings: AuthSettings.plist
steps:
  - loadAccount
  - id: quiet
    silent:
  - id: ask
    interactive-fallback:
  - id: profile
    callGraph: /me

scenarios: small.scenarios.yaml
")
(defconst scenarios-text "\
authflow: 1
workflow: small.yaml
scenarios:
  first run:
    expect:
      path: [loadAccount.notFound, ask.success, profile.success]
      interactions: 1
  returning user:
    given: [signedIn: megan@contoso.com]
    expect:
      path: [loadAccount.found, quiet.success, ask.skipped, profile.success]
      quiet.tokenSource: cache
")

(defun print-line (format &rest arguments)
  (princ (concat (replace-regexp-in-string "\n" " " (apply #'format format arguments)) "\n")))

(defun write-project-file (name text)
  (with-temp-file (expand-file-name name project-folder) (insert text)))

(defmacro feature (name &rest body)
  (declare (indent 1))
  `(condition-case problem
       (progn (with-timeout (100 (error "timeout")) ,@body) (print-line "ok emacs %s" ,name) (close-buffers))
     (error (cl-incf failures) (print-line "not ok emacs %s: %S" ,name problem) (close-buffers))))

(defun close-buffers ()
  (dolist (buffer (buffer-list))
    (when (buffer-file-name buffer)
      (with-current-buffer buffer (set-buffer-modified-p nil))
      (kill-buffer buffer))))

(defmacro wait-for (what &rest body)
  "Evaluate BODY until it returns a value, and return the value."
  (declare (indent 1))
  `(let ((end (+ (float-time) 30)) value)
     (while (not (setq value (progn ,@body)))
       (when (> (float-time) end) (error "missing: %s; diagnostics: %S" ,what (error-texts)))
       (accept-process-output nil 0.02))
     value))

(defun check (condition &optional detail)
  (or condition (error "%s" (or detail "failed"))))

(defun open (name)
  (let ((buffer (find-file-noselect (expand-file-name name project-folder))))
    (switch-to-buffer buffer)
    ;; `eglot-ensure' connects after the command, and a batch run has no commands.
    (run-hooks 'post-command-hook)
    (wait-for "the server" (eglot-managed-p))
    buffer))

(defun go (text)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun change (old new)
  (go old)
  (replace-match new t t)
  (eglot--signal-textDocument/didChange))

(defun errors ()
  (flymake-start)
  (seq-filter (lambda (item) (eq (flymake-diagnostic-type item) 'eglot-error)) (flymake-diagnostics)))

(defun error-texts () (mapcar #'flymake-diagnostic-text (errors)))

(defun buffer-text () (buffer-substring-no-properties (point-min) (point-max)))

(write-project-file "small.yaml" workflow-text)
(write-project-file "small.scenarios.yaml" scenarios-text)

(feature "published diagnostics"
  (open "me.yaml")
  (change "- silent" "- silnt")
  (let ((found (wait-for "an error"
                 (seq-find (lambda (item) (string-match-p "silnt" (flymake-diagnostic-text item))) (errors)))))
    (check (equal (buffer-substring-no-properties (flymake-diagnostic-beg found) (flymake-diagnostic-end found)) "silnt")))
  (change "- silnt" "- silent")
  (wait-for "no errors" (null (errors))))

(feature "diagnostics across files"
  (let ((scenarios (open "small.scenarios.yaml")))
    (open "small.yaml")
    (change "id: quiet" "id: hushed")
    (wait-for "an error in the scenarios" (with-current-buffer scenarios (errors)))
    (change "id: hushed" "id: quiet")
    (wait-for "no errors in the scenarios" (with-current-buffer scenarios (null (errors))))))

(feature "diagnostics after quick typing"
  (open "me.yaml")
  (dotimes (_ 20)
    (change "- silent" "- silnt")
    (accept-process-output nil 0.005)
    (change "- silnt" "- silent"))
  (change "- silent" "- silnt")
  (wait-for "an error" (errors))
  (change "- silnt" "- silent")
  (wait-for "no errors" (null (errors))))

(defun apply-action (beginning end kind title)
  "Apply the first code action between BEGINNING and END of KIND whose title matches TITLE."
  (let* ((actions (eglot-code-actions beginning end kind))
         (action (seq-find (lambda (action) (string-match-p title (plist-get action :title))) actions)))
    (check action (format "no action: %S" (mapcar (lambda (action) (plist-get action :title)) actions)))
    (when (plist-get action :edit) (eglot--apply-workspace-edit (plist-get action :edit)))
    (when-let ((command (plist-get action :command)))
      (eglot-execute-command (eglot--current-server-or-lose) (intern (plist-get command :command)) (plist-get command :arguments)))
    (eglot--signal-textDocument/didChange)))

(feature "quick fixes"
  (open "me.yaml")
  (let ((before (buffer-text)))
    (change "- callGraph" "- callGraf")
    (let ((found (car (wait-for "an error" (errors)))))
      (apply-action (flymake-diagnostic-beg found) (flymake-diagnostic-end found) "quickfix" "callGraph"))
    (check (equal (buffer-text) before))))

(feature "suggested names"
  (open "small.scenarios.yaml")
  (change "quiet.success" "quite.success")
  (let ((found (car (wait-for "an error" (errors)))))
    (apply-action (flymake-diagnostic-beg found) (flymake-diagnostic-end found) nil "quiet"))
  (check (equal (buffer-text) scenarios-text)))

(feature "fix all"
  (open "me.yaml")
  (let ((before (buffer-text)))
    (change "settings:" "setings:")
    (change "name:" "nmae:")
    (wait-for "errors" (errors))
    (apply-action (point-min) (point-max) "source.fixAll.authflow" "")
    (check (equal (buffer-text) before))))

(feature "diagnostics for unsaved text"
  (let ((buffer (find-file-noselect (expand-file-name "unsaved.scenarios.yaml" project-folder))))
    (switch-to-buffer buffer)
    (insert (replace-regexp-in-string "quiet" "loud" scenarios-text))
    (authflow-yaml-mode)
    (run-hooks 'post-command-hook)
    (wait-for "an error" (seq-find (lambda (text) (string-match-p "loud" text)) (error-texts)))))

(feature "suppression"
  (open "small.yaml")
  (change "name:" "nmae:")
  (let ((found (car (wait-for "an error" (errors)))))
    (apply-action (flymake-diagnostic-beg found) (flymake-diagnostic-end found) "quickfix" "\\`Ignore"))
  (check (string-match-p "authflow:ignore" (buffer-text)))
  (wait-for "no errors" (null (errors))))

(feature "missing scenarios"
  (write-project-file "lonely.yaml" (replace-regexp-in-string "\nscenarios:.*" "" workflow-text))
  (open "lonely.yaml")
  (apply-action (point-min) (point-max) nil "missing scenarios")
  (wait-for "scenarios" (string-match-p "expect:" (buffer-text))))

(feature "completion"
  (open "small.yaml")
  (go "  - id: ask")
  (insert "  - sil\n")
  (backward-char)
  (eglot--signal-textDocument/didChange)
  (completion-at-point)
  (check (progn (goto-char (point-min)) (search-forward "  - silent" nil t)) (buffer-text)))

(feature "hover"
  (open "me.scenarios.yaml")
  (go "AADSTS50173")
  (let (shown)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
    (check (string-match-p "AADSTS50173" (wait-for "text" shown)))))

(feature "definition"
  (open "small.scenarios.yaml")
  (go "quiet.success")
  (let* ((found (check (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)) "no definition"))
         (place (xref-item-location (car found))))
    (check (string-suffix-p "small.yaml" (xref-location-group place)) (xref-location-group place))
    (check (equal (xref-location-line place) 6))))

(feature "references"
  (open "small.yaml")
  (go "quiet")
  (check (equal (length (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot))) 3)))

(feature "rename"
  (let ((scenarios (open "small.scenarios.yaml")))
    (open "small.yaml")
    (go "quiet")
    (eglot-rename "hushed")
    (check (equal (buffer-text) (replace-regexp-in-string "quiet" "hushed" workflow-text)) (buffer-text))
    (with-current-buffer scenarios
      (check (equal (buffer-text) (replace-regexp-in-string "quiet" "hushed" scenarios-text)) (buffer-text)))))

(feature "highlights"
  (open "small.scenarios.yaml")
  (go "quiet.")
  (set-window-buffer (selected-window) (current-buffer))
  (eglot--highlight-piggyback nil)
  (wait-for "2 highlights"
    (= 2 (seq-count (lambda (overlay) (eq (overlay-get overlay 'face) 'eglot-highlight-symbol-face))
                    (overlays-in (point-min) (point-max))))))

(feature "document symbols"
  (open "small.yaml")
  (check (string-match-p "quiet" (format "%S" (eglot-imenu)))))

(feature "workspace symbols"
  (open "small.yaml")
  (check (seq-some (lambda (text) (string-match-p "quiet" text)) (eglot--workspace-symbols "quiet"))))

(feature "formatting"
  (open "small.yaml")
  (change "callGraph: /me" "callGraph:    /me  ")
  (eglot-format-buffer)
  (check (equal (buffer-text) workflow-text) (buffer-text)))

(defun run-scenario ()
  (go "first run")
  (plist-get (authflow-run-scenario) :status))

(feature "run a scenario"
  (open "small.scenarios.yaml")
  (check (equal (run-scenario) "passed"))
  (change "interactions: 1" "interactions: 7")
  (check (equal (run-scenario) "failed")))

(feature "failed expectations"
  (open "small.scenarios.yaml")
  (change "interactions: 1" "interactions: 7")
  (run-scenario)
  (go "interactions: 7")
  (let ((line (line-beginning-position)))
    (wait-for "an error at the expectation"
      (seq-find (lambda (item) (<= line (flymake-diagnostic-beg item) (line-end-position))) (errors))))
  (change "interactions: 7" "interactions: 1")
  (run-scenario)
  (wait-for "no errors" (null (errors))))

(feature "runs after saving"
  (let ((workflow (open "small.yaml"))
        (scenarios (open "small.scenarios.yaml")))
    (run-scenario)
    (with-current-buffer workflow
      (change "callGraph: /me" "callGraph: /me/nothing")
      (let ((inhibit-message t)) (save-buffer)))
    (wait-for "errors in the scenarios" (with-current-buffer scenarios (errors)))
    (with-current-buffer workflow
      (change "callGraph: /me/nothing" "callGraph: /me")
      (let ((inhibit-message t)) (save-buffer)))
    (wait-for "no errors in the scenarios" (with-current-buffer scenarios (null (errors))))))

(eglot-shutdown-all)

;;; dap-mode

(require 'dap-mode)
(setq dap-auto-configure-features nil dap-auto-show-output nil)
(defvar stopped nil "The session that stopped.")
(defvar terminated nil "The session that ended.")
(remove-hook 'dap-stopped-hook #'dap--go-to-stack-frame)
(add-hook 'dap-stopped-hook (lambda (session) (setq stopped session)))
(add-hook 'dap-terminated-hook (lambda (session) (setq terminated session)))

(defun stop ()
  "Wait for a stop and return the session."
  (let ((session (wait-for "a stop" stopped)))
    (wait-for "a stack frame" (dap--debug-session-active-frame session))
    (setq stopped nil)
    session))

(defun frame-name (session) (gethash "name" (dap--debug-session-active-frame session)))

(defun debug-scenario (name)
  (set-buffer (find-file-noselect (expand-file-name "me.yaml" project-folder)))
  (setq stopped nil terminated nil)
  (dap-debug (list :type "authflow" :request "launch" :name name :scenario name :stopOnEntry t)))

(feature "launch"
  (debug-scenario "first run")
  (let ((session (stop)))
    (check (string-match-p "loadAccount" (frame-name session)) (frame-name session))
    (dap-continue session (dap--debug-session-thread-id session))
    (wait-for "the end" terminated)))

(feature "stepping"
  (debug-scenario "returning user")
  (let ((session (stop)))
    (setf (dap--debug-session-active-frame session) nil)
    (dap-next session)
    (setq session (stop))
    (check (string-match-p "silent" (frame-name session)) (frame-name session))
    (dap-disconnect session)))

(kill-emacs (if (= failures 0) 0 1))
