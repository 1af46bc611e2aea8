import { userSubject, type SecurityLog } from '../accounts/security-log.ts';
import { requestIdOf, type ShopContext } from '../http/context.ts';
import { addressOf } from '../accounts/limits/limits.ts';
import { userOf } from '../accounts/sessions/session.ts';

export type NotingDeps = { readonly securityLog: SecurityLog };

/** In the security log. */
export const noteDownload = async (ctx: ShopContext, { securityLog }: NotingDeps, file: string): Promise<void> => {
  const { id } = await userOf(ctx);
  securityLog.record({
    kind: 'downloaded',
    subject: userSubject(id),
    address: addressOf(ctx),
    requestId: requestIdOf(ctx),
    detail: { file },
  });
};
