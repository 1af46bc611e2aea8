import { randomBytes, randomUUID } from 'node:crypto';
import { access, constants, link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { CannotStart, getErrorCode } from './cannot-start.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'it is a file',
  ENOSPC: 'the disk is full',
};

/** Throws `CannotStart` unless the directory is readable and writable. */
export const prepareDataDir = async (dataDir: string): Promise<void> => {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = REASONS[getErrorCode(error) ?? ''] ?? String(error);
    throw new CannotStart(`DATA_DIR ${dataDir} cannot be used: ${reason}. Set DATA_DIR to a directory that can be written.`);
  }
};

/** Returns undefined when there is no such secret. Throws `CannotStart` when it cannot be read. */
export const readSecret = async (dataDir: string, name: string): Promise<string | undefined> => {
  const file = path.join(dataDir, name);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const code = getErrorCode(error);
    if (code === 'ENOENT') return undefined;
    throw new CannotStart(`${file} cannot be read: ${code ?? String(error)}`);
  }
};

/** Makes changes of the directory survive a power cut. */
export const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
};

/** Replaces a file that only its owner can read, at once or not at all. The new one survives a power cut once this returns. */
export const replaceFile = async (directory: string, name: string, content: string): Promise<void> => {
  const file = path.join(directory, name);
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flush: true });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(directory);
};

/**
 * Returns the secret in `DATA_DIR/<name>`, which is made on first use: 256 random bits in a file that only its owner can read. Concurrent
 * processes get the same secret, even if one of them is killed.
 */
export const readOrCreateSecret = async (
  dataDir: string,
  name: string,
  encoding: 'base64' | 'base64url' = 'base64url',
): Promise<string> => {
  const known = await readSecret(dataDir, name);
  if (known !== undefined) return known;
  const file = path.join(dataDir, name);
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${randomBytes(32).toString(encoding)}\n`, { mode: 0o600, flush: true });
    // A hard link appears completely or not at all, and never replaces another process's file.
    await link(draft, file);
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dataDir);
  return (await readFile(file, 'utf8')).trim();
};
