import { getOrigin, type ShopContext } from '../../http/context.ts';
import { HttpError, invalid } from '../../http/http-error.ts';
import type { Limits } from '../limits/limits.ts';
import type { PasswordHashing } from '../passwords/password-hashing.ts';
import { userSubject, type SecurityLog } from '../security-log.ts';
import { findSession, getUser } from '../sessions/session.ts';
import { wrongPassword } from '../account-errors.ts';
import type { Account } from './sign-in.ts';

/** Somebody else may use an open browser: only a recent sign-in proves who it is. */
const RECENT_MS = 15 * 60_000;

/** Throws a 403 that asks for a new sign-in. `toDo` ends the sentence, such as `to download your data`. */
export const requireRecentSignIn = async (ctx: ShopContext, now: Date, toDo: string): Promise<void> => {
  const session = await findSession(ctx);
  if (session && now.getTime() - session.begunAt.getTime() <= RECENT_MS) return;
  throw new HttpError({
    status: 403,
    code: 'sign_in_again',
    message: `Please sign in again ${toDo}: your last sign-in is more than 15 minutes ago`,
  });
};

type Parts = {
  readonly accountWithId: (userId: string) => Promise<Account | undefined>;
  readonly passwords: PasswordHashing;
  readonly limits: Limits;
  readonly securityLog: SecurityLog;
  readonly now: () => Date;
};

/** `field` names the password in the errors of a 400. */
export type Proof = { readonly password: string | undefined; readonly toDo: string; readonly field?: string };

export type ProveOwner = (ctx: ShopContext, proof: Proof) => Promise<Account>;

/**
 * Returns the account of this session once its owner has given the password again: 400 without one, 403 `Wrong password`, 429 after ten wrong
 * ones in 15 minutes. A user without a password, who signs in through a third party, must have done so within 15 minutes (403).
 */
export const proveOwnerWith =
  ({ accountWithId, passwords, limits, securityLog, now }: Parts): ProveOwner =>
  async (ctx, { password, toDo, field = 'password' }) => {
    const { id } = await getUser(ctx);
    const account = await accountWithId(id);
    if (!account) throw wrongPassword();
    if (account.passwordHash === null) {
      await requireRecentSignIn(ctx, now(), toDo);
      return account;
    }
    if (password === undefined || password === '') throw invalid('Please correct the marked fields', { [field]: 'Required' });
    await limits.spend('password of a user', id, ctx);
    if (!(await passwords.matches(password, account.passwordHash))) {
      securityLog.record({ kind: 'login_failed', subject: userSubject(id), ...getOrigin(ctx), detail: { how: toDo } });
      throw wrongPassword();
    }
    await limits.giveBack('password of a user', id);
    return account;
  };
