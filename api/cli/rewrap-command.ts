import type { KeyConfig } from '../event-store/encryption/keyring.ts';
import { rotateKeys } from '../migrations/rewrap-keys.ts';
import { whole } from './progress-lines.ts';

export type KeysDeps = {
  readonly postgres: () => Promise<string>;
  readonly config: KeyConfig;
  readonly out: (line: string) => void;
};

/** `npm run keys -- rotate`. Returns the exit code. */
export const keysCommand = async (args: readonly string[], { postgres, config, out }: KeysDeps): Promise<number> => {
  if (args.length !== 1 || args[0] !== 'rotate') {
    out('Usage: npm run keys -- rotate     replaces the key-encryption key by a new one, while the shop is running');
    return 1;
  }
  const { id, keys } = await rotateKeys(await postgres(), config, (count) => out(`${whole(count)} keys rewrapped`));
  out(
    `All keys are wrapped by the key-encryption key ${id}; ${whole(keys)} were rewrapped. The previous one is only needed for older backups of keys.`,
  );
  if (config.keyEncryptionKey) out('KEY_ENCRYPTION_KEY_PREVIOUS can be left out from now on.');
  return 0;
};
