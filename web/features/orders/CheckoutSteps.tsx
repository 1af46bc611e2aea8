import { Check } from 'lucide-react';
import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { cx } from '../../ui/cx.ts';

const steps = ['Cart', 'Shipping', 'Review', 'Confirmed'] as const;
type Step = (typeof steps)[number];

const backTo: Partial<Record<Step, string>> = { Cart: pages.cart, Shipping: pages.checkout };

type CheckoutStepsProps = {
  readonly at: Step;
  /** Called with the path of a finished step before it is opened again. */
  readonly onLeave?: () => void;
};

export const CheckoutSteps = ({ at, onLeave }: CheckoutStepsProps) => {
  const here = steps.indexOf(at);
  return (
    <ol
      aria-label="Progress"
      className="mt-5 flex flex-wrap items-center justify-between gap-x-1.5 text-[0.875rem] sm:justify-start sm:gap-x-4"
    >
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === here ? 'step' : undefined}
          className={cx('flex items-center sm:gap-4', index === here ? 'font-medium text-ink' : 'text-clove')}
        >
          <StepName step={step} done={index < here} current={index === here} onLeave={onLeave} />
          {index < steps.length - 1 && <span className="hidden h-px bg-sandal sm:block sm:w-10" />}
        </li>
      ))}
    </ol>
  );
};

type StepNameProps = {
  readonly step: Step;
  readonly done: boolean;
  readonly current: boolean;
  readonly onLeave: (() => void) | undefined;
};

const StepName = ({ step, done, current, onLeave }: StepNameProps) => {
  const to = backTo[step];
  if (done && to !== undefined) {
    return (
      <Link to={to} onClick={onLeave} className="inline-flex min-h-8 items-center gap-1.5 hover:text-ink">
        <Check className="size-3.5 text-khus" strokeWidth={2.2} />
        {step}
      </Link>
    );
  }
  return <span className={cx(current && 'border-b border-gold pb-0.5')}>{step}</span>;
};
