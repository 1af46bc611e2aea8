import { ArrowLeft, Download, Printer } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { getMessage } from '../../../lib/http/api.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { buttonStyle } from '../../../ui/button-style.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Status } from '../../../ui/feedback/Status.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { useDelayedLoading } from '../../../ui/feedback/use-delayed-loading.ts';
import { useInvoiceQuery, type Invoice } from '../order-api.ts';
import { detailsPath, taxDocumentFile } from '../order-paths.ts';
import { OrderUnavailable } from '../OrderUnavailable.tsx';
import { InvoiceSheet } from './InvoiceSheet.tsx';

/** `/invoice/:id`, for the order's shopper and those of the staff who read invoices. Only the sheet is printed (styles.css). */
export const InvoicePage = () => {
  const { id = '' } = useParams();
  const { data, error, isFetching, refetch } = useInvoiceQuery({ _id: id }, { refetchOnMountOrArgChange: true });
  const isComing = data === undefined && isFetching;
  const loadingDrawn = useDelayedLoading(isComing);
  if (data) return <Shown id={id} invoice={data} />;
  if (isComing || loadingDrawn || !error) return <Loading drawn={loadingDrawn} />;
  const { status, code } = 'status' in error ? error : { status: undefined, code: undefined };
  if (status === 404 && code !== 'order_not_found') return <NotIssued id={id} onRetry={() => void refetch()} />;
  return <OrderUnavailable failure={{ message: getMessage(error), status, errors: {} }} onRetry={() => void refetch()} />;
};

const Shown = ({ id, invoice }: { readonly id: string; readonly invoice: Invoice }) => {
  usePageTitle(`Invoice ${invoice.number}`);
  return (
    <div className="page-x pt-8 pb-section print:p-0">
      <div className="mx-auto mb-6 flex max-w-[58rem] flex-wrap items-center justify-between gap-3 print:hidden">
        <TextLink to={detailsPath(id)}>
          <ArrowLeft className="size-4" strokeWidth={1.5} />
          To the order
        </TextLink>
        <div className="flex flex-wrap gap-3">
          <a href={taxDocumentFile(id, 'invoice.pdf')} download className={buttonStyle({ kind: 'outline' })}>
            <Download className="size-4" strokeWidth={1.5} />
            Download PDF
          </a>
          <Button onClick={() => print()}>
            <Printer className="size-4" strokeWidth={1.5} />
            Print
          </Button>
        </div>
      </div>
      <InvoiceSheet id={id} invoice={invoice} />
    </div>
  );
};

const Loading = ({ drawn }: { readonly drawn: boolean }) => {
  usePageTitle('Invoice');
  return (
    <div aria-busy="true" className="page-x pt-8 pb-section">
      <h1 className="sr-only">Invoice</h1>
      <Status className="sr-only">Loading the invoice...</Status>
      {drawn && <Skeleton className="mx-auto mt-17 h-[60rem] max-w-[58rem]" />}
    </div>
  );
};

const NotIssued = ({ id, onRetry }: { readonly id: string; readonly onRetry: () => void }) => {
  usePageTitle('No invoice yet');
  return (
    <EmptyState
      page
      title="No invoice yet"
      action={
        <>
          <Button size="lg" onClick={onRetry}>
            Try again
          </Button>
          <ButtonLink to={detailsPath(id)} size="lg" kind="outline">
            To the order
          </ButtonLink>
        </>
      }
    >
      An order gets its invoice when it ships.
    </EmptyState>
  );
};
