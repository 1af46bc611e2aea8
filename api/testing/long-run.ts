/** Under `npm run test:long`, where tests take as long as they find faults; otherwise they take samples. */
export const isLongRun = process.env['LONG_RUN'] === 'true';
