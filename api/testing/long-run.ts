/** Under `npm run test:long` tests run for as long as they find faults; otherwise they take samples. */
export const isLongRun = process.env['LONG_RUN'] === 'true';
