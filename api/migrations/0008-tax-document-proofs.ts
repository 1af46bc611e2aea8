import { sql, type Kysely } from 'kysely';

/** The link on the PDF of an invoice or a credit note, with its proof, by the hash of its event's leaf: it was made once and never changes. */
const PROOFS = `create table shop.tax_document_proofs (leaf bytea primary key, link text not null)`;

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw(PROOFS).execute(db);
};
