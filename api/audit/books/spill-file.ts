import { hash, randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PARTITIONS = 64;
/** A chunk has this many characters. */
const CHUNK = 1 << 16;

type Chunk = { readonly start: number; readonly length: number };
type Partition = { readonly chunks: Chunk[]; waiting: string };

/**
 * Keeps lines about streams on disk and reads them by partition: all lines of a stream are in one partition, in order. The file in `TMPDIR`
 * is unlinked already, so that it disappears with the process.
 */
export class SpillFile {
  readonly #file: FileHandle;
  readonly #level: number;
  readonly #partitions = Array.from({ length: PARTITIONS }, (): Partition => ({ chunks: [], waiting: '' }));
  #length = 0;
  #lines = 0;

  private constructor(file: FileHandle, level: number) {
    this.#file = file;
    this.#level = level;
  }

  /** Each level partitions differently. */
  static async open(level: number): Promise<SpillFile> {
    const name = path.join(tmpdir(), `ruhani-books-${randomUUID()}`);
    const file = await open(name, 'wx+', 0o600);
    await unlink(name);
    return new SpillFile(file, level);
  }

  get lines(): number {
    return this.#lines;
  }

  async put(stream: string, line: string): Promise<void> {
    const at = hash('sha256', `${this.#level} ${stream}`).slice(0, 8);
    const partition = this.#partitions[Number.parseInt(at, 16) % PARTITIONS];
    if (!partition) return;
    this.#lines += 1;
    partition.waiting += `${line}\n`;
    if (partition.waiting.length >= CHUNK) await this.#write(partition);
  }

  async #write(partition: Partition): Promise<void> {
    const bytes = Buffer.from(partition.waiting);
    partition.waiting = '';
    await this.#file.appendFile(bytes);
    partition.chunks.push({ start: this.#length, length: bytes.length });
    this.#length += bytes.length;
  }

  /** Yields the partitions that are not empty, as pages of lines. */
  async *partitions(): AsyncGenerator<AsyncGenerator<readonly string[]>> {
    for (const partition of this.#partitions) if (partition.chunks.length > 0 || partition.waiting !== '') yield this.#linesOf(partition);
  }

  async *#linesOf({ chunks, waiting }: Partition): AsyncGenerator<readonly string[]> {
    for (const { start, length } of chunks) {
      const bytes = Buffer.alloc(length);
      for (let read = 0; read < length;) {
        const { bytesRead } = await this.#file.read(bytes, read, length - read, start + read);
        if (bytesRead === 0) throw new Error('The temporary file of the audit ends too early');
        read += bytesRead;
      }
      yield bytes.toString().trimEnd().split('\n');
    }
    if (waiting !== '') yield waiting.trimEnd().split('\n');
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
