import { describeGateway } from './testing/gateway-contract.ts';
import { openRazorpay, openTestGateway } from './testing/razorpay-stand-in.ts';

describeGateway('the embedded test gateway', () => openTestGateway());
describeGateway("Razorpay's library, against the calls of the embedded gateway", () => openRazorpay());
