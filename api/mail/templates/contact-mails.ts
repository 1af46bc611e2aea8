import type { Mail } from '../mail.ts';
import { html } from './mail-html.ts';
import { layout, paragraph } from './layout.ts';
import { inLines, written } from './order-parts.ts';

const FOOT = 'Is anything still open? Answer this mail, and one of us will see to it.';

/** The answer of a member of staff stands above the message, in which a mail program finds no link: anybody may have typed the address. */
export const answerMail = ({ email: to, message }: { readonly email: string; readonly message: string }, answer: string): Mail => {
  const quoted = written('You wrote', message);
  return {
    to,
    subject: 'Your message to Ruhani',
    text: [answer, quoted.text, FOOT, 'RUHANI\n'].join('\n\n'),
    html: layout({
      title: 'Our answer to you',
      preview: answer.slice(0, 100),
      body: [...answer.split(/\n{2,}/).map((part) => paragraph(html`${inLines(part)}`)), quoted.html],
      foot: FOOT,
    }),
  };
};
