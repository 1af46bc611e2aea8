// Runs before anything is installed: only Node itself may be imported in this folder.

const NEEDED = [20, 19];

/** Progress, on stderr: a command's result is on stdout. */
export const say = (message) => process.stderr.write(`${message}\n`);

/** Ends with one line that says what is wrong. */
export const fail = (message) => {
  say(message);
  process.exit(1);
};

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]))
  fail(`The shop needs Node ${NEEDED.join('.')} or later. This is Node ${process.versions.node}.`);
