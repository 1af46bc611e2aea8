import { Kysely, type ColumnType, type Generated } from 'kysely';
import type pg from 'pg';

import type { Category, StreamName } from '#domain/event-store.ts';
import type { OrderId, ProductId } from '#domain/shared/ids.ts';
import type { StaffRole } from '#domain/staff/duties.ts';
import { createDialect } from '#projections/storage/connections.ts';

type Moment = ColumnType<Date, Date, Date>;

export type UserTable = {
  id: Generated<string>;
  /** The keyed hash of the normalised address, and the encrypted texts: event-store/encryption/sealed-rows.ts. */
  address_hash: Buffer;
  personal: Buffer;
  /** The hash is made with Argon2id; it is null for an account without a password, which is entered through a third party. */
  password_hash: string | null;
  /** The hash belongs to the password from the environment, so that a new password there is noticed. */
  provisioned_hash: string | null;
  /**
   * Changes with every registration, so that a browser can tell whether its own was replaced; and with every end of access, so that a sign-in
   * under way fails (a security stamp).
   */
  registration: Generated<string>;
  verified_at: Moment | null;
  /** What the staff's events have decided; `accounts/staff/rights.ts` writes it. */
  roles: Generated<StaffRole[]>;
  /** The release before reads these two, so an owner and an auditor keep their rights under it. */
  is_admin: Generated<boolean>;
  is_auditor: Generated<boolean>;
  disabled: Generated<boolean>;
  /** The second factor is active since then. */
  totp_since: Moment | null;
  created_at: Moment;
};

type IdentityTable = { issuer: string; subject: string; user_id: string; created_at: Moment };
type CodeTable = { user_id: string; code_hash: Buffer; tries: Generated<number>; sent_at: Moment; expires_at: Moment };
type PasswordResetTable = { token_hash: Buffer; user_id: string; expires_at: Moment };
type SessionTable = {
  token_hash: Buffer;
  visitor_id: string | null;
  user_id: string | null;
  created_at: Moment;
  seen_at: Moment;
  /** Where a user's session was last noted: a text such as `Firefox on Linux`, and the network address. */
  device: string | null;
  address: string | null;
};

type SecondFactorTable = {
  user_id: string;
  personal: Buffer;
  /** The time step (RFC 6238) of the last code that was accepted. */
  last_step: ColumnType<string, never, number>;
};
type RecoveryCodeTable = { user_id: string; code_hash: Buffer };
type LoginTokenTable = { token_hash: Buffer; user_id: string; how: string; tries: Generated<number>; expires_at: Moment };
type EmailChangeTable = {
  user_id: string;
  personal: Buffer;
  code_hash: Buffer;
  tries: Generated<number>;
  sent_at: Moment;
  expires_at: Moment;
};
type FormerEmailTable = { token_hash: Buffer; user_id: string; personal: Buffer; changed_at: Moment };

type StaffInvitationTable = {
  id: string;
  /** An address has one invitation: a newer one replaces the row. */
  address_hash: Buffer;
  subject: string;
  personal: Buffer;
  token_hash: Buffer;
  expires_at: Moment;
};
/** The staff's events up to this revision are in `users` and in the security log. */
type StaffRightsTable = { revision: number };

type SecurityLogTable = {
  id: ColumnType<string, never, never>;
  at: Moment;
  kind: string;
  subject: string | null;
  address: string | null;
  request_id: string | null;
  /** The column is read as an object and written as text. */
  detail: ColumnType<object, string, never>;
};

type OutboxTable = {
  id: Generated<string>;
  cause: string;
  /** The value is encrypted (mail/outbox.ts); null once the mail is sent. */
  content: Buffer | null;
  /** Counts the mails in the order in which they were added. */
  number: ColumnType<string, never, never>;
  /** The recipient is a keyed hash of the address (mail/outbox.ts); it is null once the mail is sent. */
  recipient: Buffer | null;
  state: ColumnType<'waiting' | 'sent' | 'parked', never, 'waiting' | 'sent' | 'parked'>;
  attempts: Generated<number>;
  next_attempt_at: Moment;
  last_error: string | null;
  created_at: Moment;
  sent_at: Moment | null;
};

