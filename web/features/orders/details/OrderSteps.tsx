import { cx } from '../../../ui/cx.ts';
import type { OrderStory } from '../order-story.ts';

export const STEPS = 'steps';

const look =
  'relative flex-1 max-sm:pb-4 max-sm:pl-7 max-sm:last:pb-0 sm:pt-6 sm:pr-4 max-sm:before:absolute max-sm:before:top-3 max-sm:before:left-[5px] ' +
  'max-sm:before:h-full max-sm:before:w-px max-sm:last:before:hidden sm:before:absolute sm:before:top-[5px] sm:before:right-0 sm:before:left-3 ' +
  'sm:before:h-px sm:last:before:hidden';

/** Past steps have a gold line and filled marks; steps to come have a thin line and empty marks. */
const marks = {
  past: 'border-gold bg-gold',
  here: 'border-gold bg-gold outline-1 outline-offset-3 outline-gold',
  ahead: 'border-teak bg-paper',
};

/** The order's steps, those to come too: a line, and a column on phones. 'Track your order' leads here until a courier has it. */
export const OrderSteps = ({ steps, here }: Pick<OrderStory, 'steps' | 'here'>) => (
  <ol id={STEPS} tabIndex={-1} aria-label="Where it is" className="flex flex-col sm:flex-row">
    {steps.map(({ title, detail, note }, index) => {
      const place = index < here ? 'past' : index === here ? 'here' : 'ahead';
      return (
        <li
          key={title}
          aria-current={place === 'here' ? 'step' : undefined}
          className={cx(look, place === 'past' ? 'before:bg-gold' : 'before:bg-teak/50')}
        >
          <span className={cx('absolute top-1.5 left-0 size-[11px] rounded-full border sm:top-0', marks[place])} />
          <p className={cx('text-[0.9375rem] leading-snug', place === 'ahead' ? 'text-clove' : 'font-medium')}>
            {place === 'ahead' && <span className="sr-only">To come: </span>}
            <span>{title}</span>
          </p>
          <p className="figures text-[0.8125rem] text-clove">{detail}</p>
          {note !== undefined && note !== '' && <p className="mt-1 text-[0.875rem] wrap-anywhere whitespace-pre-line text-clove">{note}</p>}
        </li>
      );
    })}
  </ol>
);
