import { z } from 'zod';

import { EmailInput } from '../../platform/email-address.ts';
import { required, typed, typedLine } from '../../http/typed-text.ts';

/** Several lines with `\n`; control characters and unpaired surrogates are removed. */
const prose = (max: number) =>
  required(
    typed
      .overwrite((text) => text.replaceAll(/\r\n?|\u2028|\u2029/g, '\n').replaceAll(/(?![\n\t])\p{Cc}|\p{Cs}/gu, ''))
      .trim()
      .max(max, `Please use at most ${max} characters`),
  );

/** A message to the shop: name, e-mail and message are required, the phone is not. */
export const ContactInput = z.object({
  name: required(typedLine(100)),
  email: EmailInput,
  phone: typedLine(40).default(''),
  message: prose(5_000),
});
