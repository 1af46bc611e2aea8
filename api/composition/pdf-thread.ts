/** This program runs in the threads that write PDFs. */
export { renderInvoice } from '../tax-documents/invoice-pdf.ts';
export { packingSlip } from '../pdf/packing-slip.ts';
