import { randomUUID } from 'node:crypto';

import { instant, type Instant } from '#domain/shared/time.ts';
import type { InvitationId } from '#domain/staff/events.ts';
import { pages } from '#domain/site/pages.ts';
import { roleTitles, type StaffRole } from '#domain/staff/duties.ts';

import type { SealedRows } from '../../event-store/encryption/sealed-rows.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { invitationMail } from '../../mail/templates/account-mails.ts';
import type { EmailAddress } from '../../platform/email-address.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import { badInvitation } from '../account-errors.ts';
import type { PasswordHashing } from '../passwords/password-hashing.ts';
import { newToken, tokenHash } from '../sessions/tokens.ts';
import { openUser, sealAccount, USER_COLUMNS, type User } from '../user.ts';

const GOOD_FOR_MS = 72 * 3_600_000;

export type InvitationParts = {
  readonly db: ShopDatabase;
  readonly sealed: SealedRows;
  readonly outbox: Outbox;
  readonly passwords: PasswordHashing;
  readonly publicUrl: string;
  readonly now: () => Date;
};

export type Invitation = { readonly id: InvitationId; readonly email: EmailAddress; readonly expiresAt: Instant };

type Applicant = { readonly name: string; readonly phone: string; readonly password: string };

const COLUMNS = ['id', 'subject', 'personal', 'expires_at'] as const;

/** The rows of open invitations: the address, sealed, and the hash of the mailed link's token. */
export const createInvitations = ({ db, sealed, outbox, passwords, publicUrl, now }: InvitationParts) => {
  const openRow = async (row: { id: string; subject: string; personal: Buffer; expires_at: Date }): Promise<Invitation> => {
    const { email } = await sealed.open('staff_invitations', row);
    return { id: row.id as InvitationId, email, expiresAt: instant(row.expires_at.toISOString()) };
  };

  return {
    expiry: (): Instant => instant(new Date(now().getTime() + GOOD_FOR_MS).toISOString()),
    /** Returns the invitation to an address, open or over. */
    idOf: async (addressHash: Buffer): Promise<InvitationId | undefined> => {
      const row = await db.selectFrom('staff_invitations').select('id').where('address_hash', '=', addressHash).executeTakeFirst();
      return row?.id as InvitationId | undefined;
    },
    list: async (): Promise<readonly Invitation[]> =>
      Promise.all(
        (await db.selectFrom('staff_invitations').select(COLUMNS).where('expires_at', '>', now()).orderBy('expires_at').execute()).map(
          openRow,
        ),
      ),
    /** Throws a 400 unless this is the token of an open invitation. */
    find: async (token: string): Promise<Invitation> => {
      const row = await db
        .selectFrom('staff_invitations')
        .select(COLUMNS)
        .where('token_hash', '=', tokenHash(token))
        .where('expires_at', '>', now())
        .executeTakeFirst();
      if (!row) throw badInvitation();
      return openRow(row);
    },
    /** Mails a new link, which kills an earlier one to the address. The same invitation again changes nothing: its link is on its way. */
    send: async ({ id, email, expiresAt }: Invitation, roles: readonly StaffRole[]): Promise<void> => {
      const token = newToken();
      const row = {
        ...(await sealed.sealByAddress('staff_invitations', { email })),
        id,
        token_hash: tokenHash(token),
        expires_at: new Date(expiresAt),
      };
      const link = new URL(`${pages.invitation}?token=${token}`, publicUrl).href;
      const mail = invitationMail(
        email,
        roles.map((role) => roleTitles[role]),
        link,
      );
      await db.transaction().execute(async (tx) => {
        const written = await tx
          .insertInto('staff_invitations')
          .values(row)
          .onConflict((conflict) => conflict.column('address_hash').doUpdateSet(row).where('staff_invitations.id', '!=', id))
          .executeTakeFirst();
        if (written.numInsertedOrUpdatedRows === 1n) await outbox.put(tx, `staff-invited:${id}`, mail);
      });
      outbox.wake();
    },
    end: async (ids: readonly InvitationId[]): Promise<void> => {
      if (ids.length > 0) await db.deleteFrom('staff_invitations').where('id', 'in', ids).execute();
    },
    /**
     * Creates the account of an invited address. The link has proven the address. If an unverified account has it, its password and codes are
     * replaced. Throws a 400 if another request has used the link before.
     */
    makeAccount: async ({ email }: Invitation, { name, phone, password }: Applicant): Promise<User> => {
      const password_hash = await passwords.hash(password);
      const account = await sealAccount({ db, sealed }, { name, email, phone });
      if (!account) throw badInvitation();
      const at = now();
      const made = await db.transaction().execute(async (tx) => {
        const row = { personal: account.personal, password_hash, registration: randomUUID(), verified_at: at };
        const user = await tx
          .insertInto('users')
          .values({ ...account, ...row, created_at: at })
          // In one statement, the index decides between concurrent requests with the link.
          .onConflict((conflict) =>
            conflict
              .column('address_hash')
              .doUpdateSet(row)
              .where('users.id', '=', account.id)
              .where('users.verified_at', 'is', null)
              .where('users.disabled', '=', false),
          )
          .returning(USER_COLUMNS)
          .executeTakeFirst();
        if (user) await tx.deleteFrom('codes').where('user_id', '=', user.id).execute();
        return user;
      });
      if (!made) throw badInvitation();
      return openUser(sealed, made);
    },
  };
};

export type Invitations = ReturnType<typeof createInvitations>;
