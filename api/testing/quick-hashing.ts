/** Passwords of tests; what one costs in the shop is tested in `accounts/sign-in/sign-in.test.ts`. */
export const QUICK_HASHING = { memoryCost: 256, timeCost: 1, parallelism: 1 } as const;
