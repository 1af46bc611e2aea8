import { userSubject, type SecurityLog } from '../accounts/security-log.ts';
import { getClientAddress, getRequestId, type ShopContext } from '../http/context.ts';
import { getUser } from '../accounts/sessions/session.ts';

export type NotingDeps = { readonly securityLog: SecurityLog };

export const noteDownload = async (ctx: ShopContext, { securityLog }: NotingDeps, file: string): Promise<void> => {
  const { id } = await getUser(ctx);
  securityLog.record({
    kind: 'downloaded',
    subject: userSubject(id),
    address: getClientAddress(ctx),
    requestId: getRequestId(ctx),
    detail: { file },
  });
};
