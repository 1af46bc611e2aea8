// npm runs a script in a shell, and a signal to npm reaches only these two. So this process stops in order when its shell is gone.
const LOOKS_EVERY = 100;

const parent = process.ppid;

if (process.env.npm_lifecycle_event && process.platform !== 'win32') {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, LOOKS_EVERY).unref();
}
