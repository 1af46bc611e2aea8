import './end-with-npm.js';
import './root.js';
import { build } from './build.js';
import { install } from './install.js';

// `npm start`: whatever is missing or stale is made, then this process becomes the server. It takes what to run as its argument.
const parts = process.argv[2];
await install();
await (parts === 'projections' ? build('server') : build('web', 'server'));
process.setSourceMapsEnabled(true);
await import('../../.build/server/main.js');
