import Razorpay from 'razorpay';

/** What is used of the library's axios instance, which its types do not name. */
type Request = { method?: string; url?: string; data?: unknown; headers: { set(name: string, value: string): unknown } };
type Axios = {
  readonly defaults: { baseURL?: string; timeout?: number; maxRedirects?: number };
  readonly interceptors: { readonly request: { use(change: (request: Request) => Request): unknown } };
};

export type RazorpayClientOptions = {
  readonly keyId: string;
  readonly keySecret: string;
  /** Another origin than Razorpay's. */
  readonly url?: string | undefined;
  /** Of a request, in ms. */
  readonly timeout: number;
};

/** Tried with this version: a test compares it with the one installed. */
export const TESTED_VERSION = '2.9.8';

const REFUND = /^\/v1\/payments\/[\w-]+\/refund$/;
/** As Razorpay takes it for an idempotency key. */
const KEY = /^[\w-]{10,}$/;

const receiptIn = (data: unknown): string | undefined => {
  const receipt = typeof data === 'object' && data !== null && 'receipt' in data ? data.receipt : undefined;
  return typeof receipt === 'string' && KEY.test(receipt) ? receipt : undefined;
};

/**
 * What version 2.9 of the library has no option for: another address, a time-out, a refund's idempotency key, which is its receipt. A
 * redirect is not followed: it would take the keys along.
 */
export const razorpayClient = ({ keyId, keySecret, url, timeout }: RazorpayClientOptions): Razorpay => {
  const razorpay = new Razorpay({ key_id: keyId, key_secret: keySecret });
  const { rq } = razorpay.api as unknown as { readonly rq: Axios };
  if (url !== undefined) rq.defaults.baseURL = url;
  rq.defaults.timeout = timeout;
  rq.defaults.maxRedirects = 0;
  rq.interceptors.request.use((request) => {
    const receipt = request.method === 'post' && REFUND.test(request.url ?? '') ? receiptIn(request.data) : undefined;
    if (receipt !== undefined) request.headers.set('X-Refund-Idempotency', receipt);
    return request;
  });
  return razorpay;
};
