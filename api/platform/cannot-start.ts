/** A reason that the operator can remove. The message is one line, shown as it is. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

/** The error code of the operating system or of Postgres (`EACCES`, `57P03`). */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