type CaughtMailTable = {
  id: ColumnType<string, never, never>;
  message_id: string;
  recipient: string;
  sender: string;
  subject: string;
  /** The text is null until the mailbox is opened (mail/caught-mail.ts). */
  text: string | null;
  html: string | null;
  source: string;
  date: Moment;
};

type SnapshotTable = {
  stream: string;
  /** The version is that of `state`. */
  version: number;
  revision: number;
  hash: string;
  state: ColumnType<unknown, string, string>;
};

type KeyTable = { name: string; key: Buffer };
type OrderNumberTable = { number: string };
type SubscriberTable = {
  id: ColumnType<string, never, never>;
  address_hash: Buffer;
  subject: string;
  personal: Buffer;
  is_active: Generated<boolean>;
  created_at: Moment;
  /** The last mail about the subscription was sent at this time. */
  welcomed_at: ColumnType<Date | null, never, Date>;
};

type ContactMessageTable = {
  id: ColumnType<string, never, never>;
  address_hash: Buffer;
  subject: string;
  personal: Buffer;
  created_at: Moment;
};

type RestockNoticeTable = {
  id: ColumnType<string, never, never>;
  product_id: ProductId;
  address_hash: Buffer;
  subject: string;
  personal: Buffer;
  /** The request waits from this revision of the stock on; null if the product has not been sold out since. */
  waiting_since: number | null;
  created_at: Moment;
};

type RestockLevelTable = {
  product_id: ProductId;
  /** A `RestockLevel` (restock-notices/restock-level.ts); null in the transaction that makes it. */
  level: ColumnType<unknown, string | null, string>;
};

type VisitorTable = { visitor_id: string; user_id: string; signed_in_at: Moment; claimed_at: Moment | null };
/** A position in the log is stored as a text of twenty digits. */
type PositionColumn = ColumnType<string, string, string>;

type ReactionTable = {
  name: string;
  position: ColumnType<string, string | undefined, string>;
  event_id: Generated<string>;
  stream: StreamName | null;
  revision: number | null;
  started_at: ColumnType<string, string | undefined, never>;
  epoch: Generated<number>;
  holder: string | null;
  held_until: Date | null;
  categories: Generated<Category[]>;
  handles: Generated<string[]>;
};

type PostponedReactionTable = {
  reaction: string;
  stream: StreamName;
  position: PositionColumn;
  attempts: number;
  next_attempt_at: ColumnType<Date, Date, Date>;
  error: string;
};

type KeptAnswerTable = {
  session: Buffer;
  key: Buffer;
  fingerprint: Buffer;
  command: string;
  claim: string;
  claimed_until: Moment;
  answer: Buffer | null;
  stream: StreamName | null;
  expires_at: Moment;
};

/** The session may act on this order, which it opened by the link of a mail (orders/order-links.ts). */
type OpenedOrderTable = { session: Buffer; order_id: OrderId; until: Moment; token_hash: Buffer };

type AddressTable = {
  id: string;
  /** Counts the addresses in the order in which they were added. */
  number: ColumnType<string, never, never>;
  user_id: string;
  personal: Buffer;
  is_default: boolean;
};

type ErasureTable = {
  user_id: string;
  /** The subjects are the user and the visitors that they were, who own the keys. */
  subjects: string[];
  /** The subjects of the account's addresses own the keys of what was sent without signing in. */
  addresses: string[];
  /** The recipient is the keyed hash of the account's address, as in the outbox; empty without one. */
  recipient: Buffer;
  /** The hashes of addresses that the account had before. */
  former_recipients: ColumnType<Buffer[], Buffer[] | undefined, Buffer[]>;
  asked_at: Moment;
  /** The value is null until all data of the user are erased. */
  finished_at: ColumnType<Date | null, never, Date | null>;
};

