import type { Life, Scheduler } from './scheduler.ts';

/** In percent; `killed` and `stopped` per thousand steps. */
export type Odds = {
  /** The request never arrives. */
  readonly lost: number;
  /** Executed, but the answer never arrives. */
  readonly unanswered: number;
  /** Executed after its caller has given up. */
  readonly late: number;
  readonly slow: number;
  /** A wake signal never arrives. */
  readonly unwoken: number;
  /** A process ends, with all its memory. */
  readonly killed: number;
  /** A process does nothing for a while. */
  readonly stopped: number;
};

export const NO_FAULTS: Odds = { lost: 0, unanswered: 0, late: 0, slow: 0, unwoken: 0, killed: 0, stopped: 0 };

/** Calls store or database. Other steps may come in between, and the connection may break before, during or after the call. */
export type NetworkCall = <Answer>(what: string, work: () => Answer | Promise<Answer>) => Promise<Answer>;

/** `late`: calls still under way that their callers have given up, by description; they outlast the processes. */
export type Network = { readonly life: Life; readonly late: Map<string, () => Promise<void>> };

export type NetworkParts = { readonly scheduler: Scheduler; readonly odds: () => Odds; readonly network: Network };

/** Of a slow call, and of a late one, in ms. */
const SLOWEST = 400;
const LATEST = 1_500;
/** How often, in percent, a late call arrives right before its retry. */
const BEFORE_RETRY = 60;

const connectionLost = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

export const networkCallOf = (
  { scheduler, odds, network }: NetworkParts,
  life: Life,
  broken: () => Error = connectionLost,
): NetworkCall => {
  const { random } = scheduler;
  return async (what, work) => {
    const done = async () => work();
    await scheduler.turn(life, `asks to ${what}`, random.happens(odds().slow) ? random.upTo(SLOWEST) : 0);
    if (random.happens(odds().lost)) {
      await scheduler.turn(life, `cannot ${what}`);
      throw broken();
    }
    if (random.happens(odds().late)) {
      const deliver = async (): Promise<void> => {
        if (network.late.get(what) !== deliver) return;
        network.late.delete(what);
        scheduler.trace.push(`${scheduler.milliseconds()} arrives late: ${what}`);
        await done().catch(() => {});
      };
      network.late.set(what, deliver);
      scheduler.after(network.life, 'delivers what is late', random.upTo(LATEST), () => void deliver());
      await scheduler.turn(life, `has waited too long to ${what}`);
      throw broken();
    }
    // The worst moment for a late call to arrive. Not awaited: it may wait for a lock of the transaction that this call is part of.
    const late = network.late.get(what);
    if (late && random.happens(BEFORE_RETRY)) void late();
    const answer = await done().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const isUnanswered = random.happens(odds().unanswered);
    await scheduler.turn(life, isUnanswered ? `never hears whether it did ${what}` : `hears of ${what}`);
    if (isUnanswered) throw broken();
    if ('error' in answer) throw answer.error;
    return answer.value;
  };
};

/** A port whose methods are called through the simulated network. */
export const throughNetwork = <Port extends object>(port: Port, name: string, viaNetwork: NetworkCall): Port =>
  new Proxy(port, {
    get: (target, method) => {
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== 'function') return value;
      return (...asked: unknown[]): Promise<unknown> => viaNetwork(`${String(method)} ${name}`, () => Reflect.apply(value, target, asked));
    },
  });
