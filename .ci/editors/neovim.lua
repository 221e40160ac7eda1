-- Tests `authflow lsp` with Neovim's built-in client and the configuration in Editors/neovim:
-- nvim --headless --clean -S .ci/editors/neovim.lua
-- The environment sets AUTHFLOW, EDITORS (the folder Editors), and PROJECT (a copy of Workflows/).
local project = vim.env.PROJECT
vim.opt.runtimepath:prepend(vim.env.EDITORS .. '/neovim')
vim.opt.swapfile = false
vim.opt.hidden = true
vim.notify = function() end
-- Simulates a user who selects the first choice that contains a string.
local wanted = ''
vim.ui.select = function(items, options, on_choice)
  for index, item in ipairs(items) do
    if (options.format_item or tostring)(item):find(wanted) then return on_choice(item, index) end
  end
  on_choice(nil)
end

local authflow = require('authflow')
authflow.setup({ cmd = vim.env.AUTHFLOW })

local failures = 0

local function check(condition, detail)
  if not condition then error(detail or 'failed', 2) end
  return condition
end

-- Waits until a function returns a value other than nil or false.
local function wait(what, accepts)
  local value
  if not vim.wait(10000, function()
    value = accepts()
    return value
  end, 10) then
    error('missing: ' .. what, 2)
  end
  return value
end

local function write(name, text)
  local file = check(io.open(project .. '/' .. name, 'w'))
  file:write(text)
  file:close()
end

local function open(name)
  vim.cmd('silent edit! ' .. vim.fn.fnameescape(project .. '/' .. name))
  local buffer = vim.api.nvim_get_current_buf()
  wait('a client for ' .. name, function() return next(vim.lsp.buf_get_clients(buffer)) end)
  return buffer
end

local function text(buffer) return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') .. '\n' end

-- Moves the cursor to the first occurrence of a string.
local function move(buffer, needle)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = line:find(needle, 1, true)
    if column then
      vim.api.nvim_win_set_cursor(0, { number, column - 1 })
      return number - 1, column - 1
    end
  end
  error('not in the text: ' .. needle, 2)
end

local function replace(buffer, old, new)
  local line, column = move(buffer, old)
  vim.api.nvim_buf_set_text(buffer, line, column, line, column + #old, { new })
end

local function errors(buffer) return vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR }) end

local function ask(buffer, method, params)
  local results = check(vim.lsp.buf_request_sync(buffer, method, params, 10000), 'no response to ' .. method)
  for _, response in pairs(results) do
    check(not response.err, response.err and response.err.message)
    return response.result
  end
end

local function here() return vim.lsp.util.make_position_params(0, 'utf-16') end

local function feature(name, test)
  local passed, message = pcall(test)
  if passed then
    io.stdout:write('ok neovim ' .. name .. '\n')
  else
    failures = failures + 1
    io.stdout:write('not ok neovim ' .. name .. ': ' .. tostring(message):gsub('\n', ' '):sub(1, 500) .. '\n')
  end
  io.stdout:flush()
  vim.cmd('silent! %bwipeout!')
end

local WORKFLOW = [[
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
]]
local SCENARIOS = [[
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
]]
write('small.yaml', WORKFLOW)
write('small.scenarios.yaml', SCENARIOS)

