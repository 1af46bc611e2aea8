import type { Config } from '../config.ts';
import { secretIn } from '../platform/data-dir.ts';

export const ADMIN_PASSWORD_FILE = 'admin-password';

/**
 * The configured one, or a random one, made on the first start and kept in DATA_DIR: only in an embedded shop with an admin's address.
 * Otherwise there is no admin.
 */
export const adminPassword = async ({
  admin,
  databaseUrl,
  dataDir,
}: Pick<Config, 'admin' | 'databaseUrl' | 'dataDir'>): Promise<string | undefined> => {
  if (!admin || admin.password !== undefined) return admin?.password;
  return databaseUrl === undefined ? secretIn(dataDir, ADMIN_PASSWORD_FILE) : undefined;
};
