import { Link } from 'react-router-dom';
import type { AuditEvent } from '../audit-api.ts';
import { pricePath } from '../audit-paths.ts';
import { Row } from './Row.tsx';

type Line = { readonly productId: string; readonly name: string };

const isLine = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && 'productId' in value && 'name' in value && typeof value.name === 'string';

/** What was checked out at which moment: for the events that quote prices. */
const quoteOf = ({ data }: AuditEvent): { readonly lines: readonly Line[]; readonly moment: string } | undefined => {
  const moment = data?.['createdAt'] ?? data?.['revisedAt'];
  const lines: unknown = data?.['lines'];
  return typeof moment === 'string' && Array.isArray(lines) ? { lines: lines.filter(isLine), moment } : undefined;
};

/** Ways to what each perfume cost at the moment of a checkout, so that its prices can be held against the log. */
export const PricesThen = ({ event }: { readonly event: AuditEvent }) => {
  const quote = quoteOf(event);
  if (!quote || quote.lines.length === 0) return null;
  return (
    <Row name="Prices then">
      <ul>
        {quote.lines.map(({ productId, name }) => (
          <li key={productId}>
            <Link to={pricePath(productId, quote.moment)} className="link">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Row>
  );
};
