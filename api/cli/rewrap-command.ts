import type { KeyConfig } from '../event-store/encryption/keyring.ts';
import { rotateKeys } from '../event-store/encryption/rewrap-keys.ts';
import { whole } from './progress-lines.ts';

export type KeysDeps = {
  readonly postgres: () => Promise<string>;
  readonly config: KeyConfig;
  readonly out: (line: string) => void;
};

/** `npm run keys -- rotate`. Returns the exit code. */
export const keysCommand = async (args: readonly string[], { postgres, config, out }: KeysDeps): Promise<number> => {
  if (args.length !== 1 || args[0] !== 'rotate') {
    out('Usage: npm run keys -- rotate     puts a new key-encryption key in the place of the old one, beside the running shop');
    return 1;
  }
  const { id, keys } = await rotateKeys(await postgres(), config, (count) => out(`${whole(count)} keys wrapped anew`));
  out(
    `All keys are wrapped by the key-encryption key ${id}; ${whole(keys)} were wrapped anew. The one before is needed for older backups of keys alone.`,
  );
  if (config.keyEncryptionKey) out('KEY_ENCRYPTION_KEY_PREVIOUS can be left out from now on.');
  return 0;
};
