/** This program runs in the threads that write PDFs. */
export { renderInvoice } from '../tax-documents/invoice-pdf.ts';
export { labels, slipsAndLabels } from '../pdf/label.ts';
export { packingSlip, packingSlips } from '../pdf/packing-slip.ts';
