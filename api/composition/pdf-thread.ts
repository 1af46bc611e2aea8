/** This program runs in the threads that write PDFs. */
export { invoiceTaxDocument } from '../tax-documents/invoice-pdf.ts';
export { packingSlip } from '../pdf/packing-slip.ts';
