/** The operator can remove the reason. The message is one line, which is shown unchanged. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

/** Returns the error code of the operating system or of Postgres (`EACCES`, `57P03`). */
export const getErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
