-- Connects Neovim (0.7 or later) with the language server and the debug adapter of authflow.
-- require('authflow').setup({ cmd = 'authflow' })
local M = {}

local defaults = {
  -- The program, or a list with the program and the arguments that precede `lsp` and `dap`.
  cmd = 'authflow',
  filetypes = { 'yaml', 'json', 'jsonc', 'xml' },
  -- A folder with one of these files is a project's root. If there is no such folder, the root is the file's own folder.
  root_files = { '.authflow.yaml', '.git' },
  -- Called with the client and the buffer, for example to define key mappings.
  on_attach = nil,
  capabilities = nil,
}

local options = defaults
local clients = {}

local function command(argument)
  local cmd = vim.deepcopy(type(options.cmd) == 'table' and options.cmd or { options.cmd })
  table.insert(cmd, argument)
  return cmd
end

local function exists(path) return (vim.uv or vim.loop).fs_stat(path) ~= nil end

-- Returns the root folder of a file's project.
function M.root(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local parent = folder
  while true do
    for _, name in ipairs(options.root_files) do
      if exists(parent .. '/' .. name) then return parent end
    end
    local next_parent = vim.fn.fnamemodify(parent, ':h')
    if next_parent == parent then return folder end
    parent = next_parent
  end
end

local function configuration(root)
  return {
    name = 'authflow',
    cmd = command('lsp'),
    cmd_cwd = root,
    root_dir = root,
    capabilities = options.capabilities or vim.lsp.protocol.make_client_capabilities(),
    workspace_folders = { { uri = vim.uri_from_fname(root), name = vim.fn.fnamemodify(root, ':t') } },
    on_attach = M.on_attach,
    on_exit = function() clients[root] = nil end,
    flags = { debounce_text_changes = 50 },
  }
end

function M.on_attach(client, buffer)
  vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc'
  if vim.lsp.codelens then
    vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'BufWritePost' }, {
      buffer = buffer,
      callback = function() vim.lsp.codelens.refresh({ bufnr = buffer }) end,
    })
    vim.lsp.codelens.refresh({ bufnr = buffer })
  end
  if options.on_attach then options.on_attach(client, buffer) end
end

-- Attaches the language server to a buffer with a file.
function M.attach(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  if vim.bo[buffer].buftype ~= '' or file == '' then return end
  local root = M.root(file)
  if vim.lsp.start then
    vim.lsp.start(configuration(root), { bufnr = buffer })
    return
  end
  -- Neovim 0.7 does not reuse clients.
  if not (clients[root] and vim.lsp.get_client_by_id(clients[root])) then
    clients[root] = vim.lsp.start_client(configuration(root))
  end
  if clients[root] then vim.lsp.buf_attach_client(buffer, clients[root]) end
end

-- The server sends this request after it runs scenarios. Neovim 0.7 does not handle it.
local function refresh_lenses()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    vim.api.nvim_win_call(window, function() vim.lsp.codelens.refresh({ bufnr = 0 }) end)
  end
  return vim.NIL
end

-- Asks which scenario to debug. If the user enters nothing, debugs the workflow itself.
local function ask_scenario()
  local name = vim.fn.input('Scenario: ')
  return name ~= '' and name or nil
end

-- Adds the debug adapter to nvim-dap.
function M.setup_dap(dap)
  local cmd = command('dap')
  dap.adapters.authflow = { type = 'executable', command = table.remove(cmd, 1), args = cmd }
  for _, filetype in ipairs(options.filetypes) do
    dap.configurations[filetype] = dap.configurations[filetype] or {}
    table.insert(dap.configurations[filetype], {
      type = 'authflow', request = 'launch', name = 'Debug scenario', program = '${file}', scenario = ask_scenario, stopOnEntry = true,
    })
  end
end

function M.setup(user)
  options = vim.tbl_extend('force', defaults, user or {})
  vim.filetype.add({ extension = { plist = 'xml', entitlements = 'xml' } })
  vim.lsp.handlers['workspace/codeLens/refresh'] = vim.lsp.handlers['workspace/codeLens/refresh'] or refresh_lenses
  local group = vim.api.nvim_create_augroup('authflow', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group, pattern = options.filetypes, callback = function(event) M.attach(event.buf) end,
  })
  local has_dap, dap = pcall(require, 'dap')
  if has_dap then M.setup_dap(dap) end
end

return M
