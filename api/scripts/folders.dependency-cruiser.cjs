const { options } = require('../../.dependency-cruiser.cjs');

/** No two folders import each other, by whichever way round. Tests are left out: those of a feature open the whole shop; and `api/shop.ts`, a type. */
module.exports = {
  forbidden: [{ name: 'no-folder-cycles', scope: 'folder', severity: 'error', from: {}, to: { circular: true } }],
  options: { ...options, exclude: { path: '(^|/)\\.build/|\\.test\\.tsx?$|/(testing|browser-tests)/|^api/shop\\.ts$' } },
};
