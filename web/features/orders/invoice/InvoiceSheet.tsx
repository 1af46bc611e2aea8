import type { ReactNode } from 'react';
import { describePlace, OTHER_COUNTRY } from '#domain/shared/states.ts';
import { isWithinState } from '#domain/invoice/invoice.ts';
import { ASSUMED_PLACE, COPY, hasOddPaisa, listTaxRows, ODD_PAISA, type InvoiceLineView } from '#domain/invoice/view.ts';
import { formatRupees } from '#domain/shared/money.ts';
import { dateText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';
import { FileLink } from '../../../ui/FileLink.tsx';
import { cx } from '../../../ui/cx.ts';
import type { Invoice } from '../order-api.ts';
import { taxDocumentFile } from '../order-paths.ts';

type InvoiceSheetProps = { readonly id: string; readonly invoice: Invoice };

export const InvoiceSheet = ({ id, invoice }: InvoiceSheetProps) => {
  const { number, date, seller, buyer, placeOfSupply, placeOfSupplyAssumed, totalInWords } = invoice;
  const buyerState = placeOfSupply === OTHER_COUNTRY ? buyer.state : describePlace(buyer.state);
  return (
    <article className="mx-auto max-w-[58rem] border border-sandal bg-white p-5 sm:p-10 print:max-w-none print:border-0 print:p-0">
      <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-6 border-b border-ink pb-6 print:pb-3">
        <img src="/logo.svg" alt="RUHANI" width={423} height={80} className="h-8 w-auto" />
        <div className="sm:text-right print:text-right">
          <h1 className="display text-h2">Tax invoice</h1>
          <p className="figures mt-2 font-semibold">{number}</p>
          <p className="text-[0.875rem] text-clove">{COPY}</p>
          <p className="figures text-[0.875rem] text-clove">Date {dateText(date)}</p>
        </div>
      </header>
      {seller.gstin === undefined && (
        <p className="mt-6 text-[0.875rem] text-clove print:mt-3">
          <strong className="block text-base text-gold-deep">SAMPLE</strong>
          This paper is a sample: the seller is not registered for GST here.
        </p>
      )}
      <div className="mt-8 grid gap-8 print:mt-5 sm:grid-cols-2 print:grid-cols-2">
        <Party title="Sold by" name={seller.name} lines={[seller.address, describePlace(seller.state)]}>
          {seller.gstin !== undefined && <span>GSTIN {seller.gstin}</span>}
        </Party>
        <Party title="Sold and delivered to" name={buyer.name} lines={[buyer.address, buyerState]}>
          <span className="mt-1 text-xs">Place of supply: {describePlace(placeOfSupply)}</span>
          {placeOfSupplyAssumed && <span className="text-xs">{ASSUMED_PLACE}</span>}
        </Party>
      </div>
      <Lines invoice={invoice} />
      <Sums invoice={invoice} />
      <p className="mt-6 print:mt-3">{totalInWords}</p>
      {hasOddPaisa(invoice.lines) && <p className="mt-1 text-xs text-clove">{ODD_PAISA}</p>}
      <p className="mt-4 text-xs text-clove print:mt-2">
        Tax is not payable on reverse charge. Issued electronically under the Information Technology Act, 2000: it needs no signature.
      </p>
      <CreditNotes id={id} invoice={invoice} />
    </article>
  );
};

type PartyProps = { readonly title: string; readonly name: string; readonly lines: readonly string[]; readonly children: ReactNode };

/** An erased name and address have the same text, which is shown once. */
const Party = ({ title, name, lines, children }: PartyProps) => (
  <section className="min-w-0 wrap-anywhere">
    <h2 className="text-xs text-clove">{title}</h2>
    <p className="display mt-1 text-h3">{name}</p>
    <p className="mt-1 text-[0.875rem] leading-relaxed [&>span]:block">
      {lines
        .filter((line) => line !== name)
        .map((line) => (
          <span key={line}>{line}</span>
        ))}
      {children}
    </p>
  </section>
);

type Column = { readonly title: string; readonly of: (line: InvoiceLineView) => string };

const AMOUNTS: readonly Column[] = [
  { title: 'HSN', of: ({ hsn }) => hsn },
  { title: 'Bottles', of: ({ quantity }) => String(quantity) },
  { title: 'Price each', of: ({ unitPrice }) => moneyText(unitPrice) },
  { title: 'Taxable value', of: ({ taxableValue }) => moneyText(taxableValue) },
  { title: 'Rate', of: ({ rate }) => `${rate}%` },
];
const HALVES: readonly Column[] = [
  { title: 'CGST', of: ({ cgst }) => moneyText(cgst) },
  { title: 'SGST', of: ({ sgst }) => moneyText(sgst) },
];
const WHOLE: readonly Column[] = [{ title: 'IGST', of: ({ igst }) => moneyText(igst) }];

/** On a phone each invoice line is a block. */
const Lines = ({ invoice }: Pick<InvoiceSheetProps, 'invoice'>) => {
  const columns = [...AMOUNTS, ...(isWithinState(invoice) ? HALVES : WHOLE)];
  return (
    <table className="mt-8 w-full text-xs print:mt-5 narrow:block">
      <caption className="sr-only">What was sold</caption>
      <thead className="narrow:hidden">
        <tr className="border-b border-ink text-clove">
          <th scope="col" className="py-2 pr-3 text-left font-normal">
            Goods
          </th>
          {columns.map(({ title }) => (
            <th key={title} scope="col" className="py-2 pl-3 text-right font-normal">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="narrow:block">
        {Object.entries(invoice.lines).map(([place, line]) => (
          <tr key={place} className="break-inside-avoid border-b border-sandal align-top narrow:block narrow:py-3">
            <th
              scope="row"
              className="py-2.5 pr-3 text-left font-medium print:py-1.5 wrap-anywhere narrow:block narrow:pb-1 narrow:text-[0.9375rem]"
            >
              {line.name}
            </th>
            {columns.map(({ title, of }) => (
              <td
                key={title}
                className="figures py-2.5 pl-3 text-right print:py-1.5 narrow:flex narrow:justify-between narrow:gap-4 narrow:py-0.5 narrow:pl-0"
              >
                <span className="hidden text-clove narrow:inline">{title}</span>
                {of(line)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Sums = ({ invoice }: Pick<InvoiceSheetProps, 'invoice'>) => {
  const { taxableValue, giftWrap, total } = invoice;
  const rows = [
    ['Taxable value', moneyText(taxableValue)],
    ...listTaxRows(invoice).map(([label, amount]) => [label, formatRupees(amount)] as const),
    ...(giftWrap > 0 ? [['Gift wrap, untaxed', moneyText(giftWrap)] as const] : []),
  ] as const;
  return (
    <dl className="mt-6 ml-auto max-w-md print:mt-4 break-inside-avoid text-[0.875rem]">
      {rows.map(([label, text]) => (
        <SumRow key={label} label={label} text={text} className="text-clove" />
      ))}
      <SumRow label="Total" text={moneyText(total)} className="mt-2 border-t border-ink pt-2 text-base font-semibold" />
    </dl>
  );
};

const SumRow = ({ label, text, className }: { readonly label: string; readonly text: string; readonly className: string }) => (
  <div className={cx('flex justify-between gap-6 py-1 print:py-0.5', className)}>
    <dt>{label}</dt>
    <dd className="figures whitespace-nowrap">{text}</dd>
  </div>
);

const CreditNotes = ({ id, invoice: { creditNotes } }: InvoiceSheetProps) =>
  creditNotes.length > 0 && (
    <section className="mt-8 break-inside-avoid border-t border-sandal pt-6">
      <h2 className="display text-h3">Credit notes</h2>
      <ul className="mt-2 text-[0.875rem]">
        {creditNotes.map(({ number, date, total }, place) => (
          <li key={number} className="flex flex-wrap items-center justify-between gap-x-6">
            <FileLink
              name={`Credit note ${number}`}
              href={taxDocumentFile(id, `credit-notes/${place + 1}.pdf`)}
              className="figures min-h-11 font-medium print:min-h-0 print:no-underline"
            >
              {number}
            </FileLink>
            <span className="figures">
              {dateText(date)}: {moneyText(total)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
