import './end-with-npm.js';
import './root.js';
import { spawn } from 'node:child_process';
import { install } from './install.js';
import { say } from './say.js';

// `npm run dev`: hot reload for pages, restart for the server.
await install();
const api = `http://127.0.0.1:${process.env.PORT || 3000}`;
say(`The server on ${api} starts again when its source changes; open the address that Vite shows below`);

const children = [
  ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'api/main.ts'],
  ['node_modules/vite/bin/vite.js', '--config', 'web/vite.config.ts', '--clearScreen', 'false'],
].map((args) => spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, API_URL: process.env.API_URL ?? api } }));

// One without the other is of no use.
const end = () => {
  for (const child of children) if (!child.killed) child.kill('SIGTERM');
};
process.on('SIGINT', end);
process.on('SIGTERM', end);
for (const child of children) child.once('exit', end);