type SubjectKeyTable = {
  subject: string;
  /** The value is encrypted with the key-encryption key that has this id. */
  key: Buffer | null;
  wrapped_by: string | null;
  created_at: ColumnType<Date, never, never>;
  /** At this time it is checked whether the key is still needed; if it is null, only an erasure removes it. */
  look_at: ColumnType<Date | null, never, Date | null>;
  erased_at: Moment | null;
};
type KeyEncryptionKeyTable = { id: string; is_current: boolean };
type SavedHeadTable = { stream: string; revision: number; hash: string; saved_at: Moment };

/** The vkeys of the witnesses of whom `quorum` have to sign, from the size `from` on. */
export type SizedRule = { readonly from: number; readonly witnesses: readonly string[]; readonly quorum: number };

/** The newest published checkpoint of an origin of the log (transparency/signed-log.ts). */
type LogCheckpointTable = {
  generation: number;
  vkey: string;
  size: ColumnType<string, number | undefined, number>;
  note: string | null;
  published_at: ColumnType<Date | null, never, Date>;
  /** Witnesses last signed a checkpoint at this time. */
  cosigned_at: ColumnType<Date | null, never, Date>;
  rules: ColumnType<readonly SizedRule[], never, string>;
};

/** The link with the proof that a PDF has, by the hash of the event's leaf (tax-documents/proof-links.ts). */
type TaxDocumentProofTable = { leaf: Buffer; link: string };

/** The row is a link of the embedded test gateway, with its payments and their refunds (payments/gateway/test-gateway-rows.ts). */
type TestPaymentLinkTable = {
  id: string;
  /** Counts the links in the order in which they were opened. */
  serial: ColumnType<string, never, never>;
  reference: string;
  reference_id: string;
  number: string;
  amount: ColumnType<string, number, number>;
  status: string;
  return_to: string;
  expires_at: Date | null;
  created_at: Moment;
  payments: ColumnType<unknown, string, string>;
};

/** Schema `shop` has the rows that are not derived from the log. */
export type ShopTables = {
  users: UserTable;
  identities: IdentityTable;
  codes: CodeTable;
  password_resets: PasswordResetTable;
  sessions: SessionTable;
  second_factors: SecondFactorTable;
  recovery_codes: RecoveryCodeTable;
  login_tokens: LoginTokenTable;
  email_changes: EmailChangeTable;
  former_emails: FormerEmailTable;
  staff_invitations: StaffInvitationTable;
  staff_rights: StaffRightsTable;
  security_log: SecurityLogTable;
  outbox: OutboxTable;
  caught_mail: CaughtMailTable;
  cart_snapshots: SnapshotTable;
  stock_snapshots: SnapshotTable;
  keys: KeyTable;
  order_numbers: OrderNumberTable;
  subscribers: SubscriberTable;
  contact_messages: ContactMessageTable;
  restock_notices: RestockNoticeTable;
  restock_levels: RestockLevelTable;
  visitors: VisitorTable;
  reactions: ReactionTable;
  postponed_reactions: PostponedReactionTable;
  kept_answers: KeptAnswerTable;
  opened_orders: OpenedOrderTable;
  addresses: AddressTable;
  erasures: ErasureTable;
  subject_keys: SubjectKeyTable;
  key_encryption_keys: KeyEncryptionKeyTable;
  saved_heads: SavedHeadTable;
  test_payment_links: TestPaymentLinkTable;
  log_checkpoints: LogCheckpointTable;
  tax_document_proofs: TaxDocumentProofTable;
};

export type ShopDatabase = Kysely<ShopTables>;

/** Makes the database for a pool that reads timestamps as `Date`. Closing it closes the pool. */
export const shopDatabase = (pool: pg.Pool): ShopDatabase => new Kysely<ShopTables>({ dialect: createDialect(pool) }).withSchema('shop');
