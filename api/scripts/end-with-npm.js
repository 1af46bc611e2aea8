// npm runs a script in a shell, and of the two only npm and the shell hear of a signal that is sent to npm. When the shell is gone
// this process is stopped too, in the same orderly way.
const LOOKS_EVERY = 100;

const parent = process.ppid;

if (process.env.npm_lifecycle_event && process.platform !== 'win32') {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, LOOKS_EVERY).unref();
}
