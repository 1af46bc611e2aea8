/** A program: what runs in the threads that write PDFs. */
export { invoicePaper } from '../tax-documents/invoice-paper.ts';
export { packingSlip } from '../pdf/packing-slip.ts';
