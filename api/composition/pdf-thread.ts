/** A program: what runs in the threads that write PDFs. */
export { invoicePaper } from '../invoices/invoice-paper.ts';
export { packingSlip } from '../papers/packing-slip.ts';
