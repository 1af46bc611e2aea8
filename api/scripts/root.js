import path from 'node:path';

// Every script works in the project's root.
process.chdir(path.resolve(import.meta.dirname, '../..'));
