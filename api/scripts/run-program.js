import { spawn } from 'node:child_process';

/** Its exit code; 1 when it could not be started or was killed. */
export const runProgram = (program, args, options = {}) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', ...options });
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });

export const runNode = (args, options) => runProgram(process.execPath, args, options);
