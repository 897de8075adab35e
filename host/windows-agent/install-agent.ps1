# Installs the agent for Windows of fleet-host on this computer, or updates it. In PowerShell of an administrator:
#
#   irm http://SERVER:8888/agent/install.ps1 | iex
#
# It downloads install.cmd to a folder where only administrators write, checks it, and runs it.
& {
  $ErrorActionPreference = 'Stop'
  $ProgressPreference = 'SilentlyContinue'
  # For a 32-bit PowerShell ProgramFiles is another folder.
  $folder = if ($env:ProgramW6432) { $env:ProgramW6432 } else { $env:ProgramFiles }
  $file = Join-Path $folder 'fleet-agent-install.cmd'
  try {
    Invoke-WebRequest -UseBasicParsing -Uri '@INSTALLER@' -OutFile $file
    $sum = (Get-FileHash -Algorithm SHA256 -LiteralPath $file).Hash
    if ($sum -ne '@SHA256@') { throw "install.cmd was changed on its way: expected SHA-256 @SHA256@, got $sum" }
    & $file
    if ($LASTEXITCODE -ne 0) { throw "install.cmd: exit code $LASTEXITCODE" }
  } finally {
    Remove-Item -Force -ErrorAction SilentlyContinue -LiteralPath $file
  }
}
