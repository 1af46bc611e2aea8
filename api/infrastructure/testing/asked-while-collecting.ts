import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { collectNow } from '../collecting.ts';
import { openWebServer } from '../web-server.ts';

// A new process that is asked now and then while its memory is collected. Tells its parent whether its last answer was a fast object.
setFlagsFromString('--allow-natives-syntax');
const isFast: (answer: ServerResponse) => boolean = runInNewContext('(answer) => %HasFastProperties(answer)');

let wasFast = false;
subscribe('http.server.request.start', (message) => {
  wasFast = isFast((message as { response: ServerResponse }).response); // as Node documents it
});

const ASKED = 12;
/** What is not used lives through a few collections. */
const COLLECTIONS = 4;

const server = await openWebServer({ host: '127.0.0.1', port: 0 });
for (let time = 0; time < ASKED; time++) {
  await (await fetch(server.url)).text();
  for (let count = 0; count < COLLECTIONS; count++) collectNow();
}
await server.close();
process.send?.(wasFast);
process.disconnect();
