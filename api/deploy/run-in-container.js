// The image's entry point. `start`, `start http` and `start projections` run the shop or a part of it. Anything else is a command, such as
// `backup`, with the arguments that `npm run backup -- …` takes.
if (process.argv[2] === 'start') {
  process.argv.splice(2, 1);
  await import('../../.build/server/main.js');
} else await import('../../.build/server/command.js');
