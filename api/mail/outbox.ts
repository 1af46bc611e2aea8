import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import type { ShopDatabase } from '../shop-tables.ts';
import { bell, type Bell } from './bell.ts';

export type Mail = { readonly to: string; readonly subject: string; readonly text: string; readonly html: string };

export type Outbox = {
  /**
   * Has the mail sent, in the transaction of what caused it: both happen or neither. One cause is one mail, ever: the second time nothing
   * happens. After the commit `wake` has it sent at once instead of within a second.
   */
  put(tx: ShopDatabase, cause: string, mail: Mail): Promise<void>;
  /** The row that `put` writes, for a statement that does more at once. */
  row(cause: string, mail: Mail): OutboxRow;
  wake(): void;
  readonly bell: Bell;
  /** The content of a row. Throws when it was sealed with another key, or changed. */
  open(cause: string, content: Buffer): Mail;
};

export type OutboxRow = { cause: string; content: Buffer; state: 'waiting'; next_attempt_at: Date; created_at: Date };

const NONCE = 12;
const TAG = 16;

/** AES-256-GCM, bound to the cause: until it is sent a mail holds codes, links and addresses, and backups are made meanwhile. */
const seal = (key: Buffer, cause: string, mail: Mail): Buffer => {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(cause));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(mail), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
};

const open = (key: Buffer, cause: string, content: Buffer): Mail => {
  const decipher = createDecipheriv('aes-256-gcm', key, content.subarray(0, NONCE)).setAAD(Buffer.from(cause));
  decipher.setAuthTag(content.subarray(NONCE, NONCE + TAG));
  const text = Buffer.concat([decipher.update(content.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
  // Nobody without the key can have written this, and with the key only `seal` does.
  return JSON.parse(text) as Mail;
};

/** Mail on its way, table `shop.outbox`. `key` seals what waits there. */
export const outbox = ({ key, now }: { readonly key: Buffer; readonly now: () => Date }): Outbox => {
  const rung = bell();
  const row = (cause: string, mail: Mail): OutboxRow => {
    const at = now();
    return { cause, content: seal(key, cause, mail), state: 'waiting', next_attempt_at: at, created_at: at };
  };
  return {
    put: async (tx, cause, mail) => {
      await tx
        .insertInto('outbox')
        .values(row(cause, mail))
        .onConflict((conflict) => conflict.column('cause').doNothing())
        .execute();
    },
    row,
    wake: () => rung.ring(),
    bell: rung,
    open: (cause, content) => open(key, cause, content),
  };
};
