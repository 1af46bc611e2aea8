import path from 'node:path';

import { ADMIN_PASSWORD_FILE, adminPassword } from './admin-password.ts';
import type { Config } from '../config.ts';

const adminLine = async (config: Config): Promise<string> => {
  const { admin, dataDir } = config;
  if (!admin) return 'none: set ADMIN_EMAIL and ADMIN_PASSWORD to have one';
  if (admin.password !== undefined) return `${admin.email}, with ADMIN_PASSWORD`;
  const made = await adminPassword(config);
  if (made === undefined) return 'none: set ADMIN_PASSWORD to have one';
  return `${admin.email}, password ${made} (kept in ${path.join(dataDir, ADMIN_PASSWORD_FILE)})`;
};

type Running = { readonly url: string; readonly publicUrl: string; readonly embedded: readonly string[] };

/** Printed when the shop is open: its address, who may manage it, and where its data lie. */
export const banner = async (config: Config, { url, publicUrl, embedded }: Running): Promise<string> => {
  const lines = [
    ['Shop', publicUrl === url ? url : `${publicUrl}, listening on ${url}`],
    ['API', `${publicUrl}/api`],
    ['Admin', await adminLine(config)],
    ...(config.auditor ? [['Auditor', `${config.auditor.email}, with AUDITOR_PASSWORD`]] : []),
    ['Data', config.databaseUrl === undefined ? config.dataDir : 'in the Postgres of DATABASE_URL'],
    ['Embedded', embedded.length > 0 ? embedded.join(', ') : 'nothing'],
  ];
  return ['', '  RUHANI is open', '', ...lines.map(([name = '', what = '']) => `  ${name.padEnd(10)}${what}`), ''].join('\n');
};
