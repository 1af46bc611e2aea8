import type { Config } from '../config.ts';
import { secretIn } from '../platform/data-dir.ts';

/** Its name in DATA_DIR. */
export const ADMIN_PASSWORD_FILE = 'admin-password';

/**
 * The admin's password: the configured one, or a random one made on the first start and kept in DATA_DIR. Only an embedded shop makes one
 * up; elsewhere, and without an admin's address, there is none, and no admin.
 */
export const adminPassword = async ({
  admin,
  databaseUrl,
  dataDir,
}: Pick<Config, 'admin' | 'databaseUrl' | 'dataDir'>): Promise<string | undefined> => {
  if (!admin || admin.password !== undefined) return admin?.password;
  return databaseUrl === undefined ? secretIn(dataDir, ADMIN_PASSWORD_FILE) : undefined;
};
