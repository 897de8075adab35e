/* 2>nul & @echo off
rem Installs the agent for Windows of fleet-host on this computer, updates it, or removes it. As an administrator:
rem
rem   install.cmd [--server ADDRESS] [--port PORT]
rem   install.cmd --uninstall
rem
rem It writes the folder fleet-agent in Program Files and the scheduled task fleet-agent, and nothing else. This file is a
rem script for cmd.exe up to the end of this comment, and a program for Node from there.
setlocal EnableExtensions DisableDelayedExpansion
set "self=%~f0"
set "here=%~dp0"
rem What is started without a path is not looked for in the folder of whoever has called this.
cd /d "%SystemRoot%\System32"
rem For a 32-bit program that has started this, ProgramFiles is another folder.
set "programs=%ProgramFiles%"
if defined ProgramW6432 set "programs=%ProgramW6432%"
set "folder=%programs%\fleet-agent"

if /i "%~1"=="--uninstall" (
  schtasks /end /tn fleet-agent >nul 2>&1
  schtasks /delete /tn fleet-agent /f >nul 2>&1
  rem Its node.exe may still be ending.
  for /l %%i in (1,1,5) do if exist "%folder%" (
    rd /s /q "%folder%" 2>nul
    if exist "%folder%" ping -n 2 127.0.0.1 >nul
  )
  if exist "%folder%" (
    echo fleet-agent: expected to remove %folder%: is this an administrator? 1>&2
    exit /b 1
  )
  echo fleet-agent: removed
  exit /b 0
)

set "node=%here%node.exe"
if not exist "%node%" set "node=%programs%\nodejs\node.exe"
if not exist "%node%" set "node=%folder%\node.exe"
if not exist "%node%" (
  echo fleet-agent: expected Node 20 or newer, got none. Put the official node.exe beside this file, or install Node. 1>&2
  exit /b 1
)
"%node%" "%self%" install @SHA256@ @SERVER@ @PORT@ "@URL@" %*
exit /b %errorlevel%
*/
