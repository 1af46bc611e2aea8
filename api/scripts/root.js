import path from 'node:path';

// Every script works in the root of the project, from wherever it is called.
process.chdir(path.resolve(import.meta.dirname, '../..'));