feature('published diagnostics', function()
  local buffer = open('me.yaml')
  replace(buffer, '- silent', '- silnt')
  local found = wait('an error', function()
    for _, item in ipairs(errors(buffer)) do
      if item.message:find('silnt') then return item end
    end
  end)
  check(found.source == 'authflow' and found.code, vim.inspect(found))
  local line = move(buffer, 'silnt')
  check(found.lnum == line, 'line ' .. found.lnum)
  replace(buffer, 'silnt', 'silent')
  wait('no errors', function() return #errors(buffer) == 0 end)
end)

feature('diagnostics across files', function()
  local scenarios = open('small.scenarios.yaml')
  local workflow = open('small.yaml')
  replace(workflow, 'id: quiet', 'id: hushed')
  wait('an error in the scenarios', function() return #errors(scenarios) > 0 end)
  replace(workflow, 'id: hushed', 'id: quiet')
  wait('no errors in the scenarios', function() return #errors(scenarios) == 0 end)
end)

feature('diagnostics after quick typing', function()
  local buffer = open('me.yaml')
  for _ = 1, 20 do
    replace(buffer, '- silent', '- silnt')
    vim.wait(5)
    replace(buffer, '- silnt', '- silent')
    vim.wait(5)
  end
  replace(buffer, '- silent', '- silnt')
  wait('an error', function() return #errors(buffer) > 0 end)
  replace(buffer, '- silnt', '- silent')
  wait('no errors', function() return #errors(buffer) == 0 end)
end)

local function actions(buffer, item, only)
  return ask(buffer, 'textDocument/codeAction', {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    range = item.user_data.lsp.range or {
      start = { line = item.lnum, character = item.col }, ['end'] = { line = item.end_lnum, character = item.end_col },
    },
    context = { diagnostics = { { range = { start = { line = item.lnum, character = item.col },
      ['end'] = { line = item.end_lnum, character = item.end_col } }, message = item.message, code = item.code,
      source = item.source, severity = 1 } }, only = only },
  }) or {}
end

feature('quick fixes', function()
  local buffer = open('me.yaml')
  local before = text(buffer)
  replace(buffer, '- callGraph', '- callGraf')
  local item = wait('an error', function() return errors(buffer)[1] end)
  -- The command selects the only quick fix.
  for _, action in ipairs(actions(buffer, item, { 'quickfix' })) do
    if action.isPreferred then
      vim.lsp.util.apply_workspace_edit(check(action.edit), 'utf-16')
      break
    end
  end
  check(text(buffer) == before, text(buffer))
end)

feature('suggested names', function()
  local buffer = open('small.scenarios.yaml')
  local before = text(buffer)
  replace(buffer, 'quiet.success', 'quite.success')
  local item = wait('an error', function() return errors(buffer)[1] end)
  for _, action in ipairs(actions(buffer, item)) do
    if action.title:find('quiet') then
      vim.lsp.util.apply_workspace_edit(check(action.edit), 'utf-16')
      break
    end
  end
  check(text(buffer) == before, text(buffer))
end)

feature('fix all', function()
  local buffer = open('me.yaml')
  local before = text(buffer)
  replace(buffer, 'settings:', 'setings:')
  replace(buffer, 'name:', 'nmae:')
  wait('errors', function() return #errors(buffer) > 0 end)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  local context = { only = { 'source.fixAll' }, diagnostics = {} }
  vim.lsp.buf.code_action(vim.fn.has('nvim-0.8') == 1 and { context = context, apply = true } or context)
  wait('the fixed text', function() return text(buffer) == before end)
end)

feature('diagnostics for unsaved text', function()
  vim.cmd('silent edit ' .. project .. '/unsaved.scenarios.yaml')
  local buffer = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(SCENARIOS:gsub('quiet', 'loud'), '\n'))
  vim.bo[buffer].filetype = 'yaml'
  wait('an error', function()
    for _, item in ipairs(errors(buffer)) do
      if item.message:find('loud') then return true end
    end
  end)
end)

feature('suppression', function()
  local buffer = open('small.yaml')
  replace(buffer, 'name:', 'nmae:')
  local item = wait('an error', function() return errors(buffer)[1] end)
  wanted = 'Ignore'
  vim.api.nvim_win_set_cursor(0, { item.lnum + 1, item.col })
  vim.lsp.buf.code_action()
  wait('a comment', function() return text(buffer):find('authflow:ignore ' .. item.code, 1, true) end)
  wait('no errors', function() return #errors(buffer) == 0 end)
  wanted = ''
end)

feature('missing scenarios', function()
  write('lonely.yaml', (WORKFLOW:gsub('\nscenarios:.*', '')))
  local buffer = open('lonely.yaml')
  wanted = 'scenario'
  vim.lsp.buf.code_action()
  wait('scenarios', function() return text(buffer):find('expect:') end)
  wanted = ''
end)

feature('completion', function()
  local buffer = open('small.yaml')
  local line = move(buffer, '  - id: ask')
  vim.api.nvim_buf_set_lines(buffer, line, line, false, { '  - sil' })
  vim.api.nvim_win_set_cursor(0, { line + 1, 7 })
  check(vim.bo[buffer].omnifunc == 'v:lua.vim.lsp.omnifunc', 'omnifunc ' .. vim.bo[buffer].omnifunc)
  local result = ask(buffer, 'textDocument/completion', here())
  -- In normal mode, the cursor is before the last character. In insert mode, it is after the last character.
  local params = here()
  params.position.character = 7
  result = ask(buffer, 'textDocument/completion', params)
  local labels = vim.tbl_map(function(item) return item.label end, result.items or result)
  check(vim.tbl_contains(labels, 'silent'), vim.inspect(labels):sub(1, 200))
  local items = vim.lsp.util.text_document_completion_list_to_complete_items(result, 'sil')
  check(#items > 0, 'no completion items for sil')
end)

feature('hover', function()
  local buffer = open('me.scenarios.yaml')
  move(buffer, 'AADSTS50173')
  vim.lsp.buf.hover()
  wait('a window', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        local content = text(vim.api.nvim_win_get_buf(window))
        return content:find('AADSTS50173')
      end
    end
  end)
end)

feature('definition', function()
  local buffer = open('small.scenarios.yaml')
  move(buffer, 'quiet.success')
  vim.lsp.buf.definition()
  wait('small.yaml', function()
    return vim.api.nvim_buf_get_name(0):match('small%.yaml$') and vim.api.nvim_win_get_cursor(0)[1] == 6
  end)
end)

feature('references', function()
  local buffer = open('small.yaml')
  move(buffer, 'quiet')
  vim.fn.setqflist({})
  vim.lsp.buf.references()
  wait('3 places', function() return #vim.fn.getqflist() == 3 end)
  vim.cmd('cclose')
end)

feature('rename', function()
  local scenarios = open('small.scenarios.yaml')
  local workflow = open('small.yaml')
  move(workflow, 'quiet')
  vim.lsp.buf.rename('hushed')
  wait('the new name', function() return text(workflow) == WORKFLOW:gsub('quiet', 'hushed') end)
  check(text(scenarios) == SCENARIOS:gsub('quiet', 'hushed'), text(scenarios))
end)

feature('highlights', function()
  local buffer = open('small.scenarios.yaml')
  move(buffer, 'quiet.')
  check(#ask(buffer, 'textDocument/documentHighlight', here()) == 2)
  vim.lsp.buf.document_highlight()
  vim.lsp.buf.clear_references()
end)

feature('document symbols', function()
  local buffer = open('small.yaml')
  vim.fn.setloclist(0, {})
  vim.lsp.buf.document_symbol()
  wait('symbols', function()
    local found = {}
    for _, item in ipairs(vim.list_extend(vim.fn.getloclist(0), vim.fn.getqflist())) do found[#found + 1] = item.text end
    return table.concat(found, ' '):find('quiet')
  end)
end)

feature('workspace symbols', function()
  open('small.yaml')
  vim.fn.setqflist({})
  vim.lsp.buf.workspace_symbol('quiet')
  wait('a symbol', function()
    for _, item in ipairs(vim.fn.getqflist()) do
      if item.text:find('quiet') then return true end
    end
  end)
end)

feature('formatting', function()
  local buffer = open('small.yaml')
  replace(buffer, 'callGraph: /me', 'callGraph:    /me  ')
  if vim.lsp.buf.format then vim.lsp.buf.format({ async = false }) else vim.lsp.buf.formatting_sync({}, 10000) end
  check(text(buffer) == WORKFLOW, text(buffer))
end)

local function lenses(buffer)
  vim.lsp.codelens.refresh()
  return vim.lsp.codelens.get(buffer)
end

local function lens(buffer, title, line)
  return wait(title, function()
    for _, found in ipairs(lenses(buffer)) do
      if found.command and found.command.title:find(title, 1, true) and found.range.start.line == line then return found end
    end
  end)
end

feature('code lenses', function()
  local buffer = open('small.scenarios.yaml')
  for _, title in ipairs({ 'Run', 'Debug', 'Report' }) do lens(buffer, title, 3) end
end)

local function execute(buffer, found)
  return ask(buffer, 'workspace/executeCommand', { command = found.command.command, arguments = found.command.arguments })
end

feature('run a scenario', function()
  local buffer = open('small.scenarios.yaml')
  local result = execute(buffer, lens(buffer, 'Run', 3))
  check(result.status == 'passed', vim.inspect(result):sub(1, 300))
end)

feature('results in the text', function()
  local buffer = open('small.scenarios.yaml')
  execute(buffer, lens(buffer, 'Run', 3))
  lens(buffer, '✓', 3)
  replace(buffer, 'interactions: 1', 'interactions: 7')
  execute(buffer, lens(buffer, 'Run', 3))
  lens(buffer, '✗', 3)
end)

feature('failed expectations', function()
  local buffer = open('small.scenarios.yaml')
  replace(buffer, 'interactions: 1', 'interactions: 7')
  execute(buffer, lens(buffer, 'Run', 3))
  local line = move(buffer, 'interactions: 7')
  wait('an error at the expectation', function()
    for _, item in ipairs(errors(buffer)) do
      if item.lnum == line then return true end
    end
  end)
  replace(buffer, 'interactions: 7', 'interactions: 1')
  execute(buffer, lens(buffer, 'Run', 3))
  wait('no errors', function() return #errors(buffer) == 0 end)
end)

feature('runs after saving', function()
  local workflow = open('small.yaml')
  local scenarios = open('small.scenarios.yaml')
  execute(scenarios, lens(scenarios, 'Run', 3))
  vim.api.nvim_set_current_buf(workflow)
  replace(workflow, 'callGraph: /me', 'callGraph: /me/nothing')
  vim.cmd('silent write')
  wait('errors in the scenarios', function() return #errors(scenarios) > 0 end)
  replace(workflow, 'callGraph: /me/nothing', 'callGraph: /me')
  vim.cmd('silent write')
  wait('no errors in the scenarios', function() return #errors(scenarios) == 0 end)
end)

vim.cmd(failures == 0 and 'qall!' or 'cquit 1')
