import Razorpay from 'razorpay';

/** The part of the library's axios instance that is used here. The library's types do not name it. */
type Request = { method?: string; url?: string; data?: unknown; headers: { set(name: string, value: string): unknown } };
type Axios = {
  readonly defaults: { baseURL?: string; timeout?: number; maxRedirects?: number };
  readonly interceptors: { readonly request: { use(change: (request: Request) => Request): unknown } };
};

export type RazorpayClientOptions = {
  readonly keyId: string;
  readonly keySecret: string;
  /** The field is set in tests: an origin other than Razorpay's. */
  readonly url?: string | undefined;
  /** A request may take this many ms. */
  readonly timeout: number;
};

/** The client was tried with this version of the library; a test compares it with the installed version. */
export const TESTED_VERSION = '2.9.8';

const REFUND = /^\/v1\/payments\/[\w-]+\/refund$/;
/** Razorpay accepts idempotency keys of this form. */
const KEY = /^[\w-]{10,}$/;

const findReceipt = (data: unknown): string | undefined => {
  const receipt = typeof data === 'object' && data !== null && 'receipt' in data ? data.receipt : undefined;
  return typeof receipt === 'string' && KEY.test(receipt) ? receipt : undefined;
};

/**
 * Adds what version 2.9 of the library has no option for: another address, a timeout, and the idempotency key of a refund, which is its
 * receipt. Redirects are not followed, because they would send the keys to another address.
 */
export const razorpayClient = ({ keyId, keySecret, url, timeout }: RazorpayClientOptions): Razorpay => {
  const razorpay = new Razorpay({ key_id: keyId, key_secret: keySecret });
  const { rq } = razorpay.api as unknown as { readonly rq: Axios };
  if (url !== undefined) rq.defaults.baseURL = url;
  rq.defaults.timeout = timeout;
  rq.defaults.maxRedirects = 0;
  rq.interceptors.request.use((request) => {
    const receipt = request.method === 'post' && REFUND.test(request.url ?? '') ? findReceipt(request.data) : undefined;
    if (receipt !== undefined) request.headers.set('X-Refund-Idempotency', receipt);
    return request;
  });
  return razorpay;
};
