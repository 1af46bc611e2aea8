/** Where workers say what they do: what it is about, then a sentence. A pino logger is one. */
export interface Log {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: object, message: string): void;
}
