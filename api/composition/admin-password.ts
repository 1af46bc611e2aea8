import type { Config } from '../config.ts';
import { readOrCreateSecret } from '../platform/data-dir.ts';

export const ADMIN_PASSWORD_FILE = 'admin-password';

/**
 * Returns the configured password. Without one, an embedded shop with an admin's address makes a random one on the first start and keeps it
 * in DATA_DIR. Otherwise there is no admin.
 */
export const adminPassword = async ({
  admin,
  databaseUrl,
  dataDir,
}: Pick<Config, 'admin' | 'databaseUrl' | 'dataDir'>): Promise<string | undefined> => {
  if (!admin || admin.password !== undefined) return admin?.password;
  return databaseUrl === undefined ? readOrCreateSecret(dataDir, ADMIN_PASSWORD_FILE) : undefined;
};
