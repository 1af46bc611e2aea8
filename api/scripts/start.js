import './end-with-npm.js';
import './root.js';
import { build } from './build.js';
import { install } from './install.js';

// `npm start`: makes what is missing or stale, then becomes the server. The argument: which parts to run.
const parts = process.argv[2];
await install();
await (parts === 'projections' ? build('server') : build('web', 'server'));
process.setSourceMapsEnabled(true);
await import('../../.build/server/main.js');
