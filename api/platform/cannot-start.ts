/** The shop cannot start, for a reason that the operator can put right. The message is one line, shown as it is. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

/** The code of an error of the operating system or of Postgres (`EACCES`, `57P03`), if it has one. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
